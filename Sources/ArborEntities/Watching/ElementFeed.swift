public import Arbor

/// A feed of derived values for single records of a table in a store's state, all fed by one subscription.
///
/// - The cost of a step depends on the number of records that changed, not on the number that are observed.
/// - A record that is observed twice has one derived value. A record that is no longer observed takes no memory.
/// - On the tree's queue only: ids have user-written `==` and `hash(into:)`, which must run where user code may run.
@usableFromInline
final class ElementFeed<Element: Identifiable & Sendable, Value: Sendable>: @unchecked Sendable
where Element.ID: Sendable {
  // Sendable because its variables are used on the tree's queue only or, after the address is closed, by the thread
  // that releases the node.
  private struct Entry {
    weak let derived: Derived<Value>?
    let core: DerivedCore<Value>
  }

  /// Returns the value for a record, given the value that was sent last; nil if it does not differ from that value.
  ///
  /// - Never nil if no value was sent before, so that `lastSent` is nil.
  @usableFromInline typealias Read =
    @Sendable (_ table: EntityTable<Element>, _ id: Element.ID, _ lastSent: Value?) -> Value?

  private let read: Read
  private let address: NodeAddress
  private var entries: [Element.ID: Entry] = [:]

  /// The table after the last step; nil once the source is gone.
  @usableFromInline
  @exclusivity(unchecked)
  var last: EntityTable<Element>?

  /// The ids whose first value was read during a step, not from `last`; they are sent again with the next state.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var midStepIDs: [Element.ID] = []

  /// Ends the feed: its subscription, and its place in its node. Called when no record is observed any more.
  var whenUnused: () -> Void = {}

  init(of table: EntityTable<Element>, at address: NodeAddress, _ read: @escaping Read) {
    self.read = read
    self.address = address
    last = table
  }

  /// The derived value for a record, given the current table.
  func derived(_ id: Element.ID, in table: EntityTable<Element>) -> Derived<Value> {
    if let known = entries[id]?.derived { return known }
    // `read` returns nil only if a value was sent before.
    let core = DerivedCore(read(table, id, nil)!, on: address.tree)
    let derived = Derived(core, [], kept: ReleaseCallback { [self] in forget(id, core) })
    entries[id] = Entry(derived: derived, core: core)
    if let last, last.stamp != table.stamp { midStepIDs.append(id) }
    return derived
  }

  /// Compares the table after a step with the last one, and sends the records that changed.
  @inlinable
  func receive(_ table: EntityTable<Element>) {
    guard let last, last.stamp != table.stamp || !midStepIDs.isEmpty else { return }
    sendChanges(of: table.difference(from: last).all, in: table)
  }

  /// Sends the values of changed records, and of those read during a step, to their derived values.
  @usableFromInline
  func sendChanges(of ids: [Element.ID], in table: EntityTable<Element>) {
    last = table
    let all = midStepIDs.isEmpty ? ids : ids + midStepIDs
    midStepIDs = []
    for id in all {
      guard let core = entries[id]?.core, let value = read(table, id, core.value) else { continue }
      core.receive(value)
    }
  }

  /// Removes the entry of a released derived value. From any thread; does nothing once the source is gone.
  private func forget(_ id: Element.ID, _ core: DerivedCore<Value>) {
    _ = address.tree.append(at: address) { [self] _ in
      // The id may have a new derived value by now.
      guard entries[id]?.core === core else { return }
      // Released outside the table, because releasing the values may run user code.
      let removed = entries.removeValue(forKey: id)
      defer { if let removed { Tree.releaseLater(removed.core) } }
      if entries.isEmpty { whenUnused() }
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
private final class ElementFeeds: Attachment, @unchecked Sendable {  // Only its node uses it, on the tree's queue.
  /// The identity of a feed.
  struct Name: Hashable {
    let store: Identity
    let path: AnyKeyPath
    let type: ObjectIdentifier
  }

  var feeds: [Name: AnyObject] = [:]
}

extension Store {
  /// A derived value for one record of a table in this store's state; nil once the owner is gone or while the scope is
  /// nil.
  ///
  /// - Values of one type, derived from one table of one store, share one subscription.
  @inlinable
  func derived<Element, Value>(
    _ id: Element.ID,
    of path: any KeyPath<State, EntityTable<Element>> & Sendable,
    _ read: @escaping ElementFeed<Element, Value>.Read
  ) -> Derived<Value>? {
    let part = StatePart(path)
    // The observer is made here, where the compiler knows the types, because it is called in each step.
    return derived(id, of: part, at: path, read) { feed in
      let token = ReleaseCallback { [weak feed] in feed?.close() }
      return Observer { [weak feed] state in
        withExtendedLifetime(token) { feed?.receive(part(state)) }
        return .active
      }
    }
  }

  @usableFromInline
  func derived<Element, Value>(
    _ id: Element.ID,
    of part: StatePart<State, EntityTable<Element>>,
    at path: AnyKeyPath,
    _ read: @escaping ElementFeed<Element, Value>.Read,
    _ makeObserver: (_ feed: ElementFeed<Element, Value>) -> Observer<State>
  ) -> Derived<Value>? {
    guard let address else { return state.map { .constant(read(part($0), id, nil)!) } }
    var derived: Derived<Value>?
    withSharedObject(ElementFeeds.init) { state, shared in
      let table = part(state)
      let name = ElementFeeds.Name(store: identity, path: path, type: ObjectIdentifier(Value.self))
      if let feed = shared.feeds[name] {
        derived = unsafeDowncast(feed, to: ElementFeed<Element, Value>.self).derived(id, in: table)
        return
      }
      let feed = ElementFeed(of: table, at: address, read)
      // Nil if another thread has released the owner meanwhile.
      guard let connection = connectDerivedValues(makeObserver(feed)) else { return }
      feed.whenUnused = { [unowned shared] in
        connection.end()
        shared.feeds[name] = nil
      }
      shared.feeds[name] = feed
      derived = feed.derived(id, in: table)
    }
    return derived
  }

  /// The number of element feeds in use at this store's node.
  package var elementFeedCount: Int {
    var count = 0
    withSharedObject(ElementFeeds.init) { _, shared in count = shared.feeds.count }
    return count
  }
}
