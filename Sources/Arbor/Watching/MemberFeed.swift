/// Follows a part of a store's states that has many members, for those who watch single ones of them.
///
/// - One subscription for all who watch members of the same part: a step costs what has changed, however many watch.
/// - A member that is watched twice is one derived value. Whoever watches keeps the feed; what is not watched any more leaves nothing.
@usableFromInline
final class MemberFeed<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // The tree's queue owns what is not a constant.
  private struct Entry: Sendable {
    weak let derived: Derived<Value>?
    let core: DerivedCore<Value>
  }

  @usableFromInline let members: Members<Whole, Key, Value>
  private let feeds: MemberFeeds
  private let name: MemberFeeds.Name
  private let mailbox: Mailbox
  private let entries = Protected<[Key: Entry]>([:])

  /// The part that the members that are watched were last taken from; nil once the source is gone.
  @usableFromInline
  @exclusivity(unchecked)
  var last: Whole?

  private var connection: Connection?

  init(
    _ members: Members<Whole, Key, Value>,
    of whole: Whole,
    named name: MemberFeeds.Name,
    in feeds: MemberFeeds,
    on mailbox: Mailbox
  ) {
    self.members = members
    self.name = name
    self.feeds = feeds
    self.mailbox = mailbox
    last = whole
  }

  /// Takes what ends its subscription. Once, on the queue.
  func follow(_ connection: Connection?) {
    self.connection = connection
  }

  /// The derived value of a member. On the queue.
  func derived(_ key: Key) -> Derived<Value> {
    if let known = entries.withLock({ $0[key]?.derived }) { return known }
    // Of a value that was not told before there is always one to tell.
    let core = DerivedCore(members.value(last!, key, nil)!, on: mailbox)
    let derived = Derived(core, [], kept: SourceToken { [self] in forget(key, core) })
    let former = entries.withLock { $0.updateValue(Entry(derived: derived, core: core), forKey: key) }
    withExtendedLifetime(former) {}
    return derived
  }

  /// Takes the part as it is after a step.
  @inlinable
  func receive(_ whole: Whole) {
    guard let last, let keys = members.changes(last, whole) else { return }
    tell(keys, whole)
  }

  /// Tells those whose members have changed.
  @usableFromInline
  func tell(_ keys: [Key], _ whole: Whole) {
    last = whole
    for key in keys {
      guard let core = entries.withLock({ $0[key]?.core }),
        let value = members.value(whole, key, core.value)
      else { continue }
      core.receive(value)
    }
  }

  /// Nobody watches a member any more by this core. From any thread.
  private func forget(_ key: Key, _ core: DerivedCore<Value>) {
    let entry = entries.withLock { $0[key]?.core === core ? $0.removeValue(forKey: key) : nil }
    withExtendedLifetime(entry) {}
  }

  /// The source is gone.
  @usableFromInline
  func close() {
    let last = last
    self.last = nil
    withExtendedLifetime(last) {}
    for entry in entries.withLock({ Array($0.values) }) { entry.core.close() }
  }

  deinit {
    connection?.end()
    feeds.forget(name)
  }
}
