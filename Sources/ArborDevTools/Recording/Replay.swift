internal import Arbor

/// A state on which actions are reduced again, by a store's reducer and without the store.
class Replay {
  /// The state that the actions have left.
  var state: any Sendable { () }

  /// Reduces an action. A mutation that fails leaves the state as it was.
  func reduce(_ action: any Sendable) {}

  private init() {}

  /// Begins with a state, and with the reducer of a store.
  static func begin(from state: any Sendable, by store: RecordedStore) -> Replay? {
    func replay<State, Action>(_ store: some RecordedReducer<State, Action>) -> Replay {
      Typed(state as! State, store.reduce)
    }
    return (store as? any RecordedReducer).map { replay($0) }
  }

  private final class Typed<State: Sendable, Action: Sendable>: Replay {
    private var current: State
    private let reducer: Reducer<State, Action>

    init(_ state: State, _ reducer: @escaping Reducer<State, Action>) {
      current = state
      self.reducer = reducer
      super.init()
    }

    override var state: any Sendable { current }

    override func reduce(_ action: any Sendable) {
      // An action of another type comes from a file only.
      if let action = action as? Action { reducer(&current, action) }
    }
  }
}
