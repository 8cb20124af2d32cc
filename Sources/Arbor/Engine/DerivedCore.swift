internal import Dispatch

/// The value of a ``Derived`` and those who observe it: a node of its own on the mailbox of a tree.
///
/// - Its sources hold the core, or what tells it that they changed; it holds its sources, and not the handle.
@usableFromInline
final class DerivedCore<Value: Sendable>: Derivation, @unchecked Sendable {  // The mailbox's queue owns its variables.
  let order = Identity().number
  let mailbox: Mailbox

  /// Where those who observe the value subscribe.
  let store: Store<Value, Never>

  private let current: CurrentValue<Value>
  /// Whether a computed value is the last one.
  private let areEqual: @Sendable (Value, Value) -> Bool

  /// Computes the value from other derived values; nil if a store gives it.
  private let compute: (@Sendable () -> Value)?

  /// How often the values were written, together, from which it is computed.
  private let sourceVersion: @Sendable () -> UInt64

  /// What that was when it was computed.
  private var computedVersion: UInt64

  /// The same as the current value, for the queue.
  private var last: Value

  /// Whether those who observe it are to be told.
  private var isNew = false

  @usableFromInline
  convenience init(_ value: Value, on mailbox: Mailbox) {
    self.init(
      value,
      on: mailbox,
      areEqual: { _, _ in false },
      compute: nil,
      sourceVersion: { 0 },
      computedVersion: 0
    )
  }

  convenience init(
    on mailbox: Mailbox,
    areEqual: @escaping @Sendable (Value, Value) -> Bool,
    sourceVersion: @escaping @Sendable () -> UInt64,
    compute: @escaping @Sendable () -> Value
  ) {
    var first: (version: UInt64, value: Value)?
    // Between two steps, so that its sources are up to date.
    mailbox.wait { first = (sourceVersion(), compute()) }
    self.init(
      first!.value,
      on: mailbox,
      areEqual: areEqual,
      compute: compute,
      sourceVersion: sourceVersion,
      computedVersion: first!.version
    )
  }

  private init(
    _ value: Value,
    on mailbox: Mailbox,
    areEqual: @escaping @Sendable (Value, Value) -> Bool,
    compute: (@Sendable () -> Value)?,
    sourceVersion: @escaping @Sendable () -> UInt64,
    computedVersion: UInt64
  ) {
    self.sourceVersion = sourceVersion
    self.computedVersion = computedVersion
    let current = CurrentValue(value)
    self.current = current
    self.mailbox = mailbox
    self.areEqual = areEqual
    self.compute = compute
    last = value
    let node = StateNode<Value, Never>(
      port: Port(mailbox: mailbox, quality: .unspecified),
      parent: nil,
      read: { current.value },
      reduce: StateNode<Value, Never>.reduceNever,
      interception: nil,
      announce: nil
    )
    store = Store(of: node)
  }

  /// Whether there is a source that may change the value. From any thread.
  @usableFromInline var isOpen: Bool { store.port?.door.isOpen == true }

  /// The value, from any thread.
  var value: Value { current.value }

  /// How often the value was written.
  var version: UInt64 { current.version }

  /// A store gives another value. From any thread; in order.
  @usableFromInline
  func receive(_ value: Value) {
    onQueue { $0.take(value) }
  }

  /// What the value is computed from has changed. From any thread.
  func expire() {
    onQueue { $0.mailbox.derivations.add($0) }
  }

  func settle() {
    if let compute {
      let version = sourceVersion()
      guard version != computedVersion else { return }
      computedVersion = version
      let value = compute()
      if !areEqual(last, value) { take(value) }
    }
    guard isNew else { return }
    isNew = false
    guard let port = store.port, let node = mailbox.resident(of: port.door) else { return }
    unsafeDowncast(node, to: StateNode<Value, Never>.self).notify(last)
  }

  /// Lets those go who observe the value. From any thread, any number of times.
  @usableFromInline
  func close() {
    guard let port = store.port else { return }
    mailbox.close(port.door) { node in unsafeDowncast(node, to: Node.self).detach() }
  }

  private func take(_ value: Value) {
    last = value
    current.value = value
    isNew = true
    // A computed value is taken while it is settled.
    if compute == nil { mailbox.derivations.add(self) }
  }

  /// In the running step if this is the queue, else in a step of its own.
  private func onQueue(_ body: @escaping @Sendable (DerivedCore) -> Void) {
    guard let port = store.port, !mailbox.isInside else { return body(self) }
    _ = mailbox.append(at: port.door) { [self] _ in
      body(self)
      mailbox.derivations.settle()
    }
  }
}
