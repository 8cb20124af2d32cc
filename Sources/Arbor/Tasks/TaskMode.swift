/// The rule for a new task and for those with the same key that were there before it.
///
/// ```swift
/// case .queryChanged: .run(key: "search", mode: .debounce(.milliseconds(300))) { dispatch in … }
/// case .save: .run(key: "save", mode: .waitInCurrent) { dispatch in … }
/// ```
///
/// - The mode of the newcomer decides, whatever the modes of the others are.
/// - A task *waits* until it starts, and *runs* from then until its body has ended. One that is *dropped* never starts;
///   if it runs already, it is cancelled, and none of its actions is reduced any more.
/// - The body of a dropped task may run on for a while, if it ignores that it was cancelled. Only a task that waits in
///   the current ones waits for that body too; to all others it is gone.
/// - A negative duration counts as zero.
public enum TaskMode: Sendable, Hashable {
  /// Starts at once, beside all others.
  case parallel

  /// Drops all that run or wait, whatever they wait for, and starts at once.
  case dropCurrent

  /// Starts when all that were there before it have ended: first in, first out.
  ///
  /// It never starts beside another one, be that a newer one, or one that was dropped and whose body has not ended yet.
  /// A newer task may still start beside it, or drop it, if its mode says so.
  case waitInCurrent

  /// Is dropped while another one runs or waits, and else starts at once.
  case keepCurrent

  /// Starts when this time has passed in which no newer task was debounced, and then drops all that run.
  ///
  /// - A newer debounced task takes the place of the one that waits: the older one is dropped, and the time of the newer
  ///   one begins.
  /// - Those that run are dropped when it starts and not before, so that no stale result comes after its own. Those that
  ///   wait stay.
  /// - With a duration of zero it starts at once.
  case debounce(Duration)

  /// Starts at once and opens a window of this time, in which no other throttled task starts.
  ///
  /// - A throttled task that comes while the window is open is dropped, or, with `latest`, waits for the window to end,
  ///   in place of the one that waited before it, which is dropped. It then starts and opens its own window.
  /// - It drops none that run, and starts beside them.
  /// - The window ends by its time alone, however its task ends; if all tasks of the key are cancelled it closes at once.
  /// - With a duration of zero it opens no window.
  case throttle(Duration, latest: Bool)
}
