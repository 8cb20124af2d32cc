import Arbor
import ArborTesting
import Testing

struct Runs8Tests {
  @Test func run80() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 1))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 1_199_081, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 1_199_081, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.send(.leave)
    await store.finish()
  }

  @Test func run81() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(.rename(1, to: #"a "quoted" word"#))
    await store.send(.refuse(reason: "Rake")) {
      $0.phase = .refused(reason: "Rake", after: .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing))
    }
    await store.finish()
  }

  @Test func run82() async {
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
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found(["\\(rows.count)"], for: "\\(")) {
      $0.search.isRunning = false
      $0.search.results = ["\\(rows.count)"]
    }
    await store.send(.rename(2, to: ""))
    await store.send(.browse)
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.send(.pay(.card("👩\u{200D}👩 e\u{301}"))) {
      $0.phase = .paying(0.75, with: .card("👩\u{200D}👩 e\u{301}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))) {
      $0.phase = .done(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run83() async {
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
    await store.send(.label(.none, price: 0.3333333333333333)) {
      $0.prices[.none] = 0.3333333333333333
      $0.labels = [.none]
    }
    await store.send(.enter(Visitor(name: "", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor?.name = ""
      $0.visitor?.age = 3
    }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(
      .rename(
        0,
        to: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    ) {
      $0.rows[0].title = """
        a line
          and another one,

        and one that is too long for a line of its own, which is a line of at most 120 characters, it says
        """
    }
    await store.send(.browse)
    await store.finish()
  }

  @Test func run84() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 8_011_434, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_011_434, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.25))
    await store.send(.add(Row(id: 3_282_368, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 8_011_434, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
        Row(id: 3_282_368, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.add(Row(id: 5_554_413, title: "Rake", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 8_011_434, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
        Row(id: 3_282_368, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
        Row(id: 5_554_413, title: "Rake", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.send(.restock(["Rake": 7, #"a "quoted" word"#: 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked(#"a "quoted" word"#, count: 1)) { $0.stock[#"a "quoted" word"#] = 1 }
    await store.finish()
  }

  @Test func run85() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("👩\u{200D}👩 e\u{301}"))
    await store.send(.pay(.card("\""))) { $0.phase = .paying(0.0, with: .card("\"")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.send(.move(Address(street: "Rake", city: "Rome")))
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run86() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.send(.add(Row(id: 8_927_547, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_927_547, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 3))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.25, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 1, lines: ["tab\tand\nline"]))) {
      $0.phase = .done(Phase.Receipt(number: 1, lines: ["tab\tand\nline"]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run87() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.enter(Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1))) {
      $0.visitor = Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.restock(["Rake": 7, #"C:\new\"#: 2]))
    await store.receive(.stocked(#"C:\new\"#, count: 2)) { $0.stock = [#"C:\new\"#: 2] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
    await store.send(.rename(2, to: "tab\tand\nline"))
    await store.finish()
  }

  @Test func run88() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.refuse(reason: "\\(rows.count)")) {
      $0.phase = .refused(reason: "\\(rows.count)", after: .browsing)
    }
    await store.send(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run89() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.browse)
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 1)) { $0.stock["\\(rows.count)"] = 1 }
    await store.finish()
  }
}
