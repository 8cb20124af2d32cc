import Arbor
import ArborTesting
import Testing

struct Runs4Tests {
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

  @Test func run42() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.rename(0, to: "\u{2028}\u{202E}\0\u{1B}"))
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

  @Test func run44() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 5_059_014, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 5_059_014, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.enter(Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil)
    }
    await store.finish()
  }

  @Test func run45() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["": 1, "Rake": 7]))
    await store.receive(.stocked("", count: 1)) { $0.stock = ["": 1] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.grow(age: 1))
    await store.send(.label(.none, price: 0.6666666666666666)) {
      $0.prices = [.none: 0.6666666666666666]
      $0.labels = [.none]
    }
    await store.send(.add(Row(id: 3_601_467, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 3_601_467, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run46() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.note(.some(nil)))
    await store.finish()
  }

  @Test func run47() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.send(.label(.reduced(percent: 20), price: 0.6666666666666666)) {
      $0.prices = [.reduced(percent: 20): 0.6666666666666666]
      $0.labels = [.reduced(percent: 20)]
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
}
