internal import Arbor
internal import ArborEntities

/// An observer of one entry, or of the entry of a changing argument, from its creation to its release.
final class RequestObserver: Sendable {
  /// A number that no other observer of the tree has.
  let number: Int

  private let store: Store<Requests, RequestAction>
  private let content = Protected<Content>(Content())

  private struct Content {
    var id: RequestID?
    var subscription: StoreSubscription?
  }

  /// The observed entry; nil while there is no argument.
  var id: RequestID? { content.withLock { $0.id } }

  private init(in store: Store<Requests, RequestAction>) {
    self.store = store
    let observers = RequestObservers.of(store.tree)
    number = observers.nextNumber()
    observers.add(self)
  }

  /// Observes an entry.
  convenience init(of id: RequestID, in store: Store<Requests, RequestAction>) {
    self.init(in: store)
    observe(id)
  }

  /// Observes the entry of a changing argument.
  convenience init(of id: Derived<RequestID?>, in store: Store<Requests, RequestAction>) {
    self.init(in: store)
    // The subscription holds the observer while it dispatches, so no action can come after the last one.
    let subscription = id.observe { [weak self] id in self?.observe(id) }
    content.withLock { $0.subscription = subscription }
  }

  private func observe(_ id: RequestID?) {
    content.withLock { $0.id = id }
    dispatch()
  }

  private func dispatch() {
    _ = store.sink.dispatch(.observed(observer: number, id, at: store.now))
  }

  /// Observes again if the cache lacks the observer, or has another argument of it.
  ///
  /// - It happens after everything that was accepted before, so also after the last change of the argument.
  func check() {
    store.append { [weak self] cache in
      guard let self, let cache, cache.observers[number].map({ $0.current != self.id }) ?? true else { return }
      dispatch()
    }
  }

  deinit {
    // Without a report if the owner is gone: the order of releases is free.
    _ = store.sink.dispatch(.released(observer: number, at: store.now))
    store.append { [number, tree = store.tree] _ in RequestObservers.of(tree).forget(number) }
  }
}

/// The observers of a tree's caches that exist, and the callers that wait for changes.
final class RequestObservers: Attachment {
  private struct Reference: Sendable {
    weak let observer: RequestObserver?
  }

  private let lastNumber = AtomicNumber(0)

  /// The observers that exist, or whose ``RequestAction/released(observer:at:)`` waits for its turn.
  private let references = Protected<[Int: Reference]>([:])

  /// The changes whose callers wait for the result.
  private let callers = Protected<Set<PendingChange.ID>>([])

  /// Returns the observers of a tree.
  static func of(_ tree: Tree) -> RequestObservers {
    tree.attachments.object { RequestObservers() }.takeUnretainedValue()
  }

  /// Returns a number that no other observer of the tree has.
  func nextNumber() -> Int { lastNumber.add(1) }

  func add(_ observer: RequestObserver) {
    references.withLock { $0[observer.number] = Reference(observer: observer) }
  }

  /// Forgets an observer that doesn't exist any more.
  func forget(_ number: Int) {
    _ = references.withLock { $0.removeValue(forKey: number) }
  }

  func addCaller(of change: PendingChange.ID) { callers.withLock { _ = $0.insert(change) } }

  func removeCaller(of change: PendingChange.ID) { callers.withLock { _ = $0.remove(change) } }

  /// Returns `true` while a caller waits for the result of a change.
  func hasCaller(of change: PendingChange.ID) -> Bool { callers.withLock { $0.contains(change) } }

  /// Lets all observers check that their caches have them.
  func checkAll() {
    let references = references.withLock { $0.values.map { $0 } }
    for reference in references { reference.observer?.check() }
  }

  /// Compares the observers in which two tables of a cache differ with those that exist. An observer that the newer table
  /// lacks, or has with another argument, checks that.
  ///
  /// - Returns: The actions that remove those that don't exist.
  func corrections(
    of table: EntityTable<Requests.Observer>,
    since old: EntityTable<Requests.Observer>,
    at time: Duration
  ) -> [RequestAction] {
    table.difference(from: old).all.compactMap { number in
      let reference = references.withLock { $0[number] }
      if let observer = reference?.observer {
        let id = observer.id
        if table[number].map({ $0.current != id }) ?? true { observer.check() }
        return nil
      }
      return reference == nil && table.contains(id: number) ? .released(observer: number, at: time) : nil
    }
  }
}

extension Store<Requests, RequestAction> {
  var tree: Tree { sink.enclosingHost.tree }
  fileprivate var now: Duration { RequestClock.of(tree).now }

  /// Calls a closure with the cache after everything that was accepted before; with nil if there is no cache.
  func append(_ body: @escaping @Sendable (Requests?) -> Void) {
    guard let address else { return }
    _ = address.tree.append(at: address, .effect(of: nil)) { [read] node in body(read(node)) }
  }
}
