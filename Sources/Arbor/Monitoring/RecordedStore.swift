/// A store of a recorded tree: its own state, and its reducer.
package class RecordedStore: @unchecked Sendable {  // Only used on the tree's queue, except for constants.
  package let store: MonitoredStore

  /// The number of actions that the store has begun to reduce.
  @exclusivity(unchecked)
  package internal(set) var begun = 0

  /// Starts and ends effects to match the state; nil if none depend on it, or after the store is gone.
  package internal(set) var updateEffects: (@Sendable () -> Void)?

  init(_ store: MonitoredStore, updateEffects: (@Sendable () -> Void)?) {
    self.store = store
    self.updateEffects = updateEffects
  }

  /// The store's own state; nil after the store is gone.
  package var state: (any Sendable)? { nil }

  /// Replaces the store's own state without notifying observers. Does nothing after the store is gone.
  package func show(_ state: any Sendable) {}

  /// The last action that the store has begun to reduce.
  package var lastAction: (any Sendable)? { nil }

  /// Releases the actions that the store has begun to reduce.
  package func dropActions() {}

  /// Releases the store's state.
  package func end() {
    updateEffects = nil
  }
}

/// A reducer of any types.
package protocol RecordedReducer<State, Action> {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  /// Reduces an action on a copy of the state, not on the store's own. May be called from any thread.
  var reduce: Reducer<State, Action> { get }
}

/// A recorded store with its types.
package final class TypedRecordedStore<State: Sendable, Action: Sendable>:
  RecordedStore, RecordedReducer, @unchecked Sendable
{
  // Sendable like its superclass.

  package let reduce: Reducer<State, Action>

  private var box: StateBox<State>?

  /// The last actions that the store has begun to reduce, except for those that were taken.
  @exclusivity(unchecked)
  var actions = ContiguousArray<Action>()

  init(
    _ store: MonitoredStore,
    _ box: StateBox<State>,
    updateEffects: (@Sendable () -> Void)?,
    reduce: @escaping Reducer<State, Action>
  ) {
    self.box = box
    self.reduce = reduce
    super.init(store, updateEffects: updateEffects)
  }

  func begin(_ action: Action) {
    begun += 1
    actions.append(action)
  }

  /// Takes the oldest actions, up to the one with a given number: the store's first action has the number 0. Also
  /// returns the number of the first action that is taken.
  package func takeActions(upTo number: Int) -> (first: Int, actions: ContiguousArray<Action>) {
    let first = begun - actions.count
    guard number < begun - 1 else {
      defer { actions = ContiguousArray() }
      return (first, actions)
    }
    let count = max(number + 1 - first, 0)
    defer { actions.removeFirst(count) }
    return (first, ContiguousArray(actions.prefix(count)))
  }

  package var typedState: State? { box?.pointer.pointee }

  package func show(_ state: State) { box?.pointer.pointee = state }

  override package var state: (any Sendable)? { typedState }

  override package func show(_ state: any Sendable) {
    if let state = state as? State { show(state) }
  }

  override package var lastAction: (any Sendable)? { actions.last }

  override package func dropActions() {
    actions.removeAll(keepingCapacity: true)
  }

  override package func end() {
    super.end()
    box = nil
    dropActions()
  }
}
