extension Store {
  /// A derived value of one element of a collection in this store's state; nil once the owner is gone or while the
  /// scope is nil.
  ///
  /// - Values of one type, derived from one collection of one store, share one subscription.
  @inlinable
  package func derived<Whole, Key, Value>(
    element key: Key,
    of path: any KeyPath<State, Whole> & Sendable,
    _ elements: ElementAccess<Whole, Key, Value>
  ) -> Derived<Value>? {
    let part = PartReader(path)
    // The observer is made here, where the compiler knows the types, because it is called in each step.
    return derived(element: key, of: part, at: path, elements) { feed in
      let token = ReleaseCallback { [weak feed] in feed?.close() }
      return Observer { [weak feed] state in
        withExtendedLifetime(token) { feed?.receive(part(state)) }
        return .active
      }
    }
  }

  @usableFromInline
  func derived<Whole, Key, Value>(
    element key: Key,
    of part: PartReader<State, Whole>,
    at path: AnyKeyPath,
    _ elements: ElementAccess<Whole, Key, Value>,
    _ makeObserver: (_ feed: ElementFeed<Whole, Key, Value>) -> Observer<State>
  ) -> Derived<Value>? {
    guard let address else { return read(nil).map { .constant(elements.value(part($0), key, nil)!) } }
    var derived: Derived<Value>?
    let isOpen = address.wait(for: "derived") { node in
      address.tree.root._withUnsafeGuaranteedRef { $0.updateDerivedValuesIfNeeded() }
      guard let state = read(node) else { return }
      let whole = part(state)
      let feeds = unsafeDowncast(node, to: Node.self).attachments.object(ElementFeeds.init).takeUnretainedValue()
      let name = ElementFeeds.Name(store: identity, path: path, type: ObjectIdentifier(Value.self))
      if let feed: ElementFeed<Whole, Key, Value> = feeds[name] {
        derived = feed.derived(key, in: whole)
        return
      }
      let feed = ElementFeed(elements, of: whole, at: address)
      // Nil if another thread has released the owner meanwhile.
      guard let connection = connect(makeObserver(feed), .derivedValue) else { return }
      feed.follow(connection) { [unowned feeds] in feeds.remove(name) }
      feeds[name] = feed
      derived = feed.derived(key, in: whole)
    }
    if !isOpen { reportUseAfterRelease() }
    return derived
  }

  /// The number of element feeds in use at this store's node.
  package var elementFeedCount: Int {
    var count = 0
    _ = address?.wait { node in
      let feeds = unsafeDowncast(node, to: Node.self).attachments.existing(ElementFeeds.self)
      count = feeds?.takeUnretainedValue().count ?? 0
    }
    return count
  }
}
