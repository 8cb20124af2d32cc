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

  /// Returns a fresh answer, which is fetched if it isn't in the cache.
  ///
  /// - It is an observer of the entry while it waits. A fetch in progress is shared. If the entry is fetched again
  ///   meanwhile, it waits for the newer answer.
  /// - Without a connection, it waits for the connection.
  /// - Parameters:
  ///   - request: The request, which the feature of the cache knows.
  ///   - argument: The argument.
  /// - Throws: `RequestFailure` if the fetch fails or the owner is gone; `CancellationError` if the task is canceled.
  public func fetch<Argument, Value>(_ request: Request<Argument, Value>, _ argument: Argument) async throws -> Value {
    let id = request.id(argument)
    let observer = RequestObserver(of: id, in: asStore)
    defer { withExtendedLifetime(observer) {} }
    guard let entry = asStore.derived(entity: id, in: \.entries) else { throw RequestFailure.noOwner }
    for await entry in entry.states {
      guard let entry, !entry.isWaiting, entry.fetch == nil || request.isStream && entry.shown != nil else { continue }
      if let failure = entry.failure { throw failure }
      if let value = entry.shown { return try value.value(as: Value.self) }
    }
    try Task.checkCancellation()
    throw RequestFailure.noOwner
  }

  /// Makes a change, and returns the server's answer to it.
  ///
  /// - Observers see its optimistic part at once. If the task is canceled, the change goes on.
  /// - Parameters:
  ///   - change: The change, which the feature of the cache knows.
  ///   - input: The input of the change.
  /// - Throws: `RequestFailure` if the change fails, is canceled, or the owner is gone; `CancellationError` if the task
  ///   is canceled.
  public func perform<Input, Output>(_ change: Change<Input, Output>, _ input: Input) async throws -> Output {
    let pending = change.pending(input, isAwaited: true)
    let id = pending.id
    dispatch(.changed(pending))
    defer { _ = asStore.sink.dispatch(.acknowledged(id)) }
    guard let current = asStore.derived({ cache in cache.changes.first { $0.id == id } }) else {
      throw RequestFailure.noOwner
    }
    for await change in current.states {
      switch change?.status {
      case .waiting, .sending: continue
      case .confirmed(let output): return try output.value(as: Output.self)
      case .failed(let failure): throw failure
      case nil: throw RequestFailure.noOwner
      }
    }
    try Task.checkCancellation()
    throw RequestFailure.noOwner
  }
}

extension RequestFailure {
  fileprivate static let noOwner = RequestFailure(.canceled, "the owner of the store is gone")
}

extension Request {
  fileprivate var isStream: Bool {
    if case .request(let functions) = definition.form { functions.policy.isStream } else { false }
  }
}

/// One observer of an entry, from its creation to its release.
private final class RequestObserver: Sendable {
  private let id: RequestID
  private let store: Store<Requests, RequestAction>

  init(of id: RequestID, in store: Store<Requests, RequestAction>) {
    self.id = id
    self.store = store
    _ = store.sink.dispatch(.observed(id))
  }

  deinit {
    // Without a report if the owner is gone: the order of releases is free.
    _ = store.sink.dispatch(.released(id, at: RequestClock.of(store.sink.enclosingHost.tree).now))
  }
}
