package import Foundation

/// A client's progress with its log, and its waiting actions.
package struct OutboxProgress: Codable, Equatable, Sendable {
  /// An action of this client that isn't confirmed yet.
  package struct WaitingAction: Codable, Equatable, Sendable {
    /// The incarnation that has numbered the action: the current one, or an earlier one.
    package var client: LogClient
    package var number: Int
    package let version: Int
    package let bytes: Data

    /// `true` if the action may have been sent, and no other client can have sent a different action with its number.
    package var isAttempted = false
  }

  package var client: LogClient

  /// The version of the reducer that made the confirmed state.
  package var reducerVersion: Int

  /// `true` if the confirmed state may be wrong for its position, because another client has a different one, or because a part
  /// couldn't be read. The next start reads it from the log again.
  package var isDoubtful = false

  /// The id of the log; nil until one was found.
  package var log: UUID?

  /// The position of the last action in the confirmed state.
  package var position = 0

  /// The last number of each client up to that position.
  package var numbers: [LogClient: Int] = [:]
  package var waiting: [WaitingAction] = []

  /// The last number that the client has used.
  package var lastNumber = 0

  /// The last number of the client that may have been sent. If the log has a greater one, another process has sent it, so the
  /// outbox is older than its own entries in the log.
  package var attempted = 0

  /// The owners of the state effects' jobs in progress, by the names of the jobs.
  package var jobs: [String: UInt64] = [:]

  /// The earlier incarnations of the client.
  package var earlier: Set<UInt64> = []

  /// All incarnations of the client.
  var incarnations: Set<UInt64> { earlier.union([client.incarnation]) }

  package init(_ client: LogClient, reducerVersion: Int) {
    self.client = client
    self.reducerVersion = reducerVersion
  }

  /// Returns to the beginning of the log. The waiting actions stay.
  mutating func forget(reducerVersion: Int) {
    (position, numbers, jobs, isDoubtful) = (0, [:], [:], false)
    self.reducerVersion = reducerVersion
  }

  mutating func add(_ bytes: Data, version: Int) {
    lastNumber += 1
    waiting.append(WaitingAction(client: client, number: lastNumber, version: version, bytes: bytes))
  }

  /// The meaning that an action of the log has for this client.
  enum Meaning {
    /// The client's own action that has waited longest.
    case own

    /// Another client's action, or one of this client's that was confirmed before.
    case other

    /// A different action with the number of the own action that has waited longest. A process with a copy of the outbox has
    /// sent it.
    case takesNumber

    /// An action that a process with a copy of the outbox has sent as this incarnation. This client must continue as another
    /// one.
    case copied

    /// An action of this incarnation with the number of the longest waiting action, but with different content. A process with
    /// a copy of the outbox has sent it, or the log doesn't return what it was given.
    case changed
  }

  /// Returns the meanings of actions that follow the confirmed state, in order.
  func meanings(of actions: [LoggedAction]) -> [Meaning] {
    var first = 0
    return actions.map { action in
      guard first < waiting.count, waiting[first].client == action.client, waiting[first].number == action.number else {
        return action.client == client && action.number > attempted ? .copied : .other
      }
      let isOwn = waiting[first].bytes == action.bytes && waiting[first].version == action.version
      guard isOwn || action.client != client else { return .changed }
      first += 1
      return isOwn ? .own : .takesNumber
    }
  }

  /// Moves forward past actions of the log.
  mutating func confirm(_ actions: [LoggedAction]) {
    let meanings = meanings(of: actions)
    let first = waiting.prefix(meanings.count { $0 == .own || $0 == .takesNumber })
    waiting.removeFirst(first.count)
    // These get new numbers, after all others.
    for (action, meaning) in zip(first, meanings.filter { $0 == .own || $0 == .takesNumber })
    where meaning == .takesNumber {
      add(action.bytes, version: action.version)
    }
    for action in actions {
      position = action.position
      numbers[action.client] = action.number
    }
  }

  /// Notes that actions up to a number are sent from now on.
  mutating func attempt(_ number: Int) {
    attempted = max(attempted, number)
    for index in waiting.indices where waiting[index].client == client && waiting[index].number <= number {
      waiting[index].isAttempted = true
    }
  }

  /// Moves forward to a snapshot.
  mutating func begin(at snapshot: LogSnapshot) {
    waiting.removeFirst(waitingCount(in: snapshot))
    position = snapshot.position
    numbers = snapshot.numbers
  }

  /// Returns the number of waiting actions that a snapshot contains.
  func waitingCount(in snapshot: LogSnapshot) -> Int {
    waiting.prefix { $0.number <= snapshot.numbers[$0.client] ?? 0 }.count
  }

  /// Continues as another incarnation, because the log has numbers that this outbox has never sent. Either another process has
  /// used a copy of this outbox, or this outbox is itself a restored copy.
  ///
  /// - Waiting actions up to the log's last number keep theirs. They may be the ones in the log, which becomes clear when these
  ///   are read.
  mutating func goOn(as client: LogClient, behind last: Int, isCopied: Bool) {
    // An action that may have been sent keeps its number, too, because it may still arrive.
    let kept = max(last, attempted)
    let first = waiting.firstIndex { $0.client == self.client && $0.number > kept } ?? waiting.count
    if isCopied { for index in waiting.indices.prefix(first) { waiting[index].isAttempted = false } }
    earlier.insert(self.client.incarnation)
    self.client = client
    for (offset, index) in (first..<waiting.count).enumerated() {
      (waiting[index].client, waiting[index].number, waiting[index].isAttempted) = (client, offset + 1, false)
    }
    (lastNumber, attempted) = (waiting.count - first, 0)
  }
}
