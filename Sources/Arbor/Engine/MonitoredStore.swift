/// A store of a monitored tree, as its monitors know it: the root or a child, with all scopes of it.
public struct MonitoredStore: Sendable {
  /// A number that no other store in the process has.
  public let id: UInt64

  /// The number of the store above; nil for a root.
  public let parent: UInt64?

  /// The type of its own state: not of what a `stateMapping` composes.
  public let stateType: Any.Type

  package init(id: UInt64, parent: UInt64?, stateType: Any.Type) {
    self.id = id
    self.parent = parent
    self.stateType = stateType
  }

  @usableFromInline
  init(below parent: MonitoredStore?, _ stateType: Any.Type) {
    self.init(id: Identity().number, parent: parent?.id, stateType: stateType)
  }
}

extension MonitoredStore: Hashable {
  /// Whether both are the same store.
  public static func == (left: MonitoredStore, right: MonitoredStore) -> Bool {
    left.id == right.id
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension MonitoredStore: CustomStringConvertible {
  /// The name of the state's type.
  public var description: String { String(describing: stateType) }
}
