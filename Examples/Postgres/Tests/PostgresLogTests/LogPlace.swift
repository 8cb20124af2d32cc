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
