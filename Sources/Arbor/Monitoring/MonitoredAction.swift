/// An action as a monitor sees it: lent for the length of a call.
public struct MonitoredAction: ~Copyable {
  /// The store it was dispatched to.
  public let store: MonitoredStore

  @usableFromInline let type: Any.Type
  @usableFromInline let address: UnsafeRawPointer

  @usableFromInline
  package init<Action: Sendable>(_ address: UnsafePointer<Action>, in store: MonitoredStore) {
    self.store = store
    self.address = UnsafeRawPointer(address)
    type = Action.self
  }

  /// The action. Cost: it is put into a box.
  public var value: any Sendable {
    func load<Action>(_: Action.Type) -> Any { address.assumingMemoryBound(to: Action.self).pointee }
    // Nothing but the compiler knows what is sendable; it was asked when this was made.
    return unsafeBitCast(_openExistential(type, do: load), to: (any Sendable).self)
  }

  /// The action, if it is of a type; without a box.
  @inlinable
  public func value<Action>(as _: Action.Type) -> Action? {
    type == Action.self ? address.assumingMemoryBound(to: Action.self).pointee : nil
  }
}
