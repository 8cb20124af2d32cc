import ArborSync
import Foundation
import PostgresLog
import Testing

/// The place of a log, which several processes may open: a separate name in the tests' database.
struct LogPlace: Sendable {
  enum Kind: CaseIterable, Sendable {
    case postgres

    /// There are none without a server.
    static var allCases: [Kind] { TestServer.url == nil ? [] : [.postgres] }
  }

  /// Opens the log again, like another process.
  let open: @Sendable () -> any OrderedLog

  /// Lets seconds pass.
  let advance: @Sendable (Int) -> Void

  /// The lease of each log, in seconds.
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
