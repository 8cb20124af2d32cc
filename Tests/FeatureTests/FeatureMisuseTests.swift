import Arbor
import ArborTesting
import TestSupport
import Testing

/// Each test that stops a process runs in one of its own.
@Suite("Feature, misused")
struct FeatureMisuseTests {
  #if DEBUG
    @Test(arguments: ["effect", "interceptor", "replacement", "element"])
    func `F5 an action that does not come back to its feature stops with a sentence`(sender: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [sender] in
        FeatureMisuseTests.send(from: sender)
      }
      expect(result, contains: "`extract` returned nil for what `action` has made of it")
      expect(result, contains: "Give the feature's scope a pair that belongs together")
      expect(result, contains: "CounterAction")
    }
  #endif

  /// Sends an action from a feature that is scoped to one case with the property of another.
  private static func send(from sender: String) {
    let interceptor = Interceptor<Shop.Counter, Shop.CounterAction> { action, context in
      if sender == "interceptor", action == .load { context.dispatch(.add(1)) }
      return sender == "replacement" ? .replace(with: .add(1)) : .pass
    }
    let counter = Feature<Shop.Counter, Shop.CounterAction>(
      interceptors: [interceptor],
      effects: { _, action in action == .load && sender == "effect" ? .send(.add(1)) : .none },
      reducer: nil
    )
    let row = Feature<Shop.Row, Shop.CounterAction>(effects: { _, _ in .send(.add(1)) }, reducer: nil)
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
