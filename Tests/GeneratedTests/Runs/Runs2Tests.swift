import Arbor
import ArborTesting
import Testing

struct Runs2Tests {
  @Test func run20() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: #"a "quoted" word"#, city: "Rome")))
    await store.send(.add(Row(id: 800297, title: "Rake", count: 1, note: nil))) {
      $0.rows = [Row(id: 800297, title: "Rake", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.label(.new, price: nil)) { $0.labels = [.new] }
    await store.finish()
  }

  @Test func run21() async {
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
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome"))) {
      $0.visitor?.address.street = "\u{2028}\u{202E}\0\u{1B}"
      $0.visitor?.address.city = "Rome"
    }
    await store.send(.move(Address(street: "tab\tand\nline", city: "Rome"))) {
      $0.visitor?.address.street = "tab\tand\nline"
    }
    await store.send(.label(.reduced(percent: 10), price: 0.6666666666666666)) {
      $0.prices[.reduced(percent: 10)] = 0.6666666666666666
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(.add(Row(id: 4_932_432, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 0, title: "\\(rows.count)", count: 1, note: ""),
        Row(id: 1, title: "👩\u{200D}👩 e\u{301}", count: 1, note: ""),
        Row(id: 4_932_432, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.75))
    await store.send(.label(.reduced(percent: 10), price: 1.0)) {
      $0.prices[.reduced(percent: 10)] = 1.0
      $0.labels = []
    }
    await store.finish()
  }

  @Test func run22() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found([], for: "")) { $0.search.isRunning = false }
    await store.send(.note("👩\u{200D}👩 e\u{301}"))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.send(.leave)
    await store.finish()
  }

  @Test func run23() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 10), price: 1.0)) {
      $0.prices = [.reduced(percent: 10): 1.0]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(.count(0, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(
      .rename(
        3,
        to: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    )
    await store.finish()
  }

  @Test func run24() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found([], for: "")) { $0.search.isRunning = false }
    await store.send(.label(.reduced(percent: 10), price: 1.0)) {
      $0.prices = [.reduced(percent: 10): 1.0]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(.grow(age: 3))
    await store.send(.label(.reduced(percent: 10), price: 0.6666666666666666)) {
      $0.prices[.reduced(percent: 10)] = 0.6666666666666666
      $0.labels = []
    }
    await store.finish()
  }

  @Test func run25() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.label(.none, price: 0.3333333333333333)) {
      $0.prices = [.none: 0.3333333333333333]
      $0.labels = [.none]
    }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run26() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: #"a "quoted" word"#)) {
      $0.phase = .refused(reason: #"a "quoted" word"#, after: .browsing)
    }
    await store.send(.move(Address(street: "Rake", city: "Rome")))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.add(Row(id: 8_130_567, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 8_130_567, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run27() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(2, to: ""))
    await store.send(.grow(age: 2))
    await store.send(.label(.new, price: 0.6666666666666666)) {
      $0.prices = [.new: 0.6666666666666666]
      $0.labels = [.new]
    }
    await store.send(.note(nil))
    await store.send(.rename(0, to: #"C:\new\"#))
    await store.finish()
  }

  @Test func run28() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.refuse(reason: #"C:\new\"#)) { $0.phase = .refused(reason: #"C:\new\"#, after: .browsing) }
    await store.send(.add(Row(id: 5_981_370, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 5_981_370, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.grow(age: nil))
    await store.finish()
  }

  @Test func run29() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.add(Row(id: 9_144_383, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_144_383, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.label(.reduced(percent: 20), price: 1.0)) {
      $0.prices = [.reduced(percent: 20): 1.0]
      $0.labels = [.reduced(percent: 20)]
    }
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.send(.add(Row(id: 5_334_809, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 9_144_383, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
        Row(id: 5_334_809, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }
}
