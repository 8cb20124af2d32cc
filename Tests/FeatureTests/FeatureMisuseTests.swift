import Arbor
import ArborTesting
import TestSupport
import Testing

/// Each test that stops a process runs in a separate one.
@Suite("Feature, misused")
struct FeatureMisuseTests {
  #if DEBUG
    @Test(arguments: ["effect", "interceptor", "replacement", "element"])
    func `F5 an action that does not return to its feature stops the program with a message`(sender: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [sender] in
        FeatureMisuseTests.send(from: sender)
      }
      expect(result, contains: "`extract` did not find it again")
      expect(result, contains: "Give the scope a pair that belongs together")
      expect(result, contains: "CounterAction")
    }

    @Test(arguments: ["reducer", "effects", "interceptors", "element", "other id", "lifted"])
    func `F5 a pair that does not match stops at the first action that it extracts`(found: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [found] in
        FeatureMisuseTests.find(in: found)
      }
      expect(result, contains: "`extract` did not find it again")
      expect(result, contains: "CounterAction")
    }

    @Test func `F5 the pair of a test store's scope stops with its first action`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = TestStore(initialState: Shop.State(), feature: Feature<Shop.State, Shop.Action>())
        await store.scope(to: \.first, action: Shop.Action.first, extract: \.second).send(.load)
      }
      expect(result, contains: "`extract` did not find it again")
    }

    @Test(arguments: ["part", "optional", "nested", "other case"])
    func `F5 if a feature doesn't find the actions of a store scoped to its place, that is reported`(
      scope: String
    ) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [scope] in
        FeatureMisuseTests.send(through: scope)
      }
      expect(result, contains: "scoped to the place of a feature")
      expect(result, contains: "CounterAction")
    }
  #endif

  @Test func `F5 a store scoped to the place of two features is fit for one of them`() {
    let counter = Feature<Shop.Counter, Shop.CounterAction> { counter, _ in counter.count += 1 }
    let other = Feature<Shop.Counter, Int> { counter, number in counter.loaded += number }
    let factory = StoreFactory(
      initialState: Shop.State(),
      feature: Feature<Shop.State, Shop.Action>.combined(
        counter.scoped(to: \.first, action: Shop.Action.first, extract: \.first),
        counter.scoped(to: \.first, action: Shop.Action.second, extract: \.second),
        other.scoped(to: \.first, action: { .row($0, .load) }, extract: { _ in nil })
      )
    )
    factory.scope(to: \.first, action: Shop.Action.second).dispatchAndWait(.load)
    factory.scope(to: \.first, action: Shop.Action.first).dispatchAndWait(.load)
    #expect(factory.state.first.count == 2)
    // A type of actions that no feature has there.
    factory.scope(to: \.first) { (_: String) in Shop.Action.first(.load) }.dispatchAndWait("")
    // A place that no feature has.
    factory.scope(to: \.total) { (_: Shop.CounterAction) in Shop.Action.first(.load) }.dispatchAndWait(.load)
    #expect(factory.state.first.count == 4)
  }

  /// Dispatches an action of a part to features that never send one, and that embed it as another action.
  private static func find(in feature: String) {
    let counter = Feature<Shop.Counter, Shop.CounterAction> { counter, _ in counter.count += 1 }
    let asking = Feature<Shop.Counter, Shop.CounterAction>(effects: { _, _ in .none })
    let passing = Feature<Shop.Counter, Shop.CounterAction>(interceptors: [Interceptor { _, _ in .pass }])
    let row = Feature<Shop.Row, Shop.CounterAction> { row, _ in row.counter.count += 1 }
    let scoped: Feature<Shop.State, Shop.Action>
    switch feature {
    case "reducer": scoped = counter.scoped(to: \.first, action: Shop.Action.second, extract: \.first)
    case "effects": scoped = asking.scoped(to: \.first, action: Shop.Action.second, extract: \.first)
    case "interceptors": scoped = passing.scoped(to: \.first, action: Shop.Action.second, extract: \.first)
    case "element": scoped = row.forEach(\.rows, action: { _, action in .first(action) }, extract: \.row)
    case "other id": scoped = row.forEach(\.rows, action: { _, action in .row(2, action) }, extract: \.row)
    default:
      let interceptor = Interceptor<Shop.Counter, Shop.CounterAction> { _, _ in .pass }
      let read = { @Sendable (state: Shop.State) -> Shop.Counter? in state.first }
      let lifted = interceptor.scoped(to: read, action: Shop.Action.second, extract: \.first)
      scoped = Feature(interceptors: [lifted])
    }
    let factory = StoreFactory(initialState: Shop.State(rows: [Shop.Row(id: 1)]), feature: scoped)
    factory.dispatchAndWait(.first(.load))
    factory.dispatchAndWait(.row(1, .load))
  }

  /// Sends an action through the store of a part whose feature never finds one.
  private static func send(through scope: String) {
    struct Outer: Sendable {
      var shop = Shop.State()
    }
    let counter = Feature<Shop.Counter, Shop.CounterAction> { counter, _ in counter.count += 1 }
    let shop = Feature<Shop.State, Shop.Action>.combined(
      counter.scoped(to: \.first, action: Shop.Action.first, extract: { scope == "other case" ? $0.first : nil }),
      counter.scoped(toOptional: \.second, action: Shop.Action.second, extract: { _ in nil })
    )
    let factory = StoreFactory(initialState: Shop.State(second: Shop.Counter()), feature: shop)
    switch scope {
    case "part": factory.scope(to: \.first, action: Shop.Action.first).dispatch(.load)
    case "optional": factory.scope(toOptional: \.second, action: Shop.Action.second).dispatchAndWait(.load)
    case "nested":
      let factory = StoreFactory<Outer, Shop.Action>(
        initialState: Outer(),
        feature: shop.scoped(to: \.shop, action: { $0 }, extract: { $0 })
      )
      let shop = factory.scope(to: \.shop, action: { (action: Shop.Action) in action })
      shop.scope(to: \.first, action: Shop.Action.first).dispatch(batch: [.load])
    default: factory.scope(to: \.first, action: Shop.Action.second).dispatch(.load)
    }
  }

  /// Sends an action from a feature that is scoped to one case with the property of another.
  private static func send(from sender: String) {
    let interceptor = Interceptor<Shop.Counter, Shop.CounterAction> { action, context in
      if sender == "interceptor", action == .load { context.dispatch(.add(1)) }
      return sender == "replacement" ? .replace(with: .add(1)) : .pass
    }
    let counter = Feature<Shop.Counter, Shop.CounterAction>(
      interceptors: [interceptor],
      effects: { _, action in action == .load && sender == "effect" ? .send(.add(1)) : .none }
    )
    let row = Feature<Shop.Row, Shop.CounterAction>(effects: { _, _ in .send(.add(1)) })
    let factory = StoreFactory(
      initialState: Shop.State(rows: [Shop.Row(id: 1)]),
      feature: Feature<Shop.State, Shop.Action>.combined(
        counter.scoped(to: \.first, action: Shop.Action.second, extract: \.first),
        row.forEach(\.rows, action: { _, action in .first(action) }, extract: \.row)
      )
    )
    factory.dispatchAndWait(sender == "element" ? .row(1, .load) : .first(.load))
  }
}
