import Arbor
import ArborTesting
import Testing

struct Runs9Tests {
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

  @Test func run92() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.grow(age: 1))
    await store.send(.move(Address(street: "\u{2028}\u{202E}\0\u{1B}", city: "Rome")))
    await store.send(.note(.some(nil)))
    await store.send(.rename(0, to: ""))
    await store.finish()
  }

  @Test func run93() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "👩\u{200D}👩 e\u{301}")) {
      $0.phase = .refused(reason: "👩\u{200D}👩 e\u{301}", after: .browsing)
    }
    await store.send(.note(.some(nil)))
    await store.send(
      batch: [
        .add(
          Row(
            id: 9_813_735,
            title: """
              a line
                and another one,

              and one that is too long for a line of its own, which is a line of at most 120 characters, it says
              """,
            count: 1,
            note: nil
          )
        ),
        .enter(Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 1)),
      ]
    ) {
      $0.visitor = Visitor(name: "👩\u{200D}👩 e\u{301}", address: Address(street: "", city: ""), age: 1)
      $0.rows = [
        Row(
          id: 9_813_735,
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

  @Test func run94() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.add(Row(id: 4_909_691, title: #"a "quoted" word"#, count: 1, note: nil))) {
      $0.rows = [Row(id: 4_909_691, title: #"a "quoted" word"#, count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(
      batch: [
        .rename(3, to: ""),
        .enter(Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: nil)),
      ]
    ) { $0.visitor = Visitor(name: "\\(rows.count)", address: Address(street: "", city: ""), age: nil) }
    await store.finish()
  }

  @Test func run95() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.pay(.card("\u{2028}\u{202E}\0\u{1B}"))) {
      $0.phase = .paying(0.0, with: .card("\u{2028}\u{202E}\0\u{1B}"))
    }
    await store.receive(.paid(Phase.Receipt(number: 0, lines: []))) {
      $0.phase = .done(Phase.Receipt(number: 0, lines: []))
    }
    await store.receive(.browse) { $0.phase = .browsing }
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.finish()
  }

  @Test func run96() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.refuse(reason: "tab\tand\nline")) {
      $0.phase = .refused(reason: "tab\tand\nline", after: .browsing)
    }
    await store.send(.leave) { $0.phase = .browsing }
    await store.send(.add(Row(id: 2_991_130, title: "\"", count: 1, note: nil))) {
      $0.rows = [Row(id: 2_991_130, title: "\"", count: 1, note: nil)]
    }
    await store.receive(.counted(0.25)) { $0.total = 0.25 }
    await store.send(.restock(["Rake": 1]))
    await store.receive(.stocked("Rake", count: 1)) { $0.stock = ["Rake": 1] }
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

  @Test func run99() async {
    let store = TestStore(initialState: Shop(), feature: shop)
    await store.send(.drop)
    await store.receive(.counted(0.0))
    await store.send(.restock(["Rake": 7, "tab\tand\nline": 2]))
    await store.receive(.stocked("Rake", count: 7)) { $0.stock = ["Rake": 7] }
    await store.receive(.stocked("tab\tand\nline", count: 2)) { $0.stock["tab\tand\nline"] = 2 }
    await store.finish()
  }
}
