package import Arbor
package import ArborTesting

/// A reducer that appends each action to a list, so that the order is visible and nothing is hidden.
package let appending: Reducer<[Int], Int> = { state, action in state.append(action) }

extension Observer {
  /// An observer that records every state.
  package static func recording(in recorded: RecordedValues<State>) -> Observer {
    Observer { state in
      recorded.append(state)
      return .active
    }
  }

  /// An observer with a completion handler that records every state.
  package static func recordingWithCompletion(in recorded: RecordedValues<State>) -> Observer {
    Observer { state, complete in
      recorded.append(state)
      complete(.active)
    }
  }
}

extension StoreFactory where State == [Int], Action == Int {
  /// A tree of lists on a manual executor.
  package static func appending(
    on executor: ManualExecutor,
    interceptor: (@Sendable (Int, @escaping @Sendable (Int) -> Void) -> Void)? = nil
  ) -> StoreFactory {
    StoreFactory(
      initialState: [],
      interceptor: interceptor,
      settings: TreeSettings(executor: executor),
      reducer: { $0.append($1) }
    )
  }
}
