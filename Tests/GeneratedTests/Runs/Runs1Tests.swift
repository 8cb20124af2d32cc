import Arbor
import ArborTesting
import Testing

struct Runs1Tests {
  @Test func run10() async {
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
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.send(.label(.reduced(percent: 20), price: 1.0)) {
      $0.prices[.reduced(percent: 20)] = 1.0
      $0.labels = [.reduced(percent: 20)]
    }
    await store.send(.add(Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.add(Row(id: 2_229_204, title: "\"", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil),
        Row(id: 2_229_204, title: "\"", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.send(
      .add(
        Row(
          id: 7_850_828,
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
        Row(id: 15408, title: #"a "quoted" word"#, count: 1, note: nil),
        Row(id: 2_229_204, title: "\"", count: 1, note: nil),
        Row(
          id: 7_850_828,
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
    await store.receive(.counted(1.25)) { $0.total = 1.25 }
    await store.finish()
  }

  @Test func run11() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 2))
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.send(
      .add(
        Row(
          id: 9_117_003,
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
          id: 9_117_003,
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

  @Test func run12() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.note(nil))
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run13() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("\\(")) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.send(.add(Row(id: 2_117_600, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 2_117_600, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.finish()
  }

  @Test func run14() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card(""))) { $0.phase = .paying(0.0, with: .card("")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.label(.reduced(percent: 20), price: nil)) { $0.labels = [.reduced(percent: 20)] }
    await store.send(.label(.none, price: nil)) { $0.labels = [.none, .reduced(percent: 20)] }
    await store.finish()
  }

  @Test func run15() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: nil))
    await store.send(.label(.new, price: 1.0)) {
      $0.prices = [.new: 1.0]
      $0.labels = [.new]
    }
    await store.send(.note(nil))
    await store.send(.note(.some(nil)))
    await store.send(.browse)
    await store.finish()
  }

  @Test func run16() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.enter(Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1))) {
      $0.visitor = Visitor(name: #"a "quoted" word"#, address: Address(street: "", city: ""), age: 1)
    }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run17() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.enter(Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: nil)
    }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.add(Row(id: 799736, title: "", count: 1, note: nil))) {
      $0.rows = [Row(id: 799736, title: "", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.label(.none, price: 0.6666666666666666)) {
      $0.prices = [.none: 0.6666666666666666]
      $0.labels = [.none]
    }
    await store.finish()
  }

  @Test func run18() async {
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
    await store.send(.move(Address(street: "tab\tand\nline", city: "Rome"))) {
      $0.visitor?.address.street = "tab\tand\nline"
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.grow(age: 3)) { $0.visitor?.age = 3 }
    await store.send(.add(Row(id: 8_627_463, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 8_627_463, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
    await store.send(.leave) {
      $0.visitor = nil
      $0.rows = []
      $0.stock = [:]
      $0.prices = [:]
      $0.search.text = ""
      $0.total = 0.0
    }
    await store.finish()
  }

  @Test func run19() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 20), price: nil)) { $0.labels = [.reduced(percent: 20)] }
    await store.send(.browse)
    await store.send(.pay(.card("\u{2028}\u{202E}\0\u{1B}"))) {
      $0.phase = .paying(0.0, with: .card("\u{2028}\u{202E}\0\u{1B}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }
}
