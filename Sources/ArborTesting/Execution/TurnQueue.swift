/// The turns that wait, in the order in which they came; taking the first one is O(1).
struct TurnQueue: Sendable {
  private var turns: [Turn?] = []
  private var start = 0

  var isEmpty: Bool { start == turns.count }

  /// All that wait, in order.
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
