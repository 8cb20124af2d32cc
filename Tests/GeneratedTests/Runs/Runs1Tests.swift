import Arbor
import ArborTesting
import Testing

struct Runs1Tests {
  @Test func run21() async {
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
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found(["\\(rows.count)", "👩\u{200D}👩 e\u{301}"], for: "")) {
      $0.search.isRunning = false
      $0.search.results = ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]
    }
    await store.send(batch: [.count(3, by: 1), .rename(1, to: "\u{2028}\u{202E}\0\u{1B}")]) {
      $0.rows[1].title = "\u{2028}\u{202E}\0\u{1B}"
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.add(Row(id: 4_081_887, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: ""),
        Row(id: 4_081_887, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.send(.note("tab\tand\nline")) {
      $0.rows[0].note = "tab\tand\nline"
      $0.rows[1].note = "tab\tand\nline"
      $0.rows[2].note = "tab\tand\nline"
    }
    await store.finish()
  }

  @Test func run22() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.add(Row(id: 6_078_071, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)), .drop])
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.send(.move(Address(street: "", city: "Rome")))
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run23() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.pay(.card("\\(rows.co")), .count(1, by: 1)]) {
      $0.phase = .paying(0.0, with: .card("\\(rows.co"))
    }
    await store.receive(.counted(0.0))
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run24() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.type("👩\u{200D}👩 "), .pay(.card("tab\tand\nl"))]) {
      $0.phase = .paying(0.0, with: .card("tab\tand\nl"))
      $0.search.text = "👩\u{200D}👩 "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "👩\u{200D}👩 ")) { $0.search.isRunning = false }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.note(nil))
    await store.send(
      batch: [
        .add(Row(id: 2_052_711, title: "tab\tand\nline", count: 1, note: nil)),
        .add(Row(id: 5_151_166, title: "\"", count: 1, note: nil)),
      ]
    ) {
      $0.rows = [
        Row(id: 2_052_711, title: "tab\tand\nline", count: 1, note: nil),
        Row(id: 5_151_166, title: "\"", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run25() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(0, to: "Rake"))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run26() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(
      batch: [
        .add(Row(id: 8_021_640, title: #"C:\new\"#, count: 1, note: nil)),
        .restock(["Rake": 7, "👩\u{200D}👩 e\u{301}": 0]),
      ]
    ) { $0.rows = [Row(id: 8_021_640, title: #"C:\new\"#, count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("👩\u{200D}👩 e\u{301}", count: 0))
    await store.send(batch: [.count(0, by: 1), .label(.reduced(percent: 10), price: 0.3333333333333333)]) {
      $0.rows[0].count = 2
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run28() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 9_614_999, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_614_999, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.type("C:")) {
      $0.search.text = "C:"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "C:")) { $0.search.isRunning = false }
    await store.send(.grow(age: nil))
    await store.send(.label(.reduced(percent: 20), price: nil)) { $0.labels = [.reduced(percent: 20)] }
    await store.finish()
  }

  @Test func run29() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: 0.6666666666666666)) {
      $0.prices = [.new: 0.6666666666666666]
      $0.labels = [.new]
    }
    await store.send(.label(.reduced(percent: 10), price: 1.0)) {
      $0.prices[.reduced(percent: 10)] = 1.0
      $0.labels = [.new, .reduced(percent: 10)]
    }
    await store.send(
      batch: [.add(Row(id: 5_334_809, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)), .count(1, by: 1)]
    ) { $0.rows = [Row(id: 5_334_809, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.counted(0.25))
    await store.send(.note(.some(nil))) { $0.rows[0].note = .some(nil) }
    await store.finish()
  }

  @Test func run30() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(batch: [.note(#"a "quoted" word"#), .note(.some(nil))])
    await store.send(.refuse(reason: "\"")) { $0.phase = .refused(reason: "\"", after: .browsing) }
    await store.send(.note(.some(nil)))
    await store.finish()
  }

  @Test func run33() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 7_825_891, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_825_891, title: "\\(rows.count)", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.restock(["": 2, "Rake": 7]))
    await store.receive(.stocked("", count: 2)) { $0.stock = ["": 2] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.finish()
  }

  @Test func run34() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: "Rake", address: Address(street: "", city: ""), age: 2))) {
      $0.visitor = Visitor(name: "Rake", address: Address(street: "", city: ""), age: 2)
    }
    await store.send(.enter(Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor?.name = "tab\tand\nline"
      $0.visitor?.age = 3
    }
    await store.send(.add(Row(id: 9_810_287, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_810_287, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.note(.some(nil))) { $0.rows[0].note = .some(nil) }
    await store.finish()
  }

  @Test func run35() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(0, to: "\\(rows.count)"))
    await store.send(batch: [.pay(.cash), .pay(.card("\u{2028}\u{202E}\0\u{1B}"))]) {
      $0.phase = .paying(0.0, with: .card("\u{2028}\u{202E}\0\u{1B}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.finish()
  }

  @Test func run38() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.add(Row(id: 7_958_529, title: #"a "quoted" word"#, count: 1, note: nil)), .pay(.cash)]) {
      $0.rows = [Row(id: 7_958_529, title: #"a "quoted" word"#, count: 1, note: nil)]
      $0.phase = .paying(0.0, with: .cash)
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.paid(Phase.Receipt(number: 1, lines: [#"a "quoted" word"#]))) {
      $0.phase = .done(Phase.Receipt(number: 1, lines: [#"a "quoted" word"#]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.finish()
  }

  @Test func run39() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 1))
    await store.send(.enter(Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor = Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 3)
    }
    await store.send(batch: [.note(.some(nil)), .browse])
    await store.send(.add(Row(id: 751307, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 751307, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }
}
