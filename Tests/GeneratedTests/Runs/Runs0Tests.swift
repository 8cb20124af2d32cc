import Arbor
import ArborTesting
import Testing

struct Runs0Tests {
  @Test func run0() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "", city: "Rome")))
    await store.send(.label(.none, price: nil)) { $0.labels = [.none] }
    await store.send(.label(.reduced(percent: 10), price: 0.3333333333333333)) {
      $0.prices = [.reduced(percent: 10): 0.3333333333333333]
      $0.labels = [.none, .reduced(percent: 10)]
    }
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run1() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .rename(
        1,
        to: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    )
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.add(Row(id: 6_054_203, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 6_054_203, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 1_670_349, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 6_054_203, title: #"a "quoted" word"#, count: 1, note: nil),
        Row(id: 1_670_349, title: "tab\tand\nline", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.drop) { $0.rows = [Row(id: 1_670_349, title: "tab\tand\nline", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run2() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 3_466_222, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 3_466_222, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 7_276_158, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 3_466_222, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
        Row(id: 7_276_158, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.count(1, by: 1)) { $0.rows[1].count = 2 }
    await store.receive(.counted(0.75)) { $0.total = 0.75 }
    await store.send(.browse)
    await store.send(.add(Row(id: 2_101_887, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [
        Row(id: 3_466_222, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
        Row(id: 7_276_158, title: "👩\u{200D}👩 e\u{301}", count: 2, note: nil),
        Row(id: 2_101_887, title: #"a "quoted" word"#, count: 1, note: nil),
      ]
    }
    await store.receive(.counted(1.0)) { $0.total = 1.0 }
    await store.finish()
  }

  @Test func run3() async {
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
    await store.send(.leave) {
      $0.visitor = nil
      $0.rows = []
      $0.stock = [:]
      $0.prices = [:]
      $0.total = 0.0
    }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 3]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 3)) { $0.stock["tab\tand\nline"] = 3 }
    await store.send(.add(Row(id: 7_173_840, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil))) {
      $0.rows = [Row(id: 7_173_840, title: "👩\u{200D}👩 e\u{301}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.move(Address(street: "👩\u{200D}👩 e\u{301}", city: "Rome")))
    await store.finish()
  }

  @Test func run4() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 5_867_182, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 5_867_182, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.grow(age: 1))
    await store.send(.restock(["Rake": 7, "\u{2028}\u{202E}\0\u{1B}": 3]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("\u{2028}\u{202E}\0\u{1B}", count: 3)) { $0.stock["\u{2028}\u{202E}\0\u{1B}"] = 3 }
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(.grow(age: 2))
    await store.finish()
  }

  @Test func run5() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.leave)
    await store.send(.count(3, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.rename(2, to: "tab\tand\nline"))
    await store.send(.rename(3, to: "Rake"))
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.finish()
  }

  @Test func run6() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(0, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.leave)
    await store.send(.move(Address(street: "Rake", city: "Rome")))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run7() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(
      .rename(
        2,
        to: """
          a line
            and another one,

          and one that is too long for a line of its own, which is a line of at most 120 characters, it says
          """
      )
    )
    await store.send(.add(Row(id: 1_342_582, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 1_342_582, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.finish()
  }

  @Test func run8() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.send(.add(Row(id: 801152, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 801152, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 2)) { $0.stock["tab\tand\nline"] = 2 }
    await store.send(.drop) { $0.rows = [] }
    await store.receive(.counted(0.0)) { $0.total = 0.0 }
    await store.finish()
  }

  @Test func run9() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 1_146_080, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 1_146_080, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.browse)
    await store.send(.browse)
    await store.send(.label(.reduced(percent: 20), price: nil)) { $0.labels = [.reduced(percent: 20)] }
    await store.send(.note("\u{2028}\u{202E}\0\u{1B}")) { $0.rows[0].note = "\u{2028}\u{202E}\0\u{1B}" }
    await store.finish()
  }
}
