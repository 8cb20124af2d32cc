package import Arbor
package import ArborTesting

/// A reducer whose state is the list of what it was given: order is visible, and nothing can hide.
package let appending: Reducer<[Int], Int> = { state, action in state.append(action) }

extension Observer {
  /// An observer that writes down every state.
  package static func recording(in recorded: RecordedValues<State>) -> Observer {
    Observer { state in
      recorded.append(state)
      return .active
    }
  }

  /// An observer of the completing form that writes down every state.
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
