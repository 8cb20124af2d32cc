import Arbor
import ArborTesting
import Testing

struct Runs5Tests {
  @Test func run50() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("\u{2028}\u{202E}")) {
      $0.search.text = "\u{2028}\u{202E}"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\u{2028}\u{202E}")) { $0.search.isRunning = false }
    await store.send(batch: [.refuse(reason: #"a "quoted" word"#), .grow(age: 3)]) {
      $0.phase = .refused(reason: #"a "quoted" word"#, after: .browsing)
    }
    await store.send(.enter(Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "tab\tand\nline", address: Address(street: "", city: ""), age: nil)
    }
    await store.finish()
  }

  @Test func run51() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 3))
    await store.send(.drop)
    await store.receive(.counted(0.0))
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

  @Test func run53() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.browse)
    await store.send(.rename(1, to: "tab\tand\nline"))
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

  @Test func run55() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("\u{2028}\u{202E}\0\u{1B}"))
    await store.send(.type("\"")) {
      $0.search.text = "\""
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\"")) { $0.search.isRunning = false }
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

  @Test func run57() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(1, by: 1))
    await store.receive(.counted(0.0))
    await store.send(
      batch: [
        .add(Row(id: 3_848_430, title: "tab\tand\nline", count: 1, note: nil)),
        .rename(2, to: #"a "quoted" word"#),
      ]
    ) { $0.rows = [Row(id: 3_848_430, title: "tab\tand\nline", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.add(Row(id: 2_526_570, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 3_848_430, title: "tab\tand\nline", count: 1, note: nil),
        Row(id: 2_526_570, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.finish()
  }

  @Test func run58() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(batch: [.grow(age: 1), .type("\\(")]) {
      $0.search.text = "\\("
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "\\(")) { $0.search.isRunning = false }
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.pay(.card("Rake"))) { $0.phase = .paying(0.0, with: .card("Rake")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run59() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: "\\(rows.count)", city: "Rome")))
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.send(.rename(3, to: #"a "quoted" word"#))
    await store.finish()
  }
}
