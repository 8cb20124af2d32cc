internal import Arbor

/// The part of a recording that a browser hasn't seen.
struct LiveNews<State: Sendable, Action: Sendable>: Sendable {
  let moment: LiveMoment

  /// The recording from the block of the first new entry on, without its tasks.
  let recording: Recording<State, Action>

  /// The place of the first entry to send.
  let start: Int

  /// `true` if the browser starts over, with the states at the start.
  let isWhole: Bool

  /// The number of entries before the start that the browser hasn't received and never will.
  let skipped: Int

  /// The tasks that started or ended since.
  let tasks: [RecordedTask]

  /// The number of all tasks so far, which is the place of the next one.
  let taskEnd: Int

  /// The places of the running tasks.
  let runningTasks: [Int]
}

extension Recorder {
  /// Returns the part of the recording that a browser hasn't seen; nil if it has seen everything, or if there is no
  /// recording yet.
  ///
  /// - It waits for everything the store accepted before, and briefly enters its queue to get the newest actions.
  /// - Cost on the calling thread: a comparison of numbers if there is nothing new; otherwise a copy of the blocks from
  ///   the first new entry on. The store's queue doesn't wait until states or actions are encoded.
  func news(for cursor: LiveCursor, limit: Int) -> LiveNews<State, Action>? {
    takeNotesInTurn()
    return content.withLock { content in
      guard let recording = content.recording else { return nil }
      let moment = LiveMoment(
        pastRevision: content.pastRevision,
        firstPlace: recording.firstPlace,
        end: recording.firstPlace + recording.count,
        position: recording.position,
        isTravelling: content.present != nil,
        held: content.present?.travel.heldActions ?? 0,
        storeChanges: content.storeChanges,
        taskChanges: recording.recordedTasks.revision
      )
      let seen = cursor.moment
      guard moment != seen else { return nil }
      let earliest = max(moment.firstPlace, moment.end - limit)
      let isSamePast = seen?.pastRevision == moment.pastRevision
      let skipped = isSamePast ? max(0, earliest - seen!.end) : 0
      let isWhole = !isSamePast || skipped > 0
      let start = isWhole ? earliest : seen!.end
      let tasks = recording.recordedTasks
      let earlierTasks = isWhole ? tasks.runningPlaces : cursor.runningTasks
      return LiveNews(
        moment: moment,
        recording: recording.tail(fromPlace: start),
        start: start,
        isWhole: isWhole,
        skipped: skipped,
        tasks: tasks.tasks(from: isWhole ? tasks.end - limit : cursor.taskEnd, and: earlierTasks) { task in
          isWhole || task.ended != nil
        },
        taskEnd: tasks.end,
        runningTasks: tasks.runningPlaces
      )
    }
  }
}

extension Recording {
  /// Returns the recording without its tasks and without the blocks before the one that contains a place.
  ///
  /// - Cost: The copy shares the last block and the table of stores, so the recording copies at most these when it
  ///   continues.
  fileprivate func tail(fromPlace place: Int) -> Recording {
    let (block, rest) = (place - origin).quotientAndRemainder(dividingBy: checkpointInterval)
    var tail = self
    tail.blocks = Array(blocks[block...])
    tail.origin = origin + block * checkpointInterval
    tail.committed = rest
    tail.position = max(0, position - (place - firstPlace))
    tail.recordedTasks = RecordedTasks()
    tail.changes = PartChanges()
    return tail
  }
}

/// The part of a recorder's state that shows if a browser has seen everything.
struct LiveMoment: Equatable, Sendable {
  /// The recorder's ``Recorder/Content/pastRevision``.
  var pastRevision: Int

  /// The number of all entries before the oldest one that is kept.
  var firstPlace: Int

  /// The number of all entries so far.
  var end: Int
  var position: Int
  var isTravelling: Bool

  /// The number of actions that wait until the present is shown again.
  var held: Int

  /// The recorder's ``Recorder/Content/storeChanges``.
  var storeChanges: Int

  /// The recording's ``RecordedTasks/revision``.
  var taskChanges: Int
}

/// The place up to which one browser has received a ``LiveRecording``.
///
/// - Use a separate value for each browser. It keeps no state or action of the program, only the states that were last
///   sent, as trees.
public struct LiveCursor: Sendable {
  /// The moment up to which everything was sent; nil if nothing was sent.
  var moment: LiveMoment?

  /// The trees of the stores' own states after the last entry that was sent.
  var states: [UInt64: RecordedValue] = [:]

  /// The stores that were sent: `true` if they were gone.
  var stores: [UInt64: Bool] = [:]

  /// The place after the last task that was sent.
  var taskEnd = 0

  /// The places of the tasks that were running at that time.
  var runningTasks: [Int] = []

  /// Makes a cursor at the beginning: nothing was sent yet.
  public init() {}
}
