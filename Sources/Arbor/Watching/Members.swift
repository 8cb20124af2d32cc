/// How the members of a part of a state are found, and which of them have changed.
package struct Members<Whole: Sendable, Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The value of a member, given the one before, if there was one.
  let value: @Sendable (_ whole: Whole, _ key: Key, _ previous: Value?) -> Value

  /// Whether a value need not be told after another one.
  let areEqual: @Sendable (_ old: Value, _ new: Value) -> Bool

  /// The keys of the members that may differ between two versions.
  let changes: @Sendable (_ old: Whole, _ new: Whole) -> [Key]

  package init(
    value: @escaping @Sendable (_ whole: Whole, _ key: Key, _ previous: Value?) -> Value,
    areEqual: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool,
    changes: @escaping @Sendable (_ old: Whole, _ new: Whole) -> [Key]
  ) {
    self.value = value
    self.areEqual = areEqual
    self.changes = changes
  }
}

extension Store {
  /// A value that follows one member of a part of this store's state; nil once the owner is gone, or while the scope is nil.
  ///
  /// - Whoever watches the same part of the same store by values of the same type shares one subscription.
  package func derived<Whole, Key, Value>(
    member key: Key,
    of path: any KeyPath<State, Whole> & Sendable,
    _ members: Members<Whole, Key, Value>
  ) -> Derived<Value>? {
    let part = PartReader(path)
    guard let port else { return read(nil).map { .constant(members.value(part($0), key, nil)) } }
    var derived: Derived<Value>?
    let isOpen = port.wait { node in
      guard let state = read(node) else { return }
      let feeds = unsafeDowncast(node, to: Node.self).memberFeeds
      let name = MemberFeeds.Name(store: identity, path: path, type: ObjectIdentifier(Value.self))
      let feed =
        feeds.feed(name)
        ?? {
          let feed = MemberFeed(members, of: part(state), named: name, in: feeds, on: port.mailbox)
          feeds.add(feed, name)
          feed.follow(self, part)
          return feed
        }()
      derived = feed.derived(key)
    }
    if !isOpen { complain() }
    return derived
  }
}
