/// The file from which a recording was read, so far as the recording says nothing else about it.
struct RecordingSource: Sendable {
  /// The name of the program.
  let name: String

  /// The number of actions that were part of the file's base.
  var omitted = 0

  /// The measurements that the file has; nil if it has none.
  var metrics: RecordedValue?
}
