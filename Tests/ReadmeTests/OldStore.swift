/// A stand-in for another library's store that is used together with one of Arbor's. It reduces immediately, on the main actor,
/// and calls closures.
@MainActor
final class OldStore<State, Action> {
  private(set) var state: State
  private(set) var actions = 0

  private let reduce: (inout State, Action) -> Void
  private var subscribers: [(State) -> Void] = []

  init(_ state: State, reduce: @escaping (inout State, Action) -> Void) {
    self.state = state
    self.reduce = reduce
  }

  func dispatch(_ action: Action) {
    reduce(&state, action)
    actions += 1
    for subscriber in subscribers { subscriber(state) }
  }

  func subscribe(_ subscriber: @escaping (State) -> Void) {
    subscribers.append(subscriber)
    subscriber(state)
  }
}
