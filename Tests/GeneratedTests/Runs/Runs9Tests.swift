import Arbor
import ArborTesting
import Testing

struct Runs9Tests {
  @Test func run90() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 8_071_910, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_071_910, title: "\\(rows.count)", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 2)) { $0.stock["\\(rows.count)"] = 2 }
    await store.send(.restock(["Rake": 7, #"a "quoted" word"#: 1]))
    await store.receive(.stocked("Rake", count: 7))
    await store.receive(.stocked(#"a "quoted" word"#, count: 1)) { $0.stock[#"a "quoted" word"#] = 1 }
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
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.finish()
  }

  @Test func run91() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 10), price: 0.3333333333333333)) {
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(.browse)
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.finish()
  }

  @Test func run92() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.rename(0, to: #"a "quoted" word"#))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.note(.some(nil)))
    await store.finish()
  }

  @Test func run93() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(.add(Row(id: 4_016_536, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 4_016_536, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.note(.some(nil))) { $0.rows[0].note = .some(nil) }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.25, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 1, lines: ["\""]))) {
      $0.phase = .done(Phase.Receipt(number: 1, lines: ["\""]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run94() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .add(
        Row(
          id: 1_595_680,
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
          id: 1_595_680,
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
    await store.send(.enter(Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: 1))) {
      $0.visitor = Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.25, with: .cash) }
    await store.receive(
      .paid(
        Phase.Receipt(
          number: 1,
          lines: [
            """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """
          ]
        )
      )
    ) {
      $0.phase = .done(
        Phase.Receipt(
          number: 1,
          lines: [
            """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """
          ]
        )
      )
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run95() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("\""))
    await store.send(
      .restock(
        [
          "Rake": 7,
          "a line\n  and another one,\n\nand one that is too long for a line of its own, which is a line of at most 120 characters, it says":
            3,
        ]
      )
    )
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(
      .stocked(
        """
        a line
          and another one,

        and one that is too long for a line of its own, which is a line of at most 120 characters, it says
        """,
        count: 3
      )
    ) {
      $0.stock = [
        "Rake": 7,
        "a line\n  and another one,\n\nand one that is too long for a line of its own, which is a line of at most 120 characters, it says":
          3,
      ]
    }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.grow(age: nil))
    await store.finish()
  }

  @Test func run96() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.restock(["": 3, "Rake": 7]))
    await store.receive(.stocked("", count: 3)) { $0.stock = ["": 3] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.grow(age: 2))
    await store.send(.pay(.card("Rake"))) { $0.phase = .paying(0.0, with: .card("Rake")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(
      .add(
        Row(
          id: 2_991_130,
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
          id: 2_991_130,
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

  @Test func run97() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 3))
    await store.send(.rename(3, to: "\u{2028}\u{202E}\0\u{1B}"))
    await store.send(.add(Row(id: 1_434_511, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 1_434_511, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.finish()
  }

  @Test func run98() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.send(.move(Address(street: "", city: "Rome")))
    await store.send(.rename(3, to: "\""))
    await store.finish()
  }

  @Test func run99() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: nil))
    await store.send(.restock(["Rake": 7, #"a "quoted" word"#: 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked(#"a "quoted" word"#, count: 2)) { $0.stock[#"a "quoted" word"#] = 2 }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }
}
