import ArborSync
import Foundation
import PostgresLog
import Testing

/// A place where a log is, which several processes may open: a name of its own in the database of the tests.
struct LogPlace: Sendable {
  enum Kind: CaseIterable, Sendable {
    case postgres

    /// None without a server.
    static var allCases: [Kind] { TestServer.url == nil ? [] : [.postgres] }
  }

  /// Opens the log once more, as another process would.
  let open: @Sendable () -> any OrderedLog

  /// Lets seconds pass.
  let advance: @Sendable (Int) -> Void

  /// The lease of each, in seconds.
  static let lease = 100

  init(_ kind: Kind) {
    let (settings, name) = (ConnectionSettings(TestServer.url ?? ""), "place \(UUID())")
    let second = Counter()
    open = {
      PostgresLog(settings, name: name, lease: .seconds(Self.lease)) { second.value }
    }
    advance = { second.add($0) }
  }
}

extension OrderedLog {
  /// Appends texts, with the numbers from one on.
  func append(_ texts: String..., of client: LogClient, from first: Int, to log: UUID) async throws(LogError) {
    try await append(ActionBatch(of: client, first: first, version: 1, texts.map { Data($0.utf8) }), to: log)
  }

  /// All that can be read behind a position, a few at a time.
  func all(behind position: Int = 0, in log: UUID) async throws(LogError) -> [LoggedAction] {
    var all: [LoggedAction] = []
    while true {
      let actions = try await actions(behind: position + all.count, atMost: 7, in: log)
      if actions.isEmpty { return all }
      all += actions
    }
  }
}

extension LoggedAction {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
