/// An action that a monitor sees, borrowed for the duration of a call.
public struct MonitoredAction: ~Copyable {
  /// The store to which the action was dispatched.
  public let store: MonitoredStore

  @usableFromInline let type: Any.Type
  @usableFromInline let address: UnsafeRawPointer

  @usableFromInline
  package init<Action: Sendable>(_ address: UnsafePointer<Action>, in store: MonitoredStore) {
    self.store = store
    self.address = UnsafeRawPointer(address)
    type = Action.self
  }

  /// The action. This copies it into an existential box, which ``value(as:)`` does not need.
  public var value: any Sendable {
    func load<Action>(_: Action.Type) -> Any { address.assumingMemoryBound(to: Action.self).pointee }
    // `Sendable` cannot be tested at run time. The constraint of the initializer has tested it at compile time.
    return unsafeBitCast(_openExistential(type, do: load), to: (any Sendable).self)
  }

  /// The action if it is of a type, else nil; without a box.
  @inlinable
  public func value<Action>(as _: Action.Type) -> Action? {
    type == Action.self ? address.assumingMemoryBound(to: Action.self).pointee : nil
  }
}
