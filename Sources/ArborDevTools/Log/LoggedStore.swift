internal import Arbor

/// A store in a ``LogRecord``.
public struct LoggedStore: Codable, Hashable, Sendable {
  /// A number that no other store in the process has.
  public var id: UInt64

  /// The number of the store above; nil for a root.
  public var parent: UInt64?

  /// The name of the type of its own state.
  public var state: String

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - id: A number that no other store in the process has.
  ///   - parent: The number of the store above; nil for a root.
  ///   - state: The name of the type of its own state.
  public init(id: UInt64, parent: UInt64? = nil, state: String) {
    self.id = id
    self.parent = parent
    self.state = state
  }

  init(_ store: MonitoredStore) {
    self.init(id: store.id, parent: store.parent, state: LineText.beginning(of: store.description))
  }
}

extension LoggedStore: CustomStringConvertible {
  /// The state's name and the number: `AppState#1`.
  public var description: String { "\(LineText.escaping(state))#\(id)" }

  /// The way to a part of its state, with its name in front.
  func path(to part: String) -> String {
    description + (part.isEmpty || part.hasPrefix("[") ? "" : ".") + part
  }
}
