internal import Arbor

/// A store in a ``LogRecord``.
public struct LoggedStore: Codable, Hashable, Sendable {
  /// A number that no other store in the process has.
  public var id: UInt64

  /// The number of the store above; nil for a root.
  public var parent: UInt64?

  /// The name of the type of its own state.
  public var state: String

  /// The name that the factory was given; nil if it was given none, and for a child.
  public var name: String?

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - id: A number that no other store in the process has.
  ///   - parent: The number of the store above; nil for a root.
  ///   - state: The name of the type of its own state.
  ///   - name: The name that the factory was given.
  public init(id: UInt64, parent: UInt64? = nil, state: String, name: String? = nil) {
    self.id = id
    self.parent = parent
    self.state = state
    self.name = name
  }

  init(_ store: MonitoredStore) {
    self.init(
      id: store.id,
      parent: store.parent,
      state: LineText.beginning(of: String(describing: store.stateType)),
      name: store.name.map { LineText.beginning(of: $0) }
    )
  }
}

extension LoggedStore: CustomStringConvertible {
  /// The store's name, or that of its state's type, and the number: `AppState#1`.
  public var description: String { "\(LineText.escaping(name ?? state))#\(id)" }

  /// The way to a part of its state, with its name in front.
  func path(to part: String) -> String {
    description + (part.isEmpty || part.hasPrefix("[") ? "" : ".") + part
  }
}
