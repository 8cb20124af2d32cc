import Arbor
import ArborTesting
import Testing

struct Runs3Tests {
  @Test func run30() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(batch: [.note(#"a "quoted" word"#), .note(.some(nil))])
    await store.send(.refuse(reason: "\"")) { $0.phase = .refused(reason: "\"", after: .browsing) }
    await store.send(.note(.some(nil)))
    await store.finish()
  }

  @Test func run31() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 6_141_829, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 6_141_829, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.send(.add(Row(id: 9_350_477, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_350_477, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.finish()
  }

  @Test func run32() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.note(.some(nil)))
    await store.send(batch: [.pay(.cash), .rename(1, to: "\u{2028}\u{202E}\0\u{1B}")]) {
      $0.phase = .paying(0.0, with: .cash)
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
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

  @Test func run36() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(.grow(age: 3))
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.finish()
  }

  @Test func run37() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.label(.none, price: 0.3333333333333333)) {
      $0.prices = [.none: 0.3333333333333333]
      $0.labels = [.none]
    }
    await store.send(.add(Row(id: 8_678_670, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 8_678_670, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(
      .add(
        Row(
          id: 9_028_871,
          title: """
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

            """,
          count: 1,
          note: nil
        )
      )
    ) {
      $0.rows = [
        Row(id: 8_678_670, title: #"C:\new\"#, count: 1, note: nil),
        Row(
          id: 9_028_871,
          title: """
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

            """,
          count: 1,
          note: nil
        ),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
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
