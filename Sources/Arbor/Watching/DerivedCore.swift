internal import Dispatch

// The life of a derived value:
//
// - made: StoreProtocol+Derived computes the first value and connects an observer to the store, whose node links it
//   among its early observers. It needs no entry, because it has the current state. A combined value (Derived+Combined)
//   is added to its inputs instead.
// - received: In each step, before any observer is called, `StateNode.runEarlyRound` passes the state down the tree,
//   and the value's observer computes and compares. If the value differs, `receive` adds it to DerivedUpdates.
// - updated: `DerivedUpdates.actBeforeObservers` runs in the order in which values were made: combined values are
//   computed from inputs that are up to date.
// - notified: After the store's observers, `DerivedUpdates.actAfterObservers` calls `notify` on each changed value,
//   which calls the value's own observers. Each derived value has an `Audience`, like a node.
// - closed: After the store's owner or the last reference to the `Derived` is gone, it keeps its last value.

/// The value of a ``Derived``, its observers, and the derived values computed from it.
///
/// - Ownership: the subscription to a store retains the core; an input core refers to it weakly. The core retains its
///   inputs, but never its own ``Derived``.
@usableFromInline
package final class DerivedCore<Value: Sendable>: Derivation, @unchecked Sendable {
  // Sendable because its variables without a lock are only used on the tree's queue.

  /// The computation of a value from other derived values.
  struct Computation: Sendable {
    let compute: @Sendable () -> Value
    let areEqual: @Sendable (Value, Value) -> Bool

    /// Returns the sum of the versions of all inputs.
    let version: @Sendable () -> UInt64
  }

  let creationOrder = Identity().number

  /// The value, and its observers.
  private let current: ValueAudience<Value>
  private let dependents = Protected(Dependents())

  /// The computation of the value; nil if the value comes from a store.
  private let computation: Computation?

  /// The version of the inputs when the value was last computed.
  private var computedVersion: UInt64
  /// The version of the inputs when the value was first computed.
  private let firstVersion: UInt64

  /// The last value that observers were notified of; nil if the value comes from a store.
  private var lastNotified: Value?

  /// `true` if the store has sent a new value, and observers haven't been notified of it yet.
  private var hasNewStoreValue = false

  /// Makes a core whose value comes from a store.
  @usableFromInline
  package convenience init(_ value: Value, on tree: Tree) {
    self.init(value, on: tree, nil, version: 0)
  }

  /// Makes a core whose value is computed from other derived values, after everything that the tree has accepted.
  convenience init(on tree: Tree, _ computation: Computation) {
    var first: (version: UInt64, value: Value)?
    // Runs between two steps or in a callback, where all derived values of the tree belong to the same step.
    tree.wait(for: "derived") { first = (computation.version(), computation.compute()) }
    self.init(first!.value, on: tree, computation, version: first!.version)
  }

  private init(_ value: Value, on tree: Tree, _ computation: Computation?, version: UInt64) {
    self.computation = computation
    computedVersion = version
    firstVersion = version
    lastNotified = computation == nil ? nil : value
    current = ValueAudience(value, on: tree)
  }

  package var tree: Tree { current.tree }

  /// The address at which observers subscribe to the value.
  var address: Address { current.address }

  /// `true` until the source or the value itself is gone. May be read from any thread.
  @usableFromInline var isOpen: Bool { address.isOpen }

  /// The current value. May be read from any thread.
  package var value: Value { current.value }

  /// The number of times the value was written.
  var version: UInt64 { current.version }

  // MARK: Changes

  // Computed, to save memory in each value.
  private var updates: DerivedUpdates { DerivedUpdates.of(tree) }

  /// Sets a new value from the store. May be called from any thread; values take effect in the order of the calls.
  @usableFromInline
  package func receive(_ value: Value) {
    guard !tree.isInside else { return update(to: value) }
    _ = tree.append(at: address) { [self] _ in update(to: value) }
  }

  private func update(to value: Value) {
    publish(value)
    hasNewStoreValue = true
    updates.add(self)
  }

  private func publish(_ value: Value) {
    current.value = value
    for dependent in dependents.withLock({ $0.all }) {
      guard let derivation = dependent.derivation else { continue }
      derivation.invalidate()
      // `keepUntilStepEnds` only protects the other core during steps of its own tree, so it is kept here until the
      // step of this tree is over.
      if derivation.tree !== tree { Tree.releaseLater(derivation) }
    }
  }

  /// Marks the value as outdated if an input has changed since the value was first computed. Until this core was added
  /// to the input, the input couldn't invalidate it.
  func invalidateIfOutdated() {
    if let computation, computation.version() != firstVersion { invalidate() }
  }

  func invalidate() {
    guard !tree.isInside else { return updates.add(self) }
    if isOpen { updates.invalidate(self) }
  }

  func update() -> Bool {
    guard let computation else { return hasNewStoreValue }
    let version = computation.version()
    guard version != computedVersion else { return false }
    computedVersion = version
    let value = computation.compute()
    guard !computation.areEqual(current.value, value) else { return false }
    publish(value)
    return true
  }

  func notify() {
    let value = current.value
    if let computation {
      // An input in another tree may have changed the value back meanwhile.
      if let lastNotified, computation.areEqual(lastNotified, value) { return }
      lastNotified = value
    }
    hasNewStoreValue = false
    if isOpen { current.notifyObservers(value) }
  }

  // MARK: Values computed from this one

  /// Adds a derived value that is computed from this one.
  ///
  /// - Parameter token: Retained until this value can no longer change or the other value is removed.
  func add(_ derivation: any Derivation, holding token: ReleaseCallback) {
    let dependent = Dependents.Dependent(derivation: derivation, token: token)
    dependents.withLock { $0.add(dependent) }
  }

  /// Removes a derived value that is computed from this one.
  func remove(_ creationOrder: UInt64) {
    // Released outside the lock.
    _ = dependents.withLock { $0.remove(creationOrder) }
  }

  // MARK: The end

  /// Ends all observations of the value and removes its dependents. May be called from any thread, any number of times.
  @usableFromInline
  package func close() {
    tree.close(address, with: self)
    // Released outside the lock.
    _ = dependents.withLock { $0.close() }
  }
}

/// The derived values computed from one derived value, in the order they were added.
struct Dependents: Sendable {
  struct Dependent: Sendable {
    weak var derivation: (any Derivation)?
    let creationOrder: UInt64

    /// The token that the inputs share: releasing the last reference closes the dependent value.
    let token: ReleaseCallback

    init(derivation: any Derivation, token: ReleaseCallback) {
      self.derivation = derivation
      self.token = token
      creationOrder = derivation.creationOrder
    }
  }

  private(set) var all: [Dependent] = []
  private var isClosed = false

  mutating func add(_ dependent: Dependent) {
    if !isClosed { all.append(dependent) }
  }

  mutating func remove(_ creationOrder: UInt64) -> Dependent? {
    all.firstIndex { $0.creationOrder == creationOrder }.map { all.remove(at: $0) }
  }

  /// Removes and returns all dependents, and ignores those that are added later.
  mutating func close() -> [Dependent] {
    isClosed = true
    defer { all = [] }
    return all
  }
}

/// An object that calls a closure when its last reference is released.
@usableFromInline
package final class ReleaseCallback: Sendable {
  private let whenGone: @Sendable () -> Void

  @usableFromInline package init(whenGone: @escaping @Sendable () -> Void) {
    self.whenGone = whenGone
  }

  deinit {
    whenGone()
  }
}
