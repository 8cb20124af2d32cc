import ArborSync
import Foundation
import PostgresLog
import Testing

/// A log in one place, which several processes can open: a separate name in the tests' database.
struct LogPlace: Sendable {
  enum Kind: CaseIterable, Sendable {
    case postgres

    /// There are no kinds without a server.
    static var allCases: [Kind] { TestServer.url == nil ? [] : [.postgres] }
  }

  /// Opens the log again, as another process would.
  let open: @Sendable () -> any OrderedLog

  /// Advances the log's time by seconds.
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
