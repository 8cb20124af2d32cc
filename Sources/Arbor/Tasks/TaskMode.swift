/// The rule for a new task and the earlier tasks with the same key.
///
/// ```swift
/// case .queryChanged: .run(key: "search", mode: .debounce(.milliseconds(300))) { dispatch in … }
/// case .save: .run(key: "save", mode: .waitInCurrent) { dispatch in … }
/// ```
///
/// - The mode of the new task decides, regardless of the modes of the others.
/// - A task *waits* until it starts. From then on, it *runs* until its body has ended and the actions that the body
///   sent have had their turn. So when an action starts a task, timing doesn't decide whether an earlier task is still
///   running: in a batch of three taps, no body ever ends between two taps. For an effect of a task's last action, the
///   task is still running.
/// - The tasks of later parts of a `concatenate` wait, too.
/// - A waiting task that is *dropped* never starts. A running task that is dropped is canceled, and none of its waiting
///   actions is reduced. Actions of ended tasks that are still waiting are dropped together with the running tasks.
/// - The body of a dropped task may continue for a while if it ignores its cancellation. Only a ``waitInCurrent`` task
///   waits for such a body.
/// - A negative duration counts as zero.
public enum TaskMode: Sendable, Hashable {
  /// Starts at once, without affecting other tasks.
  case parallel

  /// Drops all running and waiting tasks, no matter why they wait, and starts at once.
  case dropCurrent

  /// Starts when all earlier tasks have ended: first in, first out.
  ///
  /// - It never starts while another task is running. That includes a newer task, and a dropped task whose body hasn't
  ///   ended yet.
  /// - A newer task may still start while this one is running, or drop it, depending on the newer task's mode.
  case waitInCurrent

  /// Starts at once if no other task is running or waiting; otherwise it is dropped.
  case keepCurrent

  /// Starts after this duration without a newer debounced task, and then drops all running tasks.
  ///
  /// - A newer debounced task replaces the waiting one: the older task is dropped, and the delay of the newer task
  ///   begins.
  /// - The running tasks are dropped only when it starts, so that none of their results arrives after its own. Waiting
  ///   tasks stay.
  /// - With a duration of zero, it starts at once.
  case debounce(Duration)

  /// Starts at once and opens a window of this duration; no other throttled task starts during it.
  ///
  /// - If a throttled task comes while the window is open, it is dropped. With `latest`, it instead waits for the end
  ///   of the window, and replaces the task that waited before it, which is dropped. It then starts and opens its own
  ///   window.
  /// - It doesn't drop running tasks.
  /// - The window ends when its time is over, regardless of when its task ends. Canceling all tasks of the key closes
  ///   it at once.
  /// - With a duration of zero, it doesn't open a window.
  case throttle(Duration, latest: Bool)
}
