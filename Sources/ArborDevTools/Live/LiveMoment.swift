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
