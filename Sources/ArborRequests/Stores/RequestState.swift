internal import ArborEntities

/// The state of an answer, as an observer sees it.
public struct RequestState<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The phases of an answer.
  public enum Phase: Equatable, Sendable {
    /// There is no answer, and no fetch has begun: the argument is missing, or there is no connection.
    case idle

    /// There is no answer yet, and a fetch is in progress.
    case loading

    /// There is an answer. The other properties say if it is stale, and if it is being fetched again.
    case loaded(Value)

    /// The first fetch failed, so there is no answer.
    case failed(RequestFailure)
  }

  /// The last answer, with pending changes applied; nil before the first answer.
  public let value: Value?

  /// `true` if the value is no longer fresh.
  public let isStale: Bool

  /// `true` if the value has changes that the server has not confirmed.
  public let isPending: Bool

  /// `true` if a fetch is in progress.
  public let isFetching: Bool

  /// The reason why the last fetch failed; nil after an answer. There may be an older value.
  public let failure: RequestFailure?

  /// The phase, for a switch in a view.
  public var phase: Phase {
    if let value { return .loaded(value) }
    if isFetching { return .loading }
    return failure.map { .failed($0) } ?? .idle
  }

  /// The page that is being fetched; nil if there is none, or if the whole answer is being fetched.
  public let fetchedPage: PageDirection?

  /// `true` if the value belongs to the last argument, while the answer to the new one is fetched for the first time.
  public let isPrevious: Bool

  /// `true` if a fetch waits for the connection.
  public let isWaiting: Bool

  /// Makes the state of an entry; nil is an entry that isn't in the cache.
  init(_ entry: RequestEntry?, previous: RequestEntry? = nil) {
    isPrevious = entry?.shown == nil && entry?.fetch != nil && previous?.shown != nil
    isWaiting = entry?.isWaiting ?? false
    fetchedPage = entry?.fetchedPage
    let shown = isPrevious ? previous : entry
    value = shown?.shown.flatMap { try? $0.value(as: Value.self) }
    isStale = isPrevious || entry?.isStale ?? false
    isPending = shown?.patched != nil
    isFetching = entry?.fetch != nil
    failure = entry?.failure
  }
}

extension Requests {
  /// The answer to an argument, as an observer sees it, for reducers and tests.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - argument: The argument.
  public subscript<Argument, Value>(request: Request<Argument, Value>, argument: Argument) -> RequestState<Value> {
    RequestState(entries[request.id(argument)])
  }
}
