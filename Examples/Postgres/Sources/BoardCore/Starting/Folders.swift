package import Foundation

/// The folders of the program: the log, if it is a file, and an outbox for each name.
package struct Folders: Equatable, Sendable {
  package let root: URL

  package init(root: URL) {
    self.root = root
  }

  /// Makes the default folders, from the environment or the system.
  ///
  /// - Parameters:
  ///   - environment: The environment. `XDG_STATE_HOME` is the folder for states, `HOME` the user's folder.
  ///   - home: The user's folder according to the system, if the environment doesn't contain it.
  package init(environment: [String: String], home: URL) {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      root = URL(filePath: state, directoryHint: .isDirectory).appending(path: "arbor-board")
      return
    }
    var home = home
    if let own = environment["HOME"], own.hasPrefix("/") { home = URL(filePath: own, directoryHint: .isDirectory) }
    #if os(macOS)
      root = home.appending(path: "Library/Application Support/arbor-board")
    #else
      root = home.appending(path: ".local/state/arbor-board")
    #endif
  }

  /// The log of all users of this folder.
  package var log: URL { root.appending(path: "log") }

  /// Returns the outbox of a name.
  ///
  /// - Parameter log: The address of a log in a database; nil for the one in the folder. Each log has separate outboxes,
  ///   because changes for one log must not be sent to another.
  package func outbox(of name: String, for log: String? = nil) -> URL {
    let place = log.map { "outboxes for \(Self.place(of: $0))" } ?? "outboxes"
    return root.appending(path: place).appending(path: Self.fileName(name))
  }

  /// Returns the server and the database of an address, without the user, the password, and the parameters.
  private static func place(of log: String) -> String {
    let place = log.prefix { $0 != "?" }.split(separator: "://", maxSplits: 1).last ?? ""
    let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var server = parts[0].split(separator: "@", omittingEmptySubsequences: false).last?.lowercased() ?? ""
    // The default port may be included or not.
    if server.hasSuffix(":5432") { server.removeLast(5) }
    return String(fileName(([server] + parts.dropFirst().map(String.init)).joined(separator: "/")).prefix(200))
  }

  /// Returns the name as a file name that cannot lead out of its folder.
  private static func fileName(_ name: String) -> String {
    name.utf8.map { byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(Unicode.Scalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
