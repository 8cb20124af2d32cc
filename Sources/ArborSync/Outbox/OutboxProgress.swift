internal import Foundation

/// How far a client has come with its log, and which of its actions wait.
struct OutboxProgress: Codable, Equatable, Sendable {
  /// An own action that is not confirmed.
  struct WaitingAction: Codable, Equatable, Sendable {
    /// Who has numbered it: usually the client itself; one of another incarnation if the outbox was lost meanwhile.
    var client: LogClient
    var number: Int
    let version: Int
    let bytes: Data
  }

  var client: LogClient

  /// The log; nil until one was found.
  var log: UUID?

  /// The position of the last action in the confirmed state.
  var position = 0

  /// The last number of each client up to there.
  var numbers: [LogClient: Int] = [:]
  var waiting: [WaitingAction] = []

  /// The last number that the client has given.
  var lastNumber = 0

  /// The last number of the client that may have been sent. If the log has a greater one, somebody else has given it: the
  /// outbox is older than what was sent of it.
  var attempted = 0

  /// The names of the jobs of state effects that this client performs.
  var jobs: Set<String> = []

  init(_ client: LogClient) {
    self.client = client
  }

  mutating func add(_ bytes: Data, version: Int) {
    lastNumber += 1
    waiting.append(WaitingAction(client: client, number: lastNumber, version: version, bytes: bytes))
  }

  /// Goes on behind actions of the log.
  mutating func confirm(_ actions: [LoggedAction]) {
    for action in actions {
      position = action.position
      numbers[action.client] = action.number
      if let first = waiting.first, first.client == action.client, first.number == action.number {
        waiting.removeFirst()
      }
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

  /// Gives new numbers to those waiting actions that were never sent, as those of another incarnation.
  mutating func renumber(as client: LogClient) {
    let first = waiting.firstIndex { $0.client == self.client && $0.number > attempted } ?? waiting.count
    renumber(from: first, as: client)
  }

  /// Gives new numbers to the waiting actions from one on.
  mutating func renumber(from first: Int, as client: LogClient) {
    self.client = client
    for (offset, index) in (first..<waiting.count).enumerated() {
      (waiting[index].client, waiting[index].number) = (client, offset + 1)
    }
    (lastNumber, attempted) = (waiting.count - first, 0)
  }
}
