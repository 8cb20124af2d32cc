internal import Arbor

/// A feed of derived values for single elements of a collection in a store's state, all fed by one subscription.
///
/// - The cost of a step depends on the number of elements that changed, not on the number that are observed.
/// - An element that is observed twice has one derived value. An element that is no longer observed takes no memory.
/// - On the tree's queue only: keys have user-written `==` and `hash(into:)`, which must run where user code may run.
@usableFromInline
final class ElementFeed<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // Sendable because its variables are used on the tree's queue only or, after the address is closed, by the thread
  // that releases the node.
  private struct Entry {
    weak let derived: Derived<Value>?
    let core: DerivedCore<Value>
  }

  @usableFromInline let elements: ElementAccess<Whole, Key, Value>
  private let address: NodeAddress
  private var entries: [Key: Entry] = [:]

  /// The collection after the last step; nil once the source is gone.
  @usableFromInline
  @exclusivity(unchecked)
  var last: Whole?

  /// The keys whose first value was read in the middle of a step, not from `last`; sent again with the next state.
  private var midStepKeys: [Key] = []

  @usableFromInline
  @exclusivity(unchecked)
  private(set) var hasMidStepKeys = false

  private var connection: Connection?

  /// Called when no element is observed any more.
  private var whenUnused: () -> Void = {}

  init(_ elements: ElementAccess<Whole, Key, Value>, of whole: Whole, at address: NodeAddress) {
    self.elements = elements
    self.address = address
    last = whole
  }

  /// Stores the feed's subscription, which the feed ends when no element is observed any more. Call it once.
  func follow(_ connection: Connection, whenUnused: @escaping () -> Void) {
    self.connection = connection
    self.whenUnused = whenUnused
  }

  /// The derived value of an element, given the current collection.
  func derived(_ key: Key, in whole: Whole) -> Derived<Value> {
    if let known = entries[key]?.derived { return known }
    // `elements.value` returns nil only if a value was sent before.
    let core = DerivedCore(elements.value(whole, key, nil)!, on: address.tree)
    let derived = Derived(core, [], kept: ReleaseCallback { [self] in forget(key, core) })
    entries[key] = Entry(derived: derived, core: core)
    if let last, elements.changes(last, whole) != nil {
      midStepKeys.append(key)
      hasMidStepKeys = true
    }
    return derived
  }

  /// Compares the collection after a step with the last one, and sends the elements that changed.
  @inlinable
  func receive(_ whole: Whole) {
    guard let last else { return }
    let keys = elements.changes(last, whole)
    if keys != nil || hasMidStepKeys { sendChanges(keys ?? [], whole) }
  }

  /// Sends the values of changed elements, and those read in the middle of a step, to their derived values.
  @usableFromInline
  func sendChanges(_ keys: [Key], _ whole: Whole) {
    last = whole
    let all = hasMidStepKeys ? keys + midStepKeys : keys
    midStepKeys = []
    hasMidStepKeys = false
    for key in all {
      guard let core = entries[key]?.core, let value = elements.value(whole, key, core.value) else { continue }
      core.receive(value)
    }
  }

  /// Removes the entry of a released derived value. From any thread; does nothing once the source is gone.
  private func forget(_ key: Key, _ core: DerivedCore<Value>) {
    _ = address.tree.append(at: address) { [self] _ in
      // The key may have a new derived value by now.
      guard entries[key]?.core === core else { return }
      // Released outside the table, because releasing the values may run user code.
      let removed = entries.removeValue(forKey: key)
      defer { if let removed { Tree.releaseLater(removed.core) } }
      guard entries.isEmpty else { return }
      connection?.end()
      whenUnused()
    }
  }

  /// Closes all derived values. Called when the feed's observer is released: its source is gone, or it is not needed.
  @usableFromInline
  func close() {
    last = nil
    for entry in entries.values { entry.core.close() }
  }
}

/// The element feeds in use at a node. On the tree's queue only.
final class ElementFeeds: Attachment, @unchecked Sendable {  // Only its node uses it, on the tree's queue.
  /// The identity of a feed.
  struct Name: Hashable {
    let store: Identity
    let path: AnyKeyPath
    let type: ObjectIdentifier
  }

  private var feeds: [Name: AnyObject] = [:]

  /// The number of feeds in use.
  var count: Int { feeds.count }

  /// The feed with a name; nil if it is not in use.
  subscript<Whole, Key, Value>(name: Name) -> ElementFeed<Whole, Key, Value>? {
    get { feeds[name].map { unsafeDowncast($0, to: ElementFeed<Whole, Key, Value>.self) } }
    set { feeds[name] = newValue }
  }

  /// Removes a feed that is no longer in use.
  func remove(_ name: Name) {
    feeds[name] = nil
  }
}
