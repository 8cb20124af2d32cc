internal import Arbor
internal import Dispatch

/// The waiting turns, in the order of arrival. Removing the first one is O(1).
struct TurnQueue: Sendable {
  private var turns: [Turn?] = []
  private var start = 0

  /// All waiting turns, in order.
  var all: some Sequence<Turn> { turns[start...].lazy.compactMap { $0 } }

  mutating func append(_ turn: Turn) {
    turns.append(turn)
  }

  mutating func popFirst() -> Turn? {
    while start < turns.count {
      defer {
        turns[start] = nil
        start += 1
        if start * 2 > turns.count { dropTaken() }
      }
      if let turn = turns[start] { return turn }
    }
    return nil
  }

  mutating func remove(_ number: UInt64) -> Turn? {
    guard let index = turns[start...].firstIndex(where: { $0?.number == number }) else { return nil }
    return turns.remove(at: index)
  }

  private mutating func dropTaken() {
    turns.removeFirst(start)
    start = 0
  }
}

/// Work that waits for a manual executor.
struct Turn: Sendable {
  enum Work: Sendable {
    /// The next entry of a mailbox.
    case tree(any Drainable)

    /// A delivery to a waiting subscriber.
    case delivery(DispatchQueue, @Sendable () -> Void)

    /// The work of a timer that has fired.
    case timer(@Sendable () -> Void)

    /// A part of a task, from one suspension to the next.
    case part(@Sendable () -> Void)
  }

  /// Its position in the order of arrival.
  let number: UInt64
  let work: Work

  /// The line that orders it: turns in the same line keep their order; nil if it may run at any time.
  var line: Line? {
    switch work {
    case .tree(let tree): .tree(ObjectIdentifier(tree))
    // Two objects may represent one queue, but not with two labels.
    case .delivery(let queue, _): .queue(queue.label)
    case .timer, .part: nil
    }
  }

  enum Line: Hashable {
    case tree(ObjectIdentifier)
    case queue(String)
  }
}
