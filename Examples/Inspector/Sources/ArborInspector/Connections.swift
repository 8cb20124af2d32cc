internal import Synchronization

/// The connections of a server.
///
/// - A connection counts until its task has ended, because it keeps its descriptor until then.
final class Connections: Sendable {
  /// The current work of a connection.
  enum Phase: Equatable {
    /// It waits for a whole request.
    case waiting

    /// The program is answering its request.
    case answering

    /// It waits for the browser to take bytes.
    case sending

    /// It was canceled.
    case ending
  }

  private struct Entry {
    let task: Task<Void, Never>
    var phase = Phase.waiting
    var since = ContinuousClock.now
  }

  private struct Table {
    var lastNumber = 0
    var entries: [Int: Entry] = [:]
  }

  private let table = Mutex(Table())

  /// The number of connections.
  var count: Int { table.withLock { $0.entries.count } }

  /// Begins a connection.
  ///
  /// - Parameter serve: Serves it, by its number. The connection counts until this returns.
  func begin(_ serve: @escaping @Sendable (_ number: Int) async -> Void) {
    table.withLock { table in
      table.lastNumber += 1
      let number = table.lastNumber
      // The end of the task waits for the lock, and so finds the entry.
      table.entries[number] = Entry(
        task: Task {
          await serve(number)
          _ = self.table.withLock { $0.entries.removeValue(forKey: number) }
        }
      )
    }
  }

  /// Sets the current phase of a connection.
  func set(_ phase: Phase, of number: Int) {
    table.withLock { table in
      guard let entry = table.entries[number], entry.phase != .ending else { return }
      table.entries[number]?.phase = phase
      table.entries[number]?.since = .now
    }
  }

  /// Ends the connection that has waited longest for a request, if any is waiting.
  func endLongestWaiting() {
    table.withLock { table in
      let waiting = table.entries.filter { $0.value.phase == .waiting }
      guard let longest = waiting.min(by: { $0.value.since < $1.value.since }) else { return }
      table.entries[longest.key]?.phase = .ending
      longest.value.task.cancel()
    }
  }

  /// Ends the connections that have waited for their browser longer than a duration.
  func endIdle(after idleTime: Duration) {
    table.withLock { table in
      for (number, entry) in table.entries where entry.phase == .waiting || entry.phase == .sending {
        guard entry.since.duration(to: .now) > idleTime else { continue }
        table.entries[number]?.phase = .ending
        entry.task.cancel()
      }
    }
  }

  /// Ends all connections, and waits for their end.
  func endAll() async {
    let tasks = table.withLock { $0.entries.values.map(\.task) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
