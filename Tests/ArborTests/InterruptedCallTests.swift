import Arbor
import Dispatch
import TestSupport
import Testing

/// Calls with several parts, between which another thread runs the tree.
@Suite("Interrupted calls")
struct InterruptedCallTests {
  private struct State: Sendable {
    var numbers: [Int] = []
    var part = 0
  }

  /// A way to cancel the task that the action 1 starts.
  enum Cancellation: CaseIterable, Sendable {
    case key, place, all
  }

  @Test(arguments: Cancellation.allCases, 0..<4)
  func `O2 a cancel reaches the task of an earlier dispatch, no matter when the tree becomes idle`(
    cancellation: Cancellation,
    moment: Int
  ) async {
    let executor = InterruptedExecutor()
    let part = Feature<Int, Int>(
      effects: { _, _ in .run(key: "k") { _ in } },
      reducer: { state, action in state = action }
    )
    let whole = Feature<State, Int>(
      effects: { _, _ in cancellation == .place ? .none : .run(key: "k") { _ in } },
      reducer: { state, action in state.numbers.append(action) }
    )
    let factory = StoreFactory<State, Int>(
      initialState: State(),
      feature: .combined(whole, part.scoped(to: \.part, action: { $0 }, extract: { $0 })),
      qos: .utility,
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    let place: any KeyPath<State, Int> & Sendable = \.part
    store.dispatch(1)
    executor.interruption = executor.stepMailbox
    executor.momentsBefore = moment
    switch cancellation {
    case .key: store.cancel("k")
    case .place: store.cancel("k", at: .part(place))
    case .all: store.cancelAllTasks()
    }
    executor.interruption = nil
    executor.run()
    #expect(factory.state.numbers == [1])
    if cancellation == .place {
      #expect(!store.isRunning("k", at: .part(place)))
    } else {
      #expect(!store.isRunning("k"))
    }
    await executor.finishTasks()
  }

  @Test(arguments: 0..<3)
  func `O2 a cancel spares later dispatches, no matter when the tree becomes idle`(moment: Int) async {
    let executor = InterruptedExecutor()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(effects: { _, action in .run(key: action) { _ in } }, reducer: appending),
      qos: .utility,
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    store.dispatch(1)
    executor.interruption = executor.stepMailbox
    executor.momentsBefore = moment
    store.cancelAllTasks()
    executor.interruption = nil
    store.dispatch(2)
    executor.run()
    #expect(!store.isRunning(1))
    #expect(store.isRunning(2))
    await executor.finishTasks()
    #expect(!store.isRunning(2))
  }
}
