/// Follows a part of a store's states that has many members, for those who watch single ones of them.
///
/// - One subscription for all who watch members of the same part: a step costs what has changed, however many watch.
/// - A member that is watched twice is one derived value. What is not watched any more leaves nothing behind.
/// - On the tree's queue only: keys are a user's, and are hashed and compared where a user's code may run.
@usableFromInline
final class ElementFeed<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // The queue owns what is not a constant; once its address is closed, whoever lets the node go.
  private struct Entry {
    weak let derived: Derived<Value>?
    let core: DerivedCore<Value>
  }

  @usableFromInline let elements: ElementAccess<Whole, Key, Value>
  private let address: NodeAddress
  private var entries: [Key: Entry] = [:]

  /// The part as it was after the last step; nil once the source is gone.
  @usableFromInline
  @exclusivity(unchecked)
  var last: Whole?

  /// The keys whose first value was not taken from that, but from a state in the middle of a step.
  private var midStepKeys: [Key] = []

  @usableFromInline
  @exclusivity(unchecked)
  private(set) var hasMidStepKeys = false

  private var connection: Connection?

  /// Called when nobody watches any more.
  private var whenUnused: () -> Void = {}

  init(_ elements: ElementAccess<Whole, Key, Value>, of whole: Whole, at address: NodeAddress) {
    self.elements = elements
    self.address = address
    last = whole
  }

  /// Takes its subscription, which it ends when nobody watches any more. Once.
  func follow(_ connection: Connection, whenUnused: @escaping () -> Void) {
    self.connection = connection
    self.whenUnused = whenUnused
  }

  /// The derived value of a member, given the part as it is now.
  func derived(_ key: Key, in whole: Whole) -> Derived<Value> {
    if let known = entries[key]?.derived { return known }
    // Of a value that was not told before there is always one to tell.
    let core = DerivedCore(elements.value(whole, key, nil)!, on: address.tree)
    let derived = Derived(core, [], kept: ReleaseCallback { [self] in forget(key, core) })
    entries[key] = Entry(derived: derived, core: core)
    if let last, elements.changes(last, whole) != nil {
      midStepKeys.append(key)
      hasMidStepKeys = true
    }
    return derived
  }

  /// Takes the part as it is after a step.
  @inlinable
  func receive(_ whole: Whole) {
    guard let last else { return }
    let keys = elements.changes(last, whole)
    if keys != nil || hasMidStepKeys { sendChanges(keys ?? [], whole) }
  }

  /// Tells those whose members have changed.
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

  /// Nobody watches a member any more by this core. From any thread; once the source is gone there is nothing to be done.
  private func forget(_ key: Key, _ core: DerivedCore<Value>) {
    _ = address.tree.append(at: address) { [self] _ in
      // It may be watched anew by now.
      guard entries[key]?.core === core else { return }
      // Let go of outside the table: its values are a user's.
      let removed = entries.removeValue(forKey: key)
      defer { if let removed { Tree.releaseLater(removed.core) } }
      guard entries.isEmpty else { return }
      connection?.end()
      whenUnused()
    }
  }

  /// The source is gone.
  @usableFromInline
  func close() {
    last = nil
    for entry in entries.values { entry.core.close() }
  }
}

/// The feeds of members that are in use at a node. On the tree's queue only.
final class ElementFeeds: Attachment, @unchecked Sendable {  // Its node has it, which the tree's queue owns.
  /// The identity of a feed.
  struct Name: Hashable {
    let store: Identity
    let path: AnyKeyPath
    let type: ObjectIdentifier
  }

  private var feeds: [Name: AnyObject] = [:]

  /// How many are in use.
  var count: Int { feeds.count }

  /// The feed with a name, if it is in use.
  subscript<Whole, Key, Value>(name: Name) -> ElementFeed<Whole, Key, Value>? {
    get { feeds[name].map { unsafeDowncast($0, to: ElementFeed<Whole, Key, Value>.self) } }
    set { feeds[name] = newValue }
  }

  /// Lets a feed go that nobody needs any more.
  func remove(_ name: Name) {
    feeds[name] = nil
  }
}

/// How the members of a part of a state are found, and which of them have changed.
@usableFromInline
package struct ElementAccess<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The value of a member, given the one that was told before, if there was one; nil if it need not be told.
  @usableFromInline let value: @Sendable (_ whole: Whole, _ key: Key, _ told: Value?) -> Value?

  /// The keys of the members that may differ between two versions; nil if these are the same.
  @usableFromInline let changes: @Sendable (_ old: Whole, _ new: Whole) -> [Key]?

  @inlinable
  package init(
    value: @escaping @Sendable (_ whole: Whole, _ key: Key, _ told: Value?) -> Value?,
    changes: @escaping @Sendable (_ old: Whole, _ new: Whole) -> [Key]?
  ) {
    self.value = value
    self.changes = changes
  }
}
