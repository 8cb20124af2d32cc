import Arbor
import ArborTesting
import Testing

@Suite("A test store of a feature")
struct FeatureStoreTests {
  struct Counter: Equatable, Sendable {
    var count = 0
  }

  enum CounterAction: Equatable, Sendable {
    case load
    case loaded(Int)
  }

  struct AppState: Equatable, Sendable {
    var counter = Counter()
  }

  enum AppAction: Equatable, Sendable {
    case counter(CounterAction)

    var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
  }

  /// The feature, with its data source as a parameter.
  private func counter(load: @escaping @Sendable () async throws -> Int) -> Feature<Counter, CounterAction> {
    Feature(
      effects: { _, action in
        action == .load ? .run { dispatch in dispatch(.loaded(try await load())) } : .none
      },
      reducer: { state, action in if case .loaded(let count) = action { state.count = count } }
    )
  }

  @Test func `a feature is tested by itself, and the actions of its effects are received`() async {
    let store = TestStore(initialState: Counter(), feature: counter { 7 })
    await store.send(.load)
    await store.receive(.loaded(7)) { $0.count = 7 }
    await store.finish()
  }

  @Test func `a feature is tested as part of a larger one, through a scope`() async {
    let store = TestStore(
      initialState: AppState(),
      feature: counter { 7 }.scoped(to: \.counter, action: AppAction.counter, extract: \.counter)
    )
    let scope = store.scope(to: \.counter, action: AppAction.counter, extract: \.counter)
    await scope.send(.load)
    await scope.receive(.loaded(7)) { $0.count = 7 }
    await store.finish()
  }

  @Test func `an error of a feature's effect is a failure of the test, unless the feature handles it`() async {
    struct Failure: Error {}
    let store = TestStore(initialState: Counter(), feature: counter { throw Failure() })
    let failures = await TestRunner.catching {
      await store.send(.load)
      await store.finish()
    }.failures
    #expect(failures.count == 1)
    #expect(failures.first?.failure.text.contains("Failure()") == true)
  }

  @Test func `a child is tested with a feature, and so is a commit store with its middleware`() async {
    let store = TestStore(initialState: 1) { (state: inout Int, action: Int) in state += action }
    let child = store.childStore(initialState: 10, feature: Feature { $0 += $1 })
    await child.send(2) {
      $0.parent = 3
      $0.local = 12
    }
    let commits = TestStore(
      initialState: [0],
      feature: Feature<[Int], Mutation<[Int]>> { state, _ in state.append(state.count) }
    )
    await commits.during {
      commits.store().commit { $0[0] = 5 }
    } expect: {
      $0 = [5, 1]
    }
    await store.finish()
    await commits.finish()
  }
}
