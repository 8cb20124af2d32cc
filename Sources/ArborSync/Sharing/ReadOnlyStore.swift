public import Arbor

/// A store to which nothing is dispatched: its state is read and observed.
public struct ReadOnlyStore<State: Sendable>: StoreProtocol, Sendable {
  /// Keeps the state.
  private let owner: any Sendable

  /// The store on which the methods act.
  public let asStore: Store<State, Never>

  /// - Parameter project: Takes the state from that of the owner's root.
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
