/// The rule for a new task and the earlier tasks with the same key.
///
/// ```swift
/// case .queryChanged: .run(key: "search", mode: .debounce(.milliseconds(300))) { dispatch in … }
/// case .save: .run(key: "save", mode: .waitInCurrent) { dispatch in … }
/// ```
///
/// - The mode of the new task decides, whatever the modes of the others are.
/// - A task *waits* until it starts, and *runs* from then until its body has ended and the actions that the body has sent
///   have had their turn. So it does not depend on chance whether a task that an action starts finds an earlier one: the
///   bodies of three taps in one batch never end between two taps. An effect of the last action that a task has sent
///   still finds the task running.
/// - The tasks of later parts of a `concatenate` wait, too.
/// - A waiting task that is *dropped* never starts. A running task that is dropped is cancelled, and none of its actions
///   is reduced any more. Actions that ended tasks still send are dropped together with the running tasks.
/// - The body of a dropped task may run on for a while, if it ignores its cancellation. Only a ``waitInCurrent`` task
///   waits for such a body.
/// - A negative duration counts as zero.
public enum TaskMode: Sendable, Hashable {
  /// Starts at once, beside all others.
  case parallel

  /// Drops all running and waiting tasks, whatever they wait for, and starts at once.
  case dropCurrent

  /// Starts when all earlier tasks have ended: first in, first out.
  ///
  /// - It never starts while another task runs, be that a newer one, or a dropped one whose body has not ended yet.
  /// - A newer task may still start beside it, or drop it, if the newer task's mode says so.
  case waitInCurrent

  /// Is dropped if another task runs or waits; otherwise starts at once.
  case keepCurrent

  /// Starts after this much time without a newer debounced task, and then drops all running tasks.
  ///
  /// - A newer debounced task replaces the waiting one: the older task is dropped, and the newer one's time begins.
  /// - The running tasks are dropped when it starts and not before, so that none of their results comes after its own.
  ///   Waiting tasks stay.
  /// - With a duration of zero it starts at once.
  case debounce(Duration)

  /// Starts at once and opens a window of this time, in which no other throttled task starts.
  ///
  /// - A throttled task that comes while the window is open is dropped; with `latest`, it waits for the end of the
  ///   window and replaces the one that waited before it, which is dropped. It then starts and opens its own window.
  /// - It drops no running task, and starts beside them.
  /// - The window ends when its time is over, however its task ends. Cancelling all tasks of the key closes it at once.
  /// - With a duration of zero it opens no window.
  case throttle(Duration, latest: Bool)
}
