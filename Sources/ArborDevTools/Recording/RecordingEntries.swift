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
      precondition(indices.contains(index), "index \(index) is not in a recording of \(count) actions")
      return recording[entryAt: index]
    }
  }

  /// The actions, in order.
  public var entries: Entries { Entries(recording: self) }
}
