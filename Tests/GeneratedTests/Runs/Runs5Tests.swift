import Arbor
import ArborTesting
import Testing

struct Runs5Tests {
  @Test func run50() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note("👩\u{200D}👩 e\u{301}"))
    await store.send(.move(Address(street: "\"", city: "Rome")))
    await store.send(.refuse(reason: #"a "quoted" word"#)) {
      $0.phase = .refused(reason: #"a "quoted" word"#, after: .browsing)
    }
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .refused(reason: #"a "quoted" word"#, after: .browsing))
    }
    await store.finish()
  }

  @Test func run51() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.count(2, by: 1))
    await store.receive(.counted(0.0))
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.note(""))
    await store.finish()
  }

  @Test func run52() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.none, price: nil)) { $0.labels = [.none] }
    await store.send(.pay(.cash)) { $0.phase = .paying(0.0, with: .cash) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.note(.some(nil)))
    await store.finish()
  }

  @Test func run53() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.restock(["Rake": 7, #"C:\new\"#: 2]))
    await store.receive(.stocked(#"C:\new\"#, count: 2)) { $0.stock = [#"C:\new\"#: 2] }
    await store.receive(.stocked("Rake", count: 7)) { $0.stock["Rake"] = 7 }
    await store.send(.leave) { $0.stock = [:] }
    await store.send(.rename(1, to: "\""))
    await store.finish()
  }

  @Test func run54() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: 1.0)) {
      $0.prices = [.new: 1.0]
      $0.labels = [.new]
    }
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(.restock(["Rake": 0]))
    await store.receive(.stocked("Rake", count: 0))
    await store.finish()
  }

  @Test func run55() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.pay(.card("a \"quoted"))) { $0.phase = .paying(0.0, with: .card("a \"quoted")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.pay(.card("\""))) { $0.phase = .paying(0.0, with: .card("\"")) }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run56() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.note(.some(nil)))
    await store.send(.leave)
    await store.send(.refuse(reason: "")) { $0.phase = .refused(reason: "", after: .browsing) }
    await store.send(.enter(Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: nil))) {
      $0.visitor = Visitor(name: #"C:\new\"#, address: Address(street: "", city: ""), age: nil)
    }
    await store.send(.browse) { $0.phase = .browsing }
    await store.finish()
  }

  @Test func run57() async {
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
    await store.send(.move(Address(street: #"C:\new\"#, city: "Rome")))
    await store.send(.label(.new, price: 0.3333333333333333)) {
      $0.prices = [.new: 0.3333333333333333]
      $0.labels = [.new]
    }
    await store.send(.add(Row(id: 7_090_026, title: #"C:\new\"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 7_090_026, title: #"C:\new\"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }

  @Test func run58() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.new, price: 0.3333333333333333)) {
      $0.prices = [.new: 0.3333333333333333]
      $0.labels = [.new]
    }
    await store.send(.restock(["Rake": 1]))
    await store.receive(.stocked("Rake", count: 1)) { $0.stock = ["Rake": 1] }
    await store.send(.type("a ")) {
      $0.search.text = "a "
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "a ")) { $0.search.isRunning = false }
    await store.send(.count(0, by: 1))
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run59() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.label(.reduced(percent: 10), price: 0.6666666666666666)) {
      $0.prices = [.reduced(percent: 10): 0.6666666666666666]
      $0.labels = [.reduced(percent: 10)]
    }
    await store.send(.rename(2, to: ""))
    await store.send(.type("Ra")) {
      $0.search.text = "Ra"
      $0.search.isRunning = true
    }
    await store.receive(.found([], for: "Ra")) { $0.search.isRunning = false }
    await store.send(.add(Row(id: 9_823_739, title: "tab\tand\nline", count: 1, note: nil))) {
      $0.rows = [Row(id: 9_823_739, title: "tab\tand\nline", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.finish()
  }
}
