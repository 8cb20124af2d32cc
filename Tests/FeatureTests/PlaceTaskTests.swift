import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Places: the tasks of scopes and of features")
struct PlaceTaskTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let log = RecordedValues<String>()

  /// Starts a task that lasts until it is canceled.
  private func start<State, Action>(_ key: String, at store: Store<State, Action>) {
    store.task(key: key) { [log, clock] _ in
      do {
        try await clock.sleep(for: .seconds(100))
      } catch {
        log.append("cancelled \(key)")
      }
    }
    executor.run()
  }

  private var cancelled: [String] { log.values.filter { $0.hasPrefix("cancelled") } }

  private func makeShop(_ state: Shop.State) -> StoreFactory<Shop.State, Shop.Action> {
    StoreFactory(
      initialState: state,
      feature: Shop.app(log: log, clock: clock),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  // MARK: Optional parts

  @Test func `F3 a scope's task is canceled with its part, even if a feature has used the place before`() {
    let factory = makeShop(Shop.State(second: Shop.Counter(count: 1)))
    factory.dispatchAndWait(.second(.work))
    executor.run()
    start("scope", at: factory.scope(toOptional: \.second, action: Shop.Action.second))
    factory.change { $0.second?.count = 2 }
    executor.run()
    #expect(cancelled.isEmpty)
    factory.change { $0.second = nil }
    executor.run()
    #expect(cancelled.sorted() == ["cancelled at 1", "cancelled scope"])
    withExtendedLifetime(factory) {}
  }

  @Test func `F3 a scope's task is canceled with its part, even if the place was only queried before`() {
    let factory = makeShop(Shop.State(second: Shop.Counter()))
    let second = factory.scope(toOptional: \.second, action: Shop.Action.second)
    // Another scope to the same place, which need not be optional.
    let other = factory.scope(to: \.second) { (_: Int) in Shop.Action.second(.load) }
    start("other", at: other)
    start("scope", at: second)
    factory.change { $0.second = nil }
    executor.run()
    #expect(cancelled == ["cancelled scope"])
    #expect(second.isRunning("other"))
    factory.cancel("other", at: .part(\.second))
    executor.run()
    #expect(cancelled == ["cancelled scope", "cancelled other"])
    withExtendedLifetime(factory) {}
  }

  @Test func `F3 a scope's task is canceled in the step in which its part gets another id`() {
    struct Whole: Sendable { var row: Shop.Row? = Shop.Row(id: 1) }
    let factory = StoreFactory<Whole, Int>(initialState: Whole(), settings: TreeSettings(executor: executor)) {
      whole, id in
      whole.row = Shop.Row(id: abs(id), counter: Shop.Counter(count: id))
    }
    let row = factory.scope(toOptional: \.row) { (id: Int) in id }
    start("1", at: row)
    factory.dispatchAndWait(-1)
    executor.run()
    #expect(cancelled.isEmpty, "it is the same part")
    factory.dispatchAndWait(2)
    executor.run()
    #expect(cancelled == ["cancelled 1"])
    start("2", at: row)
    start("also 2", at: row)
    factory.dispatch(3)
    // Started when that was accepted: it belongs to the later value.
    start("3", at: row)
    #expect(cancelled.dropFirst() == ["cancelled 2", "cancelled also 2"])
    factory.dispatchAndWait(4)
    executor.run()
    #expect(cancelled.last == "cancelled 3")
    // The part is no longer watched until there is a task.
    factory.dispatchAndWait(5)
    start("5", at: row)
    factory.dispatchAndWait(-5)
    executor.run()
    #expect(cancelled.count == 4)
    row.cancelAllTasks()
    executor.run()
    #expect(cancelled.count == 5)
    withExtendedLifetime(factory) {}
  }

  // MARK: Suspended keys

  @Test func `F4 a key is suspended at its place, even if no scope of the place exists meanwhile`() {
    let factory = makeShop(Shop.State(first: Shop.Counter(count: 1)))
    factory.scope(to: \.first, action: Shop.Action.first).suspend("work")
    factory.scope(to: \.first, action: Shop.Action.first).task(key: "work") { [log] _ in log.append("first") }
    factory.suspend("work", at: .part(\.second))
    let nested = factory.scope(to: \.first, action: Shop.Action.first)
    nested.suspend("work", at: .part(\.count))
    let second = factory.scope(toOptional: \.second, action: Shop.Action.second)
    factory.change { $0.second = Shop.Counter() }
    second.task(key: "work") { [log] _ in log.append("second") }
    nested.scope(to: \.count) { (_: Int) in .load }.task(key: "work") { [log] _ in log.append("count") }
    executor.run()
    #expect(log.values.isEmpty)
    factory.scope(to: \.first, action: Shop.Action.first).resume("work")
    executor.run()
    #expect(log.values == ["first"])
    factory.resume("work", at: .part(\.second))
    factory.resume("work", at: .part(\.first.count))
    executor.run()
    #expect(log.values.sorted() == ["count", "first", "second"])
    withExtendedLifetime(factory) {}
  }

  @Test func `F4 a key of an element is suspended at its place, before the element has any task`() {
    let row = Feature<Shop.Row, Int>(effects: { [log] row, _ in .run(key: "work") { _ in log.append("row \(row.id)") } }
    )
    let factory = StoreFactory(
      initialState: [Shop.Row(id: 1), Shop.Row(id: 2)],
      feature: row.forEach(\[Shop.Row].self, action: { id, _ in id }, extract: { (action: Int) in (action, action) }),
      settings: TreeSettings(executor: executor)
    )
    factory.suspend("work", at: .element(1, of: \.self))
    factory.dispatch(batch: [1, 2])
    executor.run()
    #expect(log.values == ["row 2"])
    factory.resume("work", at: .element(1, of: \.self))
    executor.run()
    #expect(log.values == ["row 2", "row 1"])
    withExtendedLifetime(factory) {}
  }

  @Test func `a suspended place ends with its node, and when all its keys are resumed`() {
    final class Key: Hashable, Sendable {
      let token: Object
      init(_ token: Object) { self.token = token }
      static func == (_: Key, _: Key) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    var factory: StoreFactory<Shop.State, Shop.Action>? = makeShop(Shop.State())
    let store = factory!.rootStore()
    weak var first: Object?
    weak var second: Object?
    do {
      let (one, other) = (Object(), Object())
      (first, second) = (one, other)
      store.suspend(Key(one), at: .part(\.first))
      store.suspend(Key(other), at: .element(1, of: \.rows))
    }
    #expect(first != nil && second != nil)
    store.resume(Key(Object()), at: .part(\.first))
    #expect(first == nil)
    factory = nil
    executor.run()
    #expect(second == nil)
    withExtendedLifetime(store) {}
  }

  // MARK: Order

  @Test func `a place costs the same, no matter how many tasks it has had`() {
    struct ID: Hashable, Sendable {
      let comparisons: RecordedValues<Void>
      static func == (left: ID, _: ID) -> Bool {
        left.comparisons.append(())
        return true
      }
      func hash(into hasher: inout Hasher) {}
    }
    struct Row: Identifiable, Sendable { let id: ID }
    let id = ID(comparisons: RecordedValues())
    let feature = Feature<Row, ID>(effects: { _, _ in .run { _ in } }, reducer: { _, _ in })
      .forEach(\[Row].self, action: { id, _ in id }, extract: { ($0, $0) })
    let factory = StoreFactory(
      initialState: [Row(id: id)], feature: feature, settings: TreeSettings(executor: executor))
    let costs = (0..<100).map { _ in
      let before = id.comparisons.values.count
      factory.dispatch(id)
      executor.run()
      return id.comparisons.values.count - before
    }
    #expect(costs.max()! <= 2 * costs[2], "comparisons of ids: \(costs)")
  }

  @Test func `the attempts of elements that are removed together end in the order in which they began`() {
    struct Job: Equatable, Identifiable, Sendable {
      let id: Int
      var work = JobState()
    }
    struct Whole: Sendable { var jobs = (0..<20).map { Job(id: $0) } }
    let factory = StoreFactory<Whole, Int?>(
      initialState: Whole(),
      feature: Feature(
        stateEffects: [
          StateEffect(each: \.jobs, \.work) { [log, clock] _, job in
            .run { _ in
              do { try await clock.sleep(for: .seconds(1)) } catch { log.append("cancelled \(job.id)") }
            }
          }
        ]
      ) { whole, id in
        if let id { whole.jobs[id].work.run() } else { whole.jobs = [] }
      },
      settings: TreeSettings(executor: executor)
    )
    let order = (0..<20).map { $0 * 7 % 20 }
    for id in order { factory.dispatch(id) }
    executor.run()
    factory.dispatch(nil)
    executor.run()
    #expect(log.values == order.map { "cancelled \($0)" })
    withExtendedLifetime(factory) {}
  }
}
