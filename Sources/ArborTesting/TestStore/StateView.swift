internal import Arbor

/// A function that finds a test store's state in the state transitions of its tree's stores.
struct StateView<State>: Sendable {
  /// The state at a moment of an action; nil if the action did not come to this store.
  let read: @Sendable ([StateTransition], StateMoment) -> State?

  init(_ read: @escaping @Sendable ([StateTransition], StateMoment) -> State?) {
    self.read = read
  }

  /// A store's own state.
  init(ownOf store: MonitoredStore?) {
    self.init { transitions, moment in
      guard let transition = transitions.first(where: { $0.store == store }) else { return nil }
      return (moment == .before ? transition.before : transition.after) as? State
    }
  }

  func map<Part>(_ project: @escaping @Sendable (State) -> Part) -> StateView<Part> {
    StateView<Part> { [read] transitions, moment in read(transitions, moment).map(project) }
  }

  /// The state of a child, composed of this one's and its own.
  func composed<Local, Composed>(
    with own: StateView<Local>,
    _ compose: @escaping @Sendable (State, Local) -> Composed
  ) -> StateView<Composed> {
    StateView<Composed> { [read] transitions, moment in
      guard let state = read(transitions, moment), let local = own.read(transitions, moment) else { return nil }
      return compose(state, local)
    }
  }
}

/// One of the two states around an action.
enum StateMoment: Sendable {
  case before
  case after
}
