internal import Arbor

/// The part of a recording that a browser has not seen.
struct LiveNews<State: Sendable, Action: Sendable>: Sendable {
  let moment: LiveMoment

  /// The recording from the block of the first new entry on, without its tasks.
  let recording: Recording<State, Action>

  /// The place of the first entry to be sent.
  let start: Int

  /// `true` if the browser begins anew, with the states at the start.
  let isWhole: Bool

  /// The number of entries before the start that the browser has not received, and never will.
  let skipped: Int

  /// The tasks that are new, and those that have ended since.
  let tasks: [RecordedTask]

  /// The number of tasks that there have been, which is the place of the next one.
  let taskEnd: Int

  /// The places of the tasks that run.
  let runningTasks: [Int]
}

extension Recorder {
  /// The part of the recording that a browser has not seen; nil if it has seen everything, or if there is none yet.
  ///
  /// - Waits for what the store has accepted before, and enters its queue for a moment, to have the newest actions.
  /// - Cost on the calling thread: a comparison of numbers if there is nothing new, otherwise a copy of the blocks
  ///   from the first new entry on. The store's queue waits for neither states nor actions to be encoded.
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
  /// The recording without the blocks before that of a place, and without its tasks.
  ///
  /// - Cost: to go on, the recording copies at most its last block and the stores' table, which this one shares.
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

/// A moment of a recorder, as far as it tells whether a browser has seen everything.
struct LiveMoment: Equatable, Sendable {
  /// ``Recorder/Content/pastRevision``.
  var pastRevision: Int

  /// The number of entries that there ever were before the first one that is kept.
  var firstPlace: Int

  /// The number of all entries that there ever were.
  var end: Int
  var position: Int
  var isTravelling: Bool

  /// The number of actions that wait until the present is shown again.
  var held: Int

  /// ``Recorder/Content/storeChanges``.
  var storeChanges: Int

  /// ``RecordedTasks/revision``.
  var taskChanges: Int
}

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

  /// The place after the last task that was sent.
  var taskEnd = 0

  /// The places of the tasks that were running then.
  var runningTasks: [Int] = []

  /// The beginning: nothing was sent.
  public init() {}
}
