import Arbor
import ArborTesting
import Testing

struct Runs0Tests {
  @Test func run0() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      batch: [.grow(age: 1), .add(Row(id: 7_610_343, title: #"a "quoted" word"#, count: 1, note: nil))]
    ) { $0.rows = [Row(id: 7_610_343, title: #"a "quoted" word"#, count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.rename(2, to: "\\(rows.count)"))
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.finish()
  }

  @Test func run1() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card(#"C:\new\"#))) { $0.phase = .paying(0.0, with: .card(#"C:\new\"#)) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.note(.some(nil)))
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.send(.rename(0, to: ""))
    await store.finish()
  }

  @Test func run2() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["Rake": 7, #"a "quoted" word"#: 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked(#"a "quoted" word"#, count: 1)) { $0.stock[#"a "quoted" word"#] = 1 }
    await store.send(.rename(1, to: "\\(rows.count)"))
    await store.send(.leave) { $0.stock = [:] }
    await store.send(.count(0, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run5() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "Rake")) { $0.phase = .refused(reason: "Rake", after: .browsing) }
    await store.send(.grow(age: 1))
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .refused(reason: "Rake", after: .browsing))
    }
    await store.finish()
  }

  @Test func run6() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.browse, .move(Address(street: "Rake", city: "Rome"))])
    await store.send(.enter(Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 1))) {
      $0.visitor = Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.refuse(reason: "\"")) { $0.phase = .refused(reason: "\"", after: .browsing) }
    await store.finish()
  }

  @Test func run8() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.restock(["Rake": 7, #"C:\new\"#: 2]))
    await store.receive(.stocked(#"C:\new\"#, count: 2)) { $0.stock = [#"C:\new\"#: 2] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.enter(Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 2))) {
      $0.visitor = Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 2)
    }
    await store.finish()
  }

  @Test func run10() async {
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
    await store.send(
      batch: [
        .label(.reduced(percent: 20), price: 1.0),
        .add(Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil)),
      ]
    ) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
      $0.prices[.reduced(percent: 20)] = 1.0
      $0.labels = [.reduced(percent: 20)]
    }
    await store.receive(.counted(0.75))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.75, with: .cash) }
    await store.receive(
      .paid(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}", #"a "quoted" word"#]))
    ) {
      $0.phase = .done(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}", #"a "quoted" word"#]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(batch: [.refuse(reason: "👩\u{200D}👩 e\u{301}"), .rename(1, to: "\"")]) {
      $0.rows[1].title = "\""
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(batch: [.pay(.cash), .rename(1, to: #"C:\new\"#)]) {
      $0.rows[1].title = #"C:\new\"#
      $0.phase = .paying(0.75, with: .cash)
    }
    await store.receive(.paid(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "\"", #"a "quoted" word"#]))) {
      $0.phase = .done(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "\"", #"a "quoted" word"#]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run13() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["Rake": 7, "👩\u{200D}👩 e\u{301}": 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("👩\u{200D}👩 e\u{301}", count: 1)) { $0.stock["👩\u{200D}👩 e\u{301}"] = 1 }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run14() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.enter(Visitor(name: "\"", address: Address(street: "", city: ""), age: 1)), .browse]) {
      $0.visitor = Visitor(name: "\"", address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.type("ta")) {
      $0.search.text = "ta"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "ta")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run15() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 20), price: 1.0)) {
      $0.prices = [.reduced(percent: 20): 1.0]
      $0.labels = [.reduced(percent: 20)]
    }
    await store.send(.grow(age: 2))
    await store.send(batch: [.label(.reduced(percent: 10), price: 0.3333333333333333), .grow(age: 2)]) {
      $0.prices[.reduced(percent: 10)] = 0.3333333333333333
      $0.labels = [.reduced(percent: 10), .reduced(percent: 20)]
    }
    await store.send(.add(Row(id: 219819, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 219819, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run17() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: "", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "", address: Address(street: "", city: ""), age: nil)
    }
    await store.send(
      .move(
        Address(
          street: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          city: "Rome"
        )
      )
    ) {
      $0.visitor?.address.street = """
        a line
          and another one,

        and one that is too long for a line of its own, which is a line of at most 120 characters, it says
        """
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.finish()
  }

  @Test func run18() async {
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
    await store.send(.refuse(reason: "Rake")) { $0.phase = .refused(reason: "Rake", after: .browsing) }
    await store.send(batch: [.type("ta"), .add(Row(id: 537885, title: "", count: 1, note: nil))]) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 537885, title: "", count: 1, note: nil),
      ]
      $0.search.text = "ta"
      $0.search.isRunning = true
    }
    await store.receive(.counted(0.75))
    await store.receive(.found([], for: "ta")) { $0.search.isRunning = false }
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.receive(.stocked("tab\tand\nline", count: 2)) { $0.stock["tab\tand\nline"] = 2 }
    await store.send(.move(Address(street: "", city: "Rome"))) { $0.visitor?.address.city = "Rome" }
    await store.finish()
  }

  @Test func run19() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(3, to: "👩\u{200D}👩 e\u{301}"))
    await store.send(.pay(.card("tab\tand\nl"))) { $0.phase = .paying(0.0, with: .card("tab\tand\nl")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }
}
