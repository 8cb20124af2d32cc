/// Stands for a store of another library, beside which one of Arbor works: it reduces at once, on the main actor, and tells
/// closures.
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
