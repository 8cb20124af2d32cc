/// An observer of everything that happens in a tree of stores: actions with their times, stores, observers, tasks,
/// activities.
///
/// ```swift
/// final class Journal: StoreMonitor {
///   func monitor(_ record: borrowing ActionRecord) {
///     if let action = record.action.value(as: AppAction.self) { print(action, record.outcome) }
///   }
/// }
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [Journal()]),
///   reducer: appReducer
/// )
/// ```
///
/// - **Order.** A monitor is called on the tree's queue: for an action after its step, for any other event in order
///   among the actions. Several monitors are called in the order of their list.
/// - **Cost.** The next action waits until the monitor returns, so do slow work elsewhere. A tree without monitors pays
///   nothing.
/// - A monitor may dispatch actions, which are reduced after everything already waiting. Waiting for a store of the
///   same tree stops the program.
/// - You can use a monitor for several trees, which may call it at the same time.
/// - A monitor may keep stores of the tree: the tree releases its monitors once its root and its tasks are gone.
/// - With a manual executor, an event that waits among the actions is a separate step.
public protocol StoreMonitor: AnyObject, Sendable {
  /// The sampling interval of times: 1 measures every action, 16 one action in sixteen, 0 none.
  ///
  /// - It is read once, when the tree is made. If there are several monitors, the shortest interval applies.
  var timingInterval: Int { get }

  /// `true` if the monitor wants the cause of each action and each task. Read once, when the tree is made.
  ///
  /// - The cause is determined when an action is dispatched, which then takes longer.
  var wantsCauses: Bool { get }

  /// Returns `true` if the monitor wants the states before and after an action. Called for each action, before its
  /// interceptors.
  ///
  /// - Keeping the state before the action makes the reducers copy everything they change.
  /// - Parameter action: The action as it was dispatched, borrowed for the duration of the call.
  func wantsStates(of action: borrowing MonitoredAction) -> Bool

  /// Receives the record of an action, after its step.
  ///
  /// - Parameter record: The record, borrowed for the duration of the call.
  func monitor(_ record: borrowing ActionRecord)

  /// Receives any other event.
  ///
  /// - Parameters:
  ///   - event: The event of a store, an observer or a task, or an activity.
  ///   - time: The time of the event, since the tree was made, on the tree's clock.
  func monitor(_ event: StoreEvent, at time: Duration)
}

extension StoreMonitor {
  /// Measures every action.
  public var timingInterval: Int { 1 }

  /// Doesn't want causes.
  public var wantsCauses: Bool { false }

  /// Doesn't want states.
  ///
  /// - Parameter action: The action; the result is the same for any.
  public func wantsStates(of action: borrowing MonitoredAction) -> Bool { false }

  /// Ignores the event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event.
  public func monitor(_ event: StoreEvent, at time: Duration) {}
}
