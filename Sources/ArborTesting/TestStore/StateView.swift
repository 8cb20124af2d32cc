internal import Arbor

/// A function that finds a test store's state in the state transitions of its tree's stores.
struct StateView<State>: Sendable {
  /// The states before and after an action; nil if the action did not reach this store.
  let read: @Sendable ([StateTransition]) -> (before: State, after: State)?

  init(_ read: @escaping @Sendable ([StateTransition]) -> (before: State, after: State)?) {
    self.read = read
  }

  /// A store's own state.
  init(ownOf store: MonitoredStore?) {
    self.init { transitions in
      guard let transition = transitions.first(where: { $0.store == store }),
        let before = transition.before as? State,
        let after = transition.after as? State
      else { return nil }
      return (before, after)
    }
  }

  func map<Part>(_ project: @escaping @Sendable (State) -> Part) -> StateView<Part> {
    StateView<Part> { [read] transitions in
      read(transitions).map { (project($0.before), project($0.after)) }
    }
  }

  /// The state of a child, composed of this store's state and its own.
  func composed<Local, Composed>(
    with own: StateView<Local>,
    _ compose: @escaping @Sendable (State, Local) -> Composed
  ) -> StateView<Composed> {
    StateView<Composed> { [read] transitions in
      guard let state = read(transitions), let local = own.read(transitions) else { return nil }
      return (compose(state.before, local.before), compose(state.after, local.after))
    }
  }
}
