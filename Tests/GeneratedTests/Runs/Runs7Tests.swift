import Arbor
import ArborTesting
import Testing

struct Runs7Tests {
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

  @Test func run71() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.move(Address(street: #"C:\new\"#, city: "Rome")))
    await store.send(.type("")) { $0.search.isRunning = true }
    await store.receive(.found([], for: "")) { $0.search.isRunning = false }
    await store.send(.grow(age: nil))
    await store.finish()
  }

  @Test func run72() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 6_767_205, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 6_767_205, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.rename(3, to: "\\(rows.count)"))
    await store.send(.add(Row(id: 9_999_088, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [
        Row(id: 6_767_205, title: #"a "quoted" word"#, count: 1, note: nil),
        Row(id: 9_999_088, title: "\\(rows.count)", count: 1, note: nil),
      ]
    }
    await store.receive(.counted(0.5)) { $0.total = 0.5 }
    await store.send(.drop) { $0.rows = [Row(id: 9_999_088, title: "\\(rows.count)", count: 1, note: nil)] }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run73() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 20), price: nil)) { $0.labels = [.reduced(percent: 20)] }
    await store.send(.refuse(reason: #"a "quoted" word"#)) {
      $0.phase = .refused(reason: #"a "quoted" word"#, after: .browsing)
    }
    await store.send(.enter(Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: "Rake", address: Address(street: "", city: ""), age: nil)
    }
    await store.finish()
  }

  @Test func run74() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(.add(Row(id: 6_602_420, title: "\\(rows.count)", count: 1, note: nil))) {
      $0.rows = [Row(id: 6_602_420, title: "\\(rows.count)", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run75() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(nil))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run76() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.rename(3, to: #"a "quoted" word"#))
    await store.send(.rename(1, to: "Rake"))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.browse)
    await store.finish()
  }

  @Test func run77() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.add(Row(id: 8_046_261, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil))) {
      $0.rows = [Row(id: 8_046_261, title: "\u{2028}\u{202E}\0\u{1B}", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.browse)
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
}
