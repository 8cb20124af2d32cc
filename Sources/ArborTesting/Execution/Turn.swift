internal import Arbor
internal import Dispatch

/// Something that waits for a manual executor.
struct Turn: Sendable {
  enum Work: Sendable {
    /// The next entry of a mailbox.
    case tree(any Drainable)

    /// A delivery for which a subscriber waits.
    case delivery(DispatchQueue, @Sendable () -> Void)

    /// The work of a timer that has rung.
    case timer(@Sendable () -> Void)

    /// A part of a task, from one suspension to the next.
    case part(@Sendable () -> Void)
  }

  /// Its place in the order in which turns came.
  let number: UInt64
  let work: Work

  /// The line that orders it: entries with an equal line keep their order; nil if it may come at any time.
  var line: Line? {
    switch work {
    case .tree(let tree): .tree(ObjectIdentifier(tree))
    // Two objects may stand for one queue, but not with two labels.
    case .delivery(let queue, _): .queue(queue.label)
    case .timer, .part: nil
    }
  }

  enum Line: Hashable {
    case tree(ObjectIdentifier)
    case queue(String)
  }
}
