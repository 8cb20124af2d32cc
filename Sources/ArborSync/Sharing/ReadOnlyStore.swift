public import Arbor

/// A store that you can read and observe, but that takes no actions.
public struct ReadOnlyStore<State: Sendable>: StoreProtocol, Sendable {
  /// Keeps the state alive.
  private let owner: any Sendable

  /// The underlying store.
  public let asStore: Store<State, Never>

  /// - Parameter project: Reads the state from the owner's root state.
  init<Whole, Action>(_ project: @escaping @Sendable (Whole) -> State, of owner: StoreFactory<Whole, Action>) {
    let absurd: @Sendable (Never) -> Action = Self.action
    asStore = owner.scope(to: project, action: absurd)
    self.owner = owner
  }

  @Sendable
  private static func action<Action>(of never: Never) -> Action {}

  /// The state, after everything that was accepted before.
  public var state: State { asStore.state! }
}
