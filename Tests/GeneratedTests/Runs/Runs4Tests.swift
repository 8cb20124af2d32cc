import Arbor
import ArborTesting
import Testing

struct Runs4Tests {
  @Test func run82() async {
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
    await store.send(.restock(["Rake": 7, "👩\u{200D}👩 e\u{301}": 0]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.receive(.stocked("👩\u{200D}👩 e\u{301}", count: 0))
    await store.send(.add(Row(id: 3_623_931, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 3_623_931, title: #"C:\new\"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.send(.refuse(reason: "")) {
      $0.phase = .refused(reason: "", after: .refused(reason: "tab\tand\nline", after: .browsing))
    }
    await store.finish()
  }

  @Test func run83() async {
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
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome"))) {
      $0.visitor?.address.street = "\\(rows.count)"
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.note(nil)) {
      $0.rows[0].note = nil
      $0.rows[1].note = nil
    }
    await store.send(.note(#"a "quoted" word"#)) {
      $0.rows[0].note = #"a "quoted" word"#
      $0.rows[1].note = #"a "quoted" word"#
    }
    await store.finish()
  }

  @Test func run84() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.add(Row(id: 3_282_368, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 3_282_368, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(
      batch: [
        .add(Row(id: 3_163_897, title: #"a "quoted" word"#, count: 1, note: nil)),
        .enter(Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: 1)),
      ]
    ) {
      $0.visitor = Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: 1)
      $0.rows = [
        Row(id: 3_282_368, title: "tab\tand\nline", count: 1, note: nil),
        Row(id: 3_163_897, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.browse)
    await store.finish()
  }

  @Test func run85() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card("\u{2028}\u{202E}\0\u{1B}"))) {
      $0.phase = .paying(0.0, with: .card("\u{2028}\u{202E}\0\u{1B}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(
      batch: [
        .enter(
          Visitor(
            name: """
              "\"\" and \\(no), with blanks \u{20}
              \tand tabs \r
              and \0 and more than one line, however long a line may be  \u{20}
              \u{20}

              """,
            address: Address(street: "", city: ""),
            age: nil
          )
        ),
        .drop,
      ]
    ) {
      $0.visitor = Visitor(
        name: """
          "\"\" and \\(no), with blanks \u{20}
          \tand tabs \r
          and \0 and more than one line, however long a line may be  \u{20}
          \u{20}

          """,
        address: Address(street: "", city: ""),
        age: nil
      )
    }
    await store.receive(.counted(0.0))
    await store.send(.note("\""))
    await store.finish()
  }

  @Test func run86() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 7_932_727, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_932_727, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run87() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 600925, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 600925, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 3))
    await store.send(.refuse(reason: "\\(rows.count)")) {
      $0.phase = .refused(reason: "\\(rows.count)", after: .browsing)
    }
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.finish()
  }

  @Test func run89() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 5_428_581, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [Row(id: 5_428_581, title: "\\(rows.count)", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.rename(0, to: "\"")) { $0.rows[0].title = "\"" }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.25))
    await store.send(.add(Row(id: 8_226_240, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 5_428_581, title: "\"", count: 1, note: nil),
        Row(id: 8_226_240, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run90() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.restock(["Rake": 7, #"a "quoted" word"#: 1]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked(#"a "quoted" word"#, count: 1)) { $0.stock[#"a "quoted" word"#] = 1 }
    await store.send(.grow(age: nil))
    await store.send(batch: [.browse, .add(Row(id: 3_123_149, title: "\"", count: 1, note: nil))]) {
      $0.rows = [Row(id: 3_123_149, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run91() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("👩\u{200D}👩 e\u{301}"))
    await store.send(.refuse(reason: "\"")) { $0.phase = .refused(reason: "\"", after: .browsing) }
    await store.finish()
  }

  @Test func run97() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "Rake")) { $0.phase = .refused(reason: "Rake", after: .browsing) }
    await store.send(.grow(age: 1))
    await store.send(.refuse(reason: "\"")) {
      $0.phase = .refused(reason: "\"", after: .refused(reason: "Rake", after: .browsing))
    }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run98() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(
      batch: [
        .enter(Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: nil)),
        .pay(.card("")),
      ]
    ) {
      $0.visitor = Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: nil)
      $0.phase = .paying(0.0, with: .card(""))
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 8_119_296, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_119_296, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(batch: [.type("\\("), .add(Row(id: 4_001_546, title: "Rake", count: 1, note: nil))]) {
      $0.rows = [
        Row(id: 8_119_296, title: "Rake", count: 1, note: nil),
        Row(id: 4_001_546, title: "Rake", count: 1, note: nil),
      ]
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.finish()
  }
}
