import Arbor
import ArborTesting
import Testing

struct Runs3Tests {
  @Test func run30() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 817215, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 817215, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 1))
    await store.send(.grow(age: 3))
    await store.send(.note(.some(nil))) { $0.rows[0].note = .some(nil) }
    await store.finish()
  }

  @Test func run31() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(.add(Row(id: 7_572_845, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 7_572_845, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.send(.browse)
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run32() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(#"a "quoted" word"#))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.note(.some(nil)))
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run33() async {
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
    await store.send(.drop) { $0.rows = [Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: "")] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.label(.reduced(percent: 20), price: 0.3333333333333333)) {
      $0.prices[.reduced(percent: 20)] = 0.3333333333333333
      $0.labels = [.reduced(percent: 20)]
    }
    await store.send(.count(0, by: 1)) { $0.rows[0].count = 2 }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run34() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.leave)
    await store.send(.pay(.card(""))) { $0.phase = .paying(0.0, with: .card("")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 4_956_635, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 4_956_635, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(
      .refuse(
        reason: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    ) {
      $0.phase = .refused(
        reason: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """,
        after: .browsing
      )
    }
    await store.finish()
  }

  @Test func run35() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.none, price: 0.3333333333333333)) {
      $0.prices = [.none: 0.3333333333333333]
      $0.labels = [.none]
    }
    await store.send(.type("ta")) {
      $0.search.text = "ta"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "ta")) { $0.search.isRunning = false }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run36() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(.some(nil)))
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
    await store.send(.grow(age: 3))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run37() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.leave)
    await store.send(.refuse(reason: "Rake")) { $0.phase = .refused(reason: "Rake", after: .browsing) }
    await store.send(.rename(1, to: ""))
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .refused(reason: "Rake", after: .browsing))
    }
    await store.send(
      .add(
        Row(
          id: 2_521_532,
          title: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          count: 1,
          note: nil
        )
      )
    ) {
      $0.rows = [
        Row(
          id: 2_521_532,
          title: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          count: 1,
          note: nil
        )
      ]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run38() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 9_265_033, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_265_033, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.rename(3, to: #"C:\new\"#))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.25, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 1, lines: [""]))) {
      $0.phase = .done(Phase.Receipt(number: 1, lines: [""]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run39() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: 0.6666666666666666)) {
      $0.prices = [.new: 0.6666666666666666]
      $0.labels = [.new]
    }
    await store.send(.browse)
    await store.send(.enter(Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor = Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 3)
    }
    await store.send(.restock(["": 3, "Rake": 7]))
    await store.receive(.stocked("", count: 3)) { $0.stock = ["": 3] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }
}
