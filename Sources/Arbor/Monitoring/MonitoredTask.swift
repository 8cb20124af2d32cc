/// A task of a store, as monitors know it.
public struct MonitoredTask: Sendable {
  /// The store it belongs to, itself or one of its scopes.
  public let store: MonitoredStore

  /// A number that no other task in the process has.
  public let id: UInt64

  /// Its key, if it has one.
  public let key: (any Hashable & Sendable)?

  package init(store: MonitoredStore, id: UInt64, key: (any Hashable & Sendable)?) {
    self.store = store
    self.id = id
    self.key = key
  }
}
