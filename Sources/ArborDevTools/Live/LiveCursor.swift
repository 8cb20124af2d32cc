/// The place up to which one browser has received a ``LiveRecording``.
///
/// - A value of its own for each browser. It keeps no state and no action of the program, only what was last sent of the
///   states, as a tree.
public struct LiveCursor: Sendable {
  /// The moment up to which everything was sent; nil if nothing was.
  var moment: LiveMoment?

  /// The trees of the stores' own states after the last entry that was sent.
  var states: [UInt64: RecordedValue] = [:]

  /// The stores that were sent: `true` if they had gone.
  var stores: [UInt64: Bool] = [:]

  /// The place behind the last task that was sent, and those of the tasks that ran then.
  var taskEnd = 0
  var runningTasks: [Int] = []

  /// The beginning: nothing was sent.
  public init() {}
}
