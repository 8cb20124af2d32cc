/// Sees what a tree of stores does: each action with its times, and all that comes and goes.
///
/// ```swift
/// final class Journal: StoreMonitor {
///   func monitor(_ record: borrowing ActionRecord) {
///     if let action = record.action.value(as: AppAction.self) { print(action, record.outcome) }
///   }
/// }
/// let factory = StoreFactory(initialState: AppState(), monitors: [Journal()], reducer: appReducer)
/// ```
///
/// - **Order.** It is called on the store's queue: for an action once its step is done, for everything else in its turn among
///   the actions. Several monitors are called in the order of their list.
/// - **Cost.** The next action waits until it returns: do what takes time elsewhere. A tree without monitors pays nothing.
/// - It may dispatch: that goes behind what is waiting. To wait for a store of the same tree stops the program.
/// - It may watch several trees, which call it at the same time.
/// - It may hold stores of the tree: the tree lets go of it once its root and its tasks are gone.
/// - With a manual executor, what is told beside the actions is a step of its own.
public protocol StoreMonitor: AnyObject, Sendable {
  /// The sampling interval of times: 1 reads those of every action, 16 those of one in sixteen, 0 none. Asked once, when the tree is
  /// made.
  var timingInterval: Int { get }

  /// `true` if the states before and after an action are wanted. Asked for each action, before its interceptors.
  ///
  /// - To hold the state before makes the reducers copy what they change.
  func wantsStates(of action: borrowing MonitoredAction) -> Bool

  /// An action's step is done.
  func monitor(_ record: borrowing ActionRecord)

  /// Something else has happened, at a time since the tree was made, on its clock.
  func monitor(_ event: StoreEvent, at time: Duration)
}

extension StoreMonitor {
  /// The times of all actions are read.
  public var timingInterval: Int { 1 }

  /// No states are wanted.
  public func wantsStates(of action: borrowing MonitoredAction) -> Bool { false }

  /// Looks away.
  public func monitor(_ event: StoreEvent, at time: Duration) {}
}
