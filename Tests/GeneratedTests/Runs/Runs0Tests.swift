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

  @Test func run3() async {
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
    await store.send(.grow(age: 2)) { $0.visitor?.age = 2 }
    await store.send(.restock(["Rake": 7, "👩\u{200D}👩 e\u{301}": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.receive(.stocked("👩\u{200D}👩 e\u{301}", count: 2)) { $0.stock["👩\u{200D}👩 e\u{301}"] = 2 }
    await store.send(.add(Row(id: 1_039_054, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 1_039_054, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.drop) {
      $0.rows = [
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 1_039_054, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run4() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card(#"C:\new\"#))) { $0.phase = .paying(0.0, with: .card(#"C:\new\"#)) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 3]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 3)) { $0.stock["tab\tand\nline"] = 3 }
    await store.send(.note(nil))
    await store.send(.note(nil))
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

  @Test func run7() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(0, to: "tab\tand\nline"))
    await store.send(.refuse(reason: #"C:\new\"#)) { $0.phase = .refused(reason: #"C:\new\"#, after: .browsing) }
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

  @Test func run9() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.browse)
    await store.send(.note(nil))
    await store.send(.rename(0, to: "\\(rows.count)"))
    await store.finish()
  }
}
