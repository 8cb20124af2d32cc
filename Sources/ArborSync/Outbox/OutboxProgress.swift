package import Foundation

/// The progress of a client with its log, and its actions that wait.
package struct OutboxProgress: Codable, Equatable, Sendable {
  /// An own action that is not confirmed.
  package struct WaitingAction: Codable, Equatable, Sendable {
    /// The incarnation that has numbered it: the present one, or an earlier one.
    package var client: LogClient
    package var number: Int
    package let version: Int
    package let bytes: Data

    /// `true` if it may have been sent, and nobody else can have sent another one with its number.
    package var isAttempted = false
  }

  package var client: LogClient

  /// The version of the reducer that has made the confirmed state.
  package var reducerVersion: Int

  /// `true` if the confirmed state is not the one of its position, as another client has another one, or some of it could not
  /// be read: the next start takes it from the log again.
  package var isDoubtful = false

  /// The log; nil until one was found.
  package var log: UUID?

  /// The position of the last action in the confirmed state.
  package var position = 0

  /// The last number of each client up to there.
  package var numbers: [LogClient: Int] = [:]
  package var waiting: [WaitingAction] = []

  /// The last number that the client has given.
  package var lastNumber = 0

  /// The last number of the client that may have been sent. If the log has a greater one, somebody else has given it: the
  /// outbox is older than what was sent of it.
  package var attempted = 0

  /// The clients whose the jobs of state effects are that are in progress, by the names of the jobs.
  package var jobs: [String: UInt64] = [:]

  /// The earlier incarnations of the client.
  package var earlier: Set<UInt64> = []

  /// All incarnations of the client.
  var incarnations: Set<UInt64> { earlier.union([client.incarnation]) }

  package init(_ client: LogClient, reducerVersion: Int) {
    self.client = client
    self.reducerVersion = reducerVersion
  }

  /// Goes back to the beginning of the log, with what waits.
  mutating func forget(reducerVersion: Int) {
    (position, numbers, jobs, isDoubtful) = (0, [:], [:], false)
    self.reducerVersion = reducerVersion
  }

  mutating func add(_ bytes: Data, version: Int) {
    lastNumber += 1
    waiting.append(WaitingAction(client: client, number: lastNumber, version: version, bytes: bytes))
  }

  /// The meaning of an action of the log for this client.
  enum Meaning {
    /// The own action that waits longest.
    case own

    /// Another client's, or one that was confirmed before.
    case other

    /// One with the number of the own action that waits longest, sent by somebody who has a copy of the outbox.
    case takesNumber

    /// One that somebody who has a copy of the outbox has sent as this incarnation: another one must go on.
    case copied

    /// One with the number of the own action that waits longest, sent as this incarnation, and not what was sent: by somebody
    /// who has a copy of the outbox, or the log does not give back what it was given.
    case changed
  }

  /// The meanings of actions that follow the confirmed state, in order.
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

  /// Goes on behind actions of the log.
  mutating func confirm(_ actions: [LoggedAction]) {
    let meanings = meanings(of: actions)
    let first = waiting.prefix(meanings.count { $0 == .own || $0 == .takesNumber })
    waiting.removeFirst(first.count)
    // They get other numbers, behind all others.
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

  /// Goes on behind a snapshot.
  mutating func begin(at snapshot: LogSnapshot) {
    waiting.removeFirst(waitingCount(in: snapshot))
    position = snapshot.position
    numbers = snapshot.numbers
  }

  /// The number of actions that wait and are in a snapshot.
  func waitingCount(in snapshot: LogSnapshot) -> Int {
    waiting.prefix { $0.number <= snapshot.numbers[$0.client] ?? 0 }.count
  }

  /// Goes on as another incarnation, as the log has numbers that this outbox has never sent: somebody who had a copy of it
  /// has gone on, or it is itself a copy that was brought back.
  ///
  /// - Waiting actions up to the log's last number keep theirs: they may be those in the log, which is found out when they are
  ///   read.
  mutating func goOn(as client: LogClient, behind last: Int, isCopied: Bool) {
    // An action that may have been sent keeps its number as well: it may be on its way.
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
