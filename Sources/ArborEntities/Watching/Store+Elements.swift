public import Arbor

extension Store {
  /// A derived value of one element of a collection in this store's state; nil once the owner is gone or while the
  /// scope is nil.
  ///
  /// - Values of one type, derived from one collection of one store, share one subscription.
  @inlinable
  func derived<Whole, Key, Value>(
    element key: Key,
    of path: any KeyPath<State, Whole> & Sendable,
    _ elements: ElementAccess<Whole, Key, Value>
  ) -> Derived<Value>? {
    let part = StatePart(path)
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
    of part: StatePart<State, Whole>,
    at path: AnyKeyPath,
    _ elements: ElementAccess<Whole, Key, Value>,
    _ makeObserver: (_ feed: ElementFeed<Whole, Key, Value>) -> Observer<State>
  ) -> Derived<Value>? {
    guard let address else { return state.map { .constant(elements.value(part($0), key, nil)!) } }
    var derived: Derived<Value>?
    withSharedObject(ElementFeeds.init) { state, feeds in
      let whole = part(state)
      let name = ElementFeeds.Name(store: identity, path: path, type: ObjectIdentifier(Value.self))
      if let feed: ElementFeed<Whole, Key, Value> = feeds[name] {
        derived = feed.derived(key, in: whole)
        return
      }
      let feed = ElementFeed(elements, of: whole, at: address)
      // Nil if another thread has released the owner meanwhile.
      guard let connection = connectDerivedValues(makeObserver(feed)) else { return }
      feed.follow(connection) { [unowned feeds] in feeds.remove(name) }
      feeds[name] = feed
      derived = feed.derived(key, in: whole)
    }
    return derived
  }

  /// The number of element feeds in use at this store's node.
  package var elementFeedCount: Int {
    var count = 0
    withSharedObject(ElementFeeds.init) { _, feeds in count = feeds.count }
    return count
  }
}
