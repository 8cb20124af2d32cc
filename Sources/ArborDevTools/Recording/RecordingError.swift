/// The reason why a ``Recording`` refuses a command. A command that throws hasn't changed anything.
public enum RecordingError: Error, Equatable, Sendable {
  /// The recording has no action with this number: either there never was one, or it was swept or committed.
  case noSuchAction(Int)

  /// The recording has no such position. Its positions range from 0, before the first action, to its count.
  case noSuchPosition(Int, count: Int)

  /// The recording has no action with a number in this range.
  case noActions(in: Range<Int>)

  /// The recording is locked and accepts no actions.
  case locked

  /// A ``Recorder`` has no store: none was made with it, or its root is gone.
  case noStore

  /// A recording keeps at least two actions.
  case limitTooSmall(Int)
}

extension RecordingError: CustomStringConvertible {
  /// One sentence that says what was refused and why.
  public var description: String {
    switch self {
    case .noSuchAction(let number): "the recording has no action with the number \(number)"
    case .noSuchPosition(let position, let count):
      "the recording has no position \(position): its positions are 0 to \(count)"
    case .noActions(let range):
      "the recording has no action with a number in \(range.lowerBound)..<\(range.upperBound)"
    case .locked: "the recording is locked and accepts no actions"
    case .noStore: "the recorder has no store: none was made with it, or its root is gone"
    case .limitTooSmall(let limit): "a recording keeps at least two actions, so its limit can't be \(limit)"
    }
  }
}
