import Arbor
import ArborTesting
import Testing

struct Runs7Tests {
  @Test func run70() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: 0.6666666666666666)) {
      $0.prices = [.new: 0.6666666666666666]
      $0.labels = [.new]
    }
    await store.send(.grow(age: 2))
    await store.send(.count(0, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run71() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 441378, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [Row(id: 441378, title: "\\(rows.count)", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found(["\\(rows.count)"], for: "")) {
      $0.search.isRunning = false
      $0.search.results = ["\\(rows.count)"]
    }
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found(["\\(rows.count)"], for: "")) { $0.search.isRunning = false }
    await store.send(.add(Row(id: 1_019_167, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 441378, title: "\\(rows.count)", count: 1, note: nil),
        Row(id: 1_019_167, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run72() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 7_127_151, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_127_151, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 2)) { $0.stock["tab\tand\nline"] = 2 }
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(.note("tab\tand\nline")) { $0.rows[0].note = "tab\tand\nline" }
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.finish()
  }

  @Test func run73() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(2, to: #"C:\new\"#))
    await store.send(.pay(.card(""))) { $0.phase = .paying(0.0, with: .card("")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.browse)
    await store.send(.add(Row(id: 2_271_821, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 2_271_821, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run74() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 3_514_707, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 3_514_707, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.add(Row(id: 6_602_420, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 3_514_707, title: "tab\tand\nline", count: 1, note: nil),
        Row(id: 6_602_420, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run75() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 1))
    await store.send(.enter(Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 2))) {
      $0.visitor = Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 2)
    }
    await store.send(.rename(2, to: #"a "quoted" word"#))
    await store.finish()
  }

  @Test func run76() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 9_505_415, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_505_415, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 3))
    await store.send(.rename(1, to: "Rake"))
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.send(.restock(["Rake": 7, "\"": 2]))
    await store.receive(.stocked("\"", count: 2)) { $0.stock = ["\"": 2] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.finish()
  }

  @Test func run77() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.send(
      .add(
        Row(
          id: 6_548_443,
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
          id: 6_548_443,
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
    await store.send(.label(.reduced(percent: 10), price: 0.3333333333333333)) {
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.new, .reduced(percent: 10)]
    }
    await store.send(.add(Row(id: 1_899_778, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [
        Row(
          id: 6_548_443,
          title: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          count: 1,
          note: nil
        ),
        Row(id: 1_899_778, title: #"C:\new\"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run78() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 9_361_450, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_361_450, title: "", count: 1, note: nil)]
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
    await store.send(.add(Row(id: 3_751_134, title: "", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 9_361_450, title: "", count: 1, note: nil),
        Row(id: 3_751_134, title: "", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.drop) { $0.rows = [Row(id: 3_751_134, title: "", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run79() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card(#"C:\new\"#))) { $0.phase = .paying(0.0, with: .card(#"C:\new\"#)) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.rename(0, to: "\""))
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 0]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 0))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }
}
