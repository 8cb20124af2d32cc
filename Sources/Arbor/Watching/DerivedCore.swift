internal import Dispatch

/// The value of a ``Derived``, those who observe it, and the values that are computed from it.
///
/// - Its source holds the core, or knows it weakly if that is another core; it holds its inputs, and not the handle.
@usableFromInline
final class DerivedCore<Value: Sendable>: Audience, Derivation, @unchecked Sendable {  // As its superclass.
  /// How a value is computed from others.
  struct Computation: Sendable {
    let compute: @Sendable () -> Value
    let areEqual: @Sendable (Value, Value) -> Bool

    /// How often the inputs were written, together.
    let version: @Sendable () -> UInt64
  }

  let order = Identity().number

  private let current: CurrentValue<Value>
  private let dependents = Protected(Dependents())

  /// Nil if a store gives the value.
  private let computation: Computation?

  /// The version of the inputs when the value was computed, and when it was computed first.
  private var computedVersion: UInt64
  private let firstVersion: UInt64

  /// The value that those who observe it were lastNotified last; of one that is computed only.
  private var lastNotified: Value?

  /// `true` if a store has given another value than before.
  private var hasNewStoreValue = false

  /// Makes the value of a store.
  @usableFromInline
  convenience init(_ value: Value, on tree: Tree) {
    self.init(value, on: tree, nil, version: 0)
  }

  /// Makes a value that is computed from others, behind what the tree has accepted.
  convenience init(on tree: Tree, _ computation: Computation) {
    var first: (version: UInt64, value: Value)?
    // Between two steps, or in a callback: there all values of the tree are of one moment.
    tree.wait(for: "derived") { first = (computation.version(), computation.compute()) }
    self.init(first!.value, on: tree, computation, version: first!.version)
  }

  private init(_ value: Value, on tree: Tree, _ computation: Computation?, version: UInt64) {
    self.computation = computation
    computedVersion = version
    firstVersion = version
    lastNotified = computation == nil ? nil : value
    current = CurrentValue(value)
    super.init(at: Address(on: tree))
    address.open(to: self)
  }

  /// `true` while there is a source that may change the value. From any thread.
  @usableFromInline var isOpen: Bool { address.isOpen }

  /// The value, from any thread.
  var value: Value { current.value }

  /// How often the value was written.
  var version: UInt64 { current.version }

  // MARK: Changes

  /// A store gives another value. From any thread; in order.
  @usableFromInline
  func receive(_ value: Value) {
    guard !tree.isInside else { return update(to: value) }
    _ = tree.append(at: address) { [self] _ in update(to: value) }
  }

  private func update(to value: Value) {
    publish(value)
    hasNewStoreValue = true
    tree.derivedUpdates.add(self)
  }

  private func publish(_ value: Value) {
    current.value = value
    for dependent in dependents.withLock({ $0.all }) {
      guard let derivation = dependent.derivation else { continue }
      derivation.invalidate()
      // Its own tree keeps it from going in a step of that, but not in one of this.
      if derivation.tree !== tree { Tree.releaseLater(derivation) }
    }
  }

  /// Expires if an input has changed since the value was computed first: before the input knew this.
  func invalidateIfOutdated() {
    if let computation, computation.version() != firstVersion { invalidate() }
  }

  func invalidate() {
    guard !tree.isInside else { return tree.derivedUpdates.add(self) }
    if isOpen { tree.invalidate(self) }
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
      // Another tree may have changed it back meanwhile.
      if let lastNotified, computation.areEqual(lastNotified, value) { return }
      lastNotified = value
    }
    hasNewStoreValue = false
    if isOpen { notifyObservers(value) }
  }

  // MARK: What is computed from the value

  /// Makes a value known that is computed from this one.
  ///
  /// - Parameter token: Held until this value can change no more, or the other one leaves.
  func add(_ derivation: any Derivation, holding token: ReleaseCallback) {
    let dependent = Dependents.Dependent(derivation: derivation, token: token)
    dependents.withLock { $0.add(dependent) }
  }

  /// Forgets a value that is computed from this one.
  func remove(_ order: UInt64) {
    // Released outside the lock.
    _ = dependents.withLock { $0.remove(order) }
  }

  // MARK: The end

  /// Lets those go who observe the value or compute from it. From any thread, any number of times.
  @usableFromInline
  func close() {
    tree.close(address)
    // Released outside the lock.
    _ = dependents.withLock { $0.close() }
  }
}

/// A value that any thread may read while one writes it.
final class CurrentValue<Value: Sendable>: Sendable {
  private struct Content: Sendable {
    var value: Value

    /// How often it was written.
    var version: UInt64 = 0
  }

  private let content: Protected<Content>

  init(_ value: Value) {
    content = Protected(Content(value: value))
  }

  var version: UInt64 { content.withLock { $0.version } }

  var value: Value {
    get { content.withLock { $0.value } }
    set {
      // The old one is released outside the lock.
      let old = content.withLock { content in
        defer { content = Content(value: newValue, version: content.version + 1) }
        return content.value
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// The derived values that are computed from one, in the order in which they were made.
struct Dependents: Sendable {
  struct Dependent: Sendable {
    weak var derivation: (any Derivation)?
    let order: UInt64

    /// Says to the dependent value that the last of its inputs has gone.
    let token: ReleaseCallback

    init(derivation: any Derivation, token: ReleaseCallback) {
      self.derivation = derivation
      self.token = token
      order = derivation.order
    }
  }

  private(set) var all: [Dependent] = []
  private var isClosed = false

  mutating func add(_ dependent: Dependent) {
    if !isClosed { all.append(dependent) }
  }

  mutating func remove(_ order: UInt64) -> Dependent? {
    all.firstIndex { $0.order == order }.map { all.remove(at: $0) }
  }

  /// Lets all go, and takes no others.
  mutating func close() -> [Dependent] {
    isClosed = true
    defer { all = [] }
    return all
  }
}

/// Says that the last one is gone that held it.
@usableFromInline
final class ReleaseCallback: Sendable {
  private let whenGone: @Sendable () -> Void

  @usableFromInline init(whenGone: @escaping @Sendable () -> Void) {
    self.whenGone = whenGone
  }

  deinit {
    whenGone()
  }
}
