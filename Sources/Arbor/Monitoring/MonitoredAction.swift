/// An action as a monitor sees it: lent for the length of a call.
public struct MonitoredAction: ~Copyable {
  /// The store it was dispatched to.
  public let store: MonitoredStore

  private let type: Any.Type
  private let address: UnsafeRawPointer
  private let box: (UnsafeRawPointer) -> any Sendable

  @usableFromInline
  init<Action: Sendable>(_ address: UnsafePointer<Action>, in store: MonitoredStore) {
    self.store = store
    self.address = UnsafeRawPointer(address)
    type = Action.self
    box = { $0.assumingMemoryBound(to: Action.self).pointee }
  }

  /// The action. Cost: it is put into a box.
  public var value: any Sendable { box(address) }

  /// The action, if it is of a type; without a box.
  public func value<Action>(as _: Action.Type) -> Action? {
    type == Action.self ? address.assumingMemoryBound(to: Action.self).pointee : nil
  }
}
