internal import Arbor

extension Recording {
  /// The actions of a recording, in order: the index of one is the position before it.
  ///
  /// - It keeps the recording as it was, and shares its memory.
  public struct Entries: RandomAccessCollection, Sendable {
    let recording: Recording

    /// The index of the first action: 0.
    public var startIndex: Int { 0 }

    /// The number of actions.
    public var endIndex: Int { recording.count }

    /// The action at an index, which is made anew each time, in constant time.
    ///
    /// - Parameter index: The position before the action; one that is not there stops the program.
    public subscript(index: Int) -> Entry {
      guard indices.contains(index) else {
        Misuse.readingNoAction.stop(about: "index \(index) of a recording of \(count) actions")
      }
      return recording[entryAt: index]
    }
  }

  /// The actions, in order.
  public var entries: Entries { Entries(recording: self) }
}

/// A misuse of the actions of a recording.
extension Misuse {
  fileprivate static let readingNoAction = Misuse(
    """
    an action of a recording was read at an index that the recording doesn't have. Use indices of `entries` alone, from 0 up to \
    its count, or `entry(_:)`, which throws for a number that no action has.
    """
  )
}
