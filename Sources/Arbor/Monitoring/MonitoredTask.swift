/// A task of a store, as monitors know it.
public struct MonitoredTask: Sendable {
  /// The store it belongs to, itself or one of its scopes.
  public let store: MonitoredStore

  /// A number that no other task in the process has.
  public let id: UInt64

  /// Its key, if it has one.
  public let key: (any Hashable & Sendable)?
}
