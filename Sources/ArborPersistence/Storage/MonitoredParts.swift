/// A source of the parts of a state that a monitor has.
protocol MonitoredParts<State>: PartsSource {
  associatedtype State: Sendable

  /// Sets the monitor that has the state. Once, before it is saved.
  func begin(_ monitor: SavingMonitor<State>)

  /// Sets the last state, before the monitor goes. On any thread.
  func end(with state: State)

  /// Returns a function that receives each action that was reduced, on the tree's queue; nil if they are not wanted.
  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)?

  /// Returns a function that takes the place of the root's reducer and calls it, on the tree's queue; nil if that is not
  /// needed.
  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)?

  /// Writes an action on the tree's queue, before it is reduced. Returns `false` if it could not be written.
  func writeAhead<Action: Sendable>(_ action: Action, with storage: Storage) -> Bool

  /// Takes out the refusal of the action whose turn it is; nil if it was not refused. On the tree's queue.
  func takeRefusal() -> StorageError?

  /// Returns a function that is called after each step, on the tree's queue.
  ///
  /// - Parameter change: To be called when there is something to save.
  func stepReceiver(_ change: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// Notes that the state is another one without actions, on the tree's queue.
  func didTravel()
}
