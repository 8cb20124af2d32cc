import Arbor
import ArborTesting
import Testing

struct Runs3Tests {
  @Test func run62() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .add(
        Row(
          id: 8_570_661,
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
        Row(
          id: 8_570_661,
          title: """
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

            """,
          count: 1,
          note: nil
        )
      ]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(
      batch: [
        .add(Row(id: 4_325_007, title: "Rake", count: 1, note: nil)),
        .move(Address(street: "tab\tand\nline", city: "Rome")),
      ]
    ) {
      $0.rows = [
        Row(
          id: 8_570_661,
          title: """
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

            """,
          count: 1,
          note: nil
        ),
        Row(id: 4_325_007, title: "Rake", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.restock(["Rake": 7, "\"": 3]))
    await store.receive(.stocked("\"", count: 3)) { $0.stock = ["\"": 3] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.browse)
    await store.finish()
  }

  @Test func run66() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor = Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: 3)
    }
    await store.send(
      batch: [
        .move(
          Address(
            street: """
              "\"\" and \\(no), with blanks \u{20}
              \tand tabs \r
              and \0 and more than one line, however long a line may be  \u{20}
              \u{20}

              """,
            city: "Rome"
          )
        ),
        .grow(age: 2),
      ]
    ) {
      $0.visitor?.address.street = """
        "\"\" and \\(no), with blanks \u{20}
        \tand tabs \r
        and \0 and more than one line, however long a line may be  \u{20}
        \u{20}

        """
      $0.visitor?.address.city = "Rome"
      $0.visitor?.age = 2
    }
    await store.send(.add(Row(id: 6_782_610, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 6_782_610, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run67() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil)
    }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(batch: [.grow(age: 2), .label(.reduced(percent: 10), price: 0.3333333333333333)]) {
      $0.visitor?.age = 2
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.finish()
  }

  @Test func run68() async {
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
    await store.send(.move(Address(street: #"C:\new\"#, city: "Rome"))) {
      $0.visitor?.address.street = #"C:\new\"#
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.pay(.card("\u{2028}\u{202E}\0\u{1B}"))) {
      $0.phase = .paying(0.75, with: .card("\u{2028}\u{202E}\0\u{1B}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))) {
      $0.phase = .done(Phase.Receipt(number: 2, lines: ["\\(rows.count)", "👩\u{200D}👩 e\u{301}"]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.add(Row(id: 6_393_141, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 6_393_141, title: #"C:\new\"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.finish()
  }

  @Test func run69() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card("👩\u{200D}👩 e\u{301}"))) { $0.phase = .paying(0.0, with: .card("👩\u{200D}👩 e\u{301}")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 7_686_368, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_686_368, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run70() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 10), price: 0.3333333333333333)) {
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(batch: [.drop, .add(Row(id: 2_132_033, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))]) {
      $0.rows = [Row(id: 2_132_033, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.0))
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run78() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.refuse(reason: #"C:\new\"#), .leave])
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run79() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.restock(["Rake": 7, "\u{2028}\u{202E}\0\u{1B}": 0]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\u{2028}\u{202E}\0\u{1B}", count: 0))
    await store.send(batch: [.pay(.cash), .add(Row(id: 7_460_424, title: "\"", count: 1, note: nil))]) {
      $0.rows = [Row(id: 7_460_424, title: "\"", count: 1, note: nil)]
      $0.phase = .paying(0.0, with: .cash)
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.refuse(reason: #"C:\new\"#)) { $0.phase = .refused(reason: #"C:\new\"#, after: .browsing) }
    await store.finish()
  }

  @Test func run80() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "Rake", city: "Rome")))
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(batch: [.leave, .add(Row(id: 893535, title: "\"", count: 1, note: nil))]) {
      $0.rows = [Row(id: 893535, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 7_913_531, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 893535, title: "\"", count: 1, note: nil),
        Row(id: 7_913_531, title: #"C:\new\"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }
}
