import Arbor
import ArborTesting
import Testing

struct Runs1Tests {
  @Test func run30() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(batch: [.note(#"a "quoted" word"#), .note(.some(nil))])
    await store.send(.refuse(reason: "\"")) { $0.phase = .refused(reason: "\"", after: .browsing) }
    await store.send(.note(.some(nil)))
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

  @Test func run52() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.send(batch: [.note(.some(nil)), .add(Row(id: 7_119_958, title: "", count: 1, note: nil))]) {
      $0.rows = [Row(id: 7_119_958, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run54() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 1)) { $0.stock["\\(rows.count)"] = 1 }
    await store.send(.restock(["Rake": 0]))
    await store.receive(.stocked("Rake", count: 0)) { $0.stock["Rake"] = nil }
    await store.finish()
  }

  @Test func run56() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(batch: [.refuse(reason: ""), .add(Row(id: 2_922_020, title: "", count: 1, note: nil))]) {
      $0.rows = [Row(id: 2_922_020, title: "", count: 1, note: nil)]
      $0.phase = .refused(reason: "", after: .browsing)
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.browse) { $0.phase = .browsing }
    await store.send(.grow(age: 1))
    await store.finish()
  }

  @Test func run65() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.send(
      .add(
        Row(
          id: 1_996_055,
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
          id: 1_996_055,
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
    await store.send(.pay(.card("a \"quoted"))) { $0.phase = .paying(0.25, with: .card("a \"quoted")) }
    await store.receive(
      .paid(
        Phase.Receipt(
          number: 1,
          lines: [
            """
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

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
            "\"\" and \\(no), with blanks \u{20}
            \tand tabs \r
            and \0 and more than one line, however long a line may be  \u{20}
            \u{20}

            """
          ]
        )
      )
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }
}
