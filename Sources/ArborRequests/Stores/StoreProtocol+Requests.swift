public import Arbor
internal import ArborEntities

extension StoreProtocol where State == Requests, Action == RequestAction {
  /// Returns the answer to an argument as a derived value, and keeps it fresh for as long as you keep that value.
  ///
  /// ```swift
  /// let requests = factory.rootStore().scope(to: \.requests, action: AppAction.requests)
  /// let album = requests.request(album, 7)
  /// let subscription = album?.observe { album in print(album.phase) }
  /// ```
  ///
  /// - The value, a subscription to it, and a value derived from it are one observer of the entry. The first observer
  ///   of an entry without a fresh answer starts a fetch; all observers share it.
  /// - When the last observer leaves, a fetch in progress is canceled, and the time begins after which the answer is
  ///   removed.
  /// - Like ``/Arbor/StoreProtocol/derived(_:)``, it waits for everything accepted before the call.
  /// - Cost: a step takes time only for the entries that it changes, no matter how many are observed.
  /// - Parameters:
  ///   - request: The request, which the feature of the cache knows.
  ///   - argument: The argument; nil while it isn't known yet: the value is then idle and doesn't change.
  /// - Returns: The derived value; nil once the owner is gone or while the scope is nil.
  public func request<Argument, Value>(
    _ request: Request<Argument, Value>,
    _ argument: Argument?
  ) -> Derived<RequestState<Value>>? {
    guard let argument else { return .constant(RequestState(nil)) }
    let id = request.id(argument)
    let observer = RequestObserver(of: id, in: asStore)
    return asStore.derived(entity: id, in: \.entries)?.derived { entry in
      withExtendedLifetime(observer) { RequestState(entry) }
    }
  }

  /// Returns the answer to a changing argument as a derived value.
  ///
  /// ```swift
  /// let selected = factory.rootStore().derived { $0.selectedAlbum }
  /// let shown = selected.flatMap { requests.request(album, following: $0) }
  /// ```
  ///
  /// - While the answer to a new argument is fetched for the first time, it has the value of the last argument, and
  ///   ``RequestState/isPrevious`` is `true`. Without an argument, it has no value.
  /// - Otherwise it is like ``request(_:_:)``: it is one observer, first of one entry, then of another.
  /// - Cost: it is computed in each step that changes an entry.
  /// - Parameters:
  ///   - request: The request, which the feature of the cache knows.
  ///   - argument: The argument; nil while it isn't known.
  /// - Returns: The derived value; nil once the owner is gone or while the scope is nil.
  public func request<Argument, Value>(
    _ request: Request<Argument, Value>,
    following argument: Derived<Argument?>
  ) -> Derived<RequestState<Value>>? {
    let observer = RequestObserver(of: argument.derived { $0.map(request.id) }, in: asStore)
    let number = observer.number
    return asStore.derived(joining: \.observers, \.entries) { observers, entries in
      withExtendedLifetime(observer) {
        let current = observers[number]
        return RequestState(
          current?.current.flatMap { entries[$0] },
          previous: current?.previous.flatMap { entries[$0] }
        )
      }
    }
  }

  /// Returns the answer to an argument as a derived value, without fetching or keeping it.
  ///
  /// - Use it for a record that another answer provides, for example in a row of a list.
  /// - Parameters:
  ///   - request: The request, which the feature of the cache knows.
  ///   - argument: The argument.
  /// - Returns: The derived value; nil once the owner is gone or while the scope is nil.
  public func cached<Argument, Value>(
    _ request: Request<Argument, Value>,
    _ argument: Argument
  ) -> Derived<RequestState<Value>>? {
    asStore.derived(entity: request.id(argument), in: \.entries)?.derived { RequestState($0) }
  }

  /// Returns a fresh answer, which is fetched if it isn't in the cache.
  ///
  /// - It is an observer of the entry while it waits. A fetch in progress is shared. If the entry is fetched again
  ///   meanwhile, it waits for the newer answer.
  /// - Without a connection, it waits for the connection.
  /// - Parameters:
  ///   - request: The request, which the feature of the cache knows.
  ///   - argument: The argument.
  /// - Throws: `RequestFailure` if the fetch fails, or if the owner or the part of the state is gone; `CancellationError`
  ///   if the task is canceled.
  public func fetch<Argument, Value>(_ request: Request<Argument, Value>, _ argument: Argument) async throws -> Value {
    let (id, store) = (request.id(argument), asStore)
    let observer = RequestObserver(of: id, in: store)
    defer { withExtendedLifetime(observer) {} }
    guard let entry = store.derived(entity: id, in: \.entries) else { throw RequestFailure.noOwner }
    return try await store.whilePresent {
      var hasWaited = false
      for await entry in entry.states {
        if let value = try request.result(of: entry, hasWaited) { return value }
        hasWaited = true
      }
      // The answer may have come just before the task was canceled.
      if let value = try request.result(of: entry.value, hasWaited) { return value }
      try Task.checkCancellation()
      throw RequestFailure.noOwner
    }
  }

  /// Makes a change, and returns the server's answer to it.
  ///
  /// - Observers see its optimistic part at once. If the task is canceled, the change goes on.
  /// - Parameters:
  ///   - change: The change, which the feature of the cache knows.
  ///   - input: The input of the change.
  /// - Throws: `RequestFailure` if the change fails or is canceled, or if the owner or the part of the state is gone;
  ///   `CancellationError` if the task is canceled.
  public func perform<Input, Output>(_ change: Change<Input, Output>, _ input: Input) async throws -> Output {
    let (pending, store) = (change.pending(input, isAwaited: true), asStore)
    let id = pending.id
    let observers = RequestObservers.of(store.tree)
    observers.addCaller(of: id)
    store.dispatch(.changed(pending))
    defer {
      observers.removeCaller(of: id)
      _ = store.sink.dispatch(.acknowledged(id))
    }
    guard let current = store.derived({ $0.changes[id] }) else { throw RequestFailure.noOwner }
    return try await store.whilePresent {
      for await pending in current.states {
        guard let pending else { throw RequestFailure(.canceled, "the change isn't in the cache any more") }
        if let output = try pending.output { return try output.value(as: Output.self) }
      }
      // The answer may have come just before the task was canceled.
      if let output = try current.value?.output { return try output.value(as: Output.self) }
      try Task.checkCancellation()
      throw RequestFailure.noOwner
    }
  }
}

extension Request {
  /// Returns the answer of an entry, or throws its failure; nil while there is neither.
  fileprivate func result(of entry: RequestEntry?, _ hasWaited: Bool) throws -> Value? {
    guard let entry, !entry.isWaiting else { return nil }
    let isFresh = entry.shown != nil && !entry.isStale
    guard entry.fetch == nil || functions.policy.isStream && isFresh else { return nil }
    // A fresh answer may have the failure of an earlier fetch.
    if let failure = entry.failure, hasWaited || !isFresh { throw failure }
    return try entry.shown?.value(as: Value.self)
  }
}
