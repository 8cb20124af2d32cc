import Arbor
import ArborTesting
import Testing

struct Runs2Tests {
  @Test func run40() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .rename(
        1,
        to: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    )
    await store.send(.add(Row(id: 181012, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 181012, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.25))
    await store.send(
      .enter(Visitor(name: "\u{2028}\u{202E}\0\u{1B}", address: Address(street: "", city: ""), age: 2))
    ) { $0.visitor = Visitor(name: "\u{2028}\u{202E}\0\u{1B}", address: Address(street: "", city: ""), age: 2) }
    await store.finish()
  }

  @Test func run41() async {
    let initialState = Shop(
      visitor: Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 7),
      rows: [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
      ],
      stock: ["Rake": 1],
      prices: [.none: 0.1],
      labels: [],
      phase: .browsing,
      search: Search(text: "", isRunning: false, results: []),
      total: 0.75
    )
    let store = TestStore(initialState: initialState, feature: shop)
    await store.send(batch: [.label(.none, price: 0.6666666666666666), .restock(["Rake": 0])]) {
      $0.prices[.none] = 0.6666666666666666
      $0.labels = [.none]
    }
    await store.receive(.stocked("Rake", count: 0)) { $0.stock = [:] }
    await store.send(.add(Row(id: 6_560_208, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 6_560_208, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.add(Row(id: 1_507_310, title: "\"", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 6_560_208, title: "\\(rows.count)", count: 1, note: nil),
        Row(id: 1_507_310, title: "\"", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.finish()
  }

  @Test func run43() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 8_834_582, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_834_582, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.25, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 1, lines: [""]))) {
      $0.phase = .done(Phase.Receipt(number: 1, lines: [""]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.enter(Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: nil)
    }
    await store.finish()
  }

  @Test func run48() async {
    let initialState = Shop(
      visitor: Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 7),
      rows: [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
      ],
      stock: ["Rake": 1],
      prices: [.none: 0.1],
      labels: [],
      phase: .browsing,
      search: Search(text: "", isRunning: false, results: []),
      total: 0.75
    )
    let store = TestStore(initialState: initialState, feature: shop)
    await store.send(.note(.some(nil))) {
      $0.rows[0].note = .some(nil)
      $0.rows[1].note = .some(nil)
    }
    await store.send(.add(Row(id: 9_472_466, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: .some(nil)),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: .some(nil)),
        Row(id: 9_472_466, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.add(Row(id: 5_290_207, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: .some(nil)),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: .some(nil)),
        Row(id: 9_472_466, title: #"a "quoted" word"#, count: 1, note: nil),
        Row(id: 5_290_207, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.finish()
  }

  @Test func run49() async {
    let initialState = Shop(
      visitor: Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 7),
      rows: [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
      ],
      stock: ["Rake": 1],
      prices: [.none: 0.1],
      labels: [],
      phase: .browsing,
      search: Search(text: "", isRunning: false, results: []),
      total: 0.75
    )
    let store = TestStore(initialState: initialState, feature: shop)
    await store.send(.pay(.card("a \"quoted"))) { $0.phase = .paying(0.75, with: .card("a \"quoted")) }
    await store.receive(.paid(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))) {
      $0.phase = .done(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.grow(age: 2)) { $0.visitor?.age = 2 }
    await store.send(.restock(["Rake": 7, "\"": 3]))
    await store.receive(.stocked("\"", count: 3)) { $0.stock["\""] = 3 }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.finish()
  }

  @Test func run50() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(batch: [.refuse(reason: #"a "quoted" word"#), .grow(age: 3)]) {
      $0.phase = .refused(reason: #"a "quoted" word"#, after: .browsing)
    }
    await store.send(.enter(Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: nil)
    }
    await store.finish()
  }

  @Test func run53() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.rename(1, to: "tab\tand\nline"))
    await store.finish()
  }

  @Test func run54() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 1)) { $0.stock["\\(rows.count)"] = 1 }
    await store.send(.restock(["Rake": 0]))
    await store.receive(.stocked("Rake", count: 0)) { $0.stock["Rake"] = nil }
    await store.finish()
  }

  @Test func run55() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("\u{2028}\u{202E}\0\u{1B}"))
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run56() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(batch: [.refuse(reason: ""), .add(Row(id: 2_922_020, title: "", count: 1, note: nil))]) {
      $0.rows = [Row(id: 2_922_020, title: "", count: 1, note: nil)]
      $0.phase = .refused(reason: "", after: .browsing)
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.browse) { $0.phase = .browsing }
    await store.send(.grow(age: 1))
    await store.finish()
  }

  @Test func run58() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.grow(age: 1), .type("\\(")]) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.pay(.card("Rake"))) { $0.phase = .paying(0.0, with: .card("Rake")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run59() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.send(.rename(3, to: #"a "quoted" word"#))
    await store.finish()
  }

  @Test func run61() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      batch: [.note(nil), .add(Row(id: 4_299_896, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))]
    ) { $0.rows = [Row(id: 4_299_896, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: nil))
    await store.finish()
  }
}
