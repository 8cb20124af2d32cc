import Arbor
import ArborTesting
import Testing

struct Runs4Tests {
  @Test func run40() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(.some(nil)))
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 2)) { $0.stock["tab\tand\nline"] = 2 }
    await store.send(.add(Row(id: 181012, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 181012, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.browse)
    await store.send(.type("ta")) {
      $0.search.text = "ta"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "ta")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run41() async {
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
    await store.send(.refuse(reason: "Rake")) { $0.phase = .refused(reason: "Rake", after: .browsing) }
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome"))) {
      $0.visitor?.address.street = "\\(rows.count)"
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.leave) {
      $0.visitor = nil
      $0.rows = []
      $0.stock = [:]
      $0.prices = [:]
      $0.phase = .browsing
      $0.total = 0.0
    }
    await store.send(.add(Row(id: 7_205_829, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_205_829, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run42() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1))) {
      $0.visitor = Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.send(.rename(0, to: "\\(rows.count)"))
    await store.finish()
  }

  @Test func run43() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: 3))) {
      $0.visitor = Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: 3)
    }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.restock(["Rake": 7, "\\(rows.count)": 0]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\\(rows.count)", count: 0))
    await store.send(.restock(["Rake": 3]))
    await store.receive(.stocked("Rake", count: 3)) { $0.stock["Rake"] = 3 }
    await store.finish()
  }

  @Test func run44() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 4_305_264, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 4_305_264, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 9_968_689, title: "\"", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 4_305_264, title: #"C:\new\"#, count: 1, note: nil),
        Row(id: 9_968_689, title: "\"", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.count(1, by: 1)) { $0.rows[1].count = 2 }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.send(.grow(age: nil))
    await store.finish()
  }

  @Test func run45() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .enter(Visitor(name: "\u{2028}\u{202E}\0\u{1B}", address: Address(street: "", city: ""), age: 3))
    ) { $0.visitor = Visitor(name: "\u{2028}\u{202E}\0\u{1B}", address: Address(street: "", city: ""), age: 3) }
    await store.send(.add(Row(id: 230201, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 230201, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 1)) { $0.visitor?.age = 1 }
    await store.send(.leave) {
      $0.visitor = nil
      $0.rows = []
      $0.total = 0.0
    }
    await store.send(.browse)
    await store.finish()
  }

  @Test func run46() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "👩\u{200D}👩 e\u{301}", city: "Rome")))
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run47() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 177246, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 177246, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.note(.some(nil))) { $0.rows[0].note = .some(nil) }
    await store.send(.label(.none, price: 1.0)) {
      $0.prices = [.none: 1.0]
      $0.labels = [.none]
    }
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
    await store.send(.browse)
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.add(Row(id: 4_437_310, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 4_437_310, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.send(.rename(3, to: #"a "quoted" word"#))
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
    await store.send(.add(Row(id: 9_065_036, title: "\"", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 9_065_036, title: "\"", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(
      .add(
        Row(
          id: 2_926_158,
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
        Row(id: 9_065_036, title: "\"", count: 1, note: nil),
        Row(
          id: 2_926_158,
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
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.send(.add(Row(id: 6_568_682, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 9_065_036, title: "\"", count: 1, note: nil),
        Row(
          id: 2_926_158,
          title: """
            a line
              and another one,

            and one that is too long for a line of its own, which is a line of at most 120 characters, it says
            """,
          count: 1,
          note: nil
        ),
        Row(id: 6_568_682, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(1.25)) { $0.total = 1.25 }
    await store.send(
      .restock(
        [
          "Rake": 7,
          "a line\n  and another one,\n\nand one that is too long for a line of its own, which is a line of at most 120 characters, it says":
            3,
        ]
      )
    )
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
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
    await store.finish()
  }
}
