import Arbor
import ArborTesting
import Testing

struct Runs6Tests {
  @Test func run60() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.send(.pay(.card("👩\u{200D}👩 e\u{301}"))) { $0.phase = .paying(0.0, with: .card("👩\u{200D}👩 e\u{301}")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.browse)
    await store.finish()
  }

  @Test func run61() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 4_443_569, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 4_443_569, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.count(0, by: 1)) { $0.rows[0].count = 2 }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.add(Row(id: 4_299_896, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 4_443_569, title: "Rake", count: 2, note: nil),
        Row(id: 4_299_896, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.finish()
  }

  @Test func run62() async {
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
      .add(
        Row(
          id: 7_135_733,
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
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(
          id: 7_135_733,
          title: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          count: 1,
          note: nil
        ),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.grow(age: 3)) { $0.visitor?.age = 3 }
    await store.send(.type("C:")) {
      $0.search.text = "C:"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "C:")) { $0.search.isRunning = false }
    await store.send(.count(1, by: 1)) { $0.rows[1].count = 2 }
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome"))) {
      $0.visitor?.address.street = "\u{2028}\u{202E}\0\u{1B}"
      $0.visitor?.address.city = "Rome"
    }
    await store.finish()
  }

  @Test func run63() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 4_008_339, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 4_008_339, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 1_931_573, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 4_008_339, title: "tab\tand\nline", count: 1, note: nil),
        Row(id: 1_931_573, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.grow(age: 1))
    await store.finish()
  }

  @Test func run64() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card("a \"quoted"))) { $0.phase = .paying(0.0, with: .card("a \"quoted")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.rename(0, to: "\\(rows.count)"))
    await store.send(.move(Address(street: #"C:\new\"#, city: "Rome")))
    await store.finish()
  }

  @Test func run65() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(3, to: #"C:\new\"#))
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.send(.leave) { $0.search.text = "" }
    await store.send(.leave)
    await store.finish()
  }

  @Test func run66() async {
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
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 3]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.receive(.stocked("tab\tand\nline", count: 3)) { $0.stock["tab\tand\nline"] = 3 }
    await store.send(.grow(age: nil)) { $0.visitor?.age = nil }
    await store.send(.drop) { $0.rows = [Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: "")] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 6_822_986, title: "", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 6_822_986, title: "", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run67() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 3))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.rename(3, to: #"a "quoted" word"#))
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
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
    await store.send(.add(Row(id: 6_972_901, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 6_972_901, title: #"C:\new\"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.rename(1, to: "")) { $0.rows[1].title = "" }
    await store.send(.pay(.card("\\(rows.co"))) { $0.phase = .paying(0.75, with: .card("\\(rows.co")) }
    await store.receive(.paid(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "", #"C:\new\"#]))) {
      $0.phase = .done(Phase.Receipt(number: 3, lines: ["\\(rows.count)", "", #"C:\new\"#]))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.75))
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found(["\\(rows.count)"], for: "\\(")) {
      $0.search.isRunning = false
      $0.search.results = ["\\(rows.count)"]
    }
    await store.finish()
  }

  @Test func run69() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 20), price: 1.0)) {
      $0.prices = [.reduced(percent: 20): 1.0]
      $0.labels = [.reduced(percent: 20)]
    }
    await store.send(
      .note(
        """
        a line
          and another one,

        and one that is too long for a line of its own, which is a line of at most 120 characters, it says
        """
      )
    )
    await store.send(.label(.reduced(percent: 10), price: 0.3333333333333333)) {
      $0.prices[.reduced(percent: 10)] = 0.3333333333333333
      $0.labels = [.reduced(percent: 10), .reduced(percent: 20)]
    }
    await store.finish()
  }
}
