public import Arbor
internal import ArborEntities

extension Requests {
  /// Makes the feature of a cache.
  ///
  /// - Each definition is passed once. Two with the same name stop the program.
  /// - Fetches and changes are canceled when the state leaves them, like the jobs of a ``/Arbor/StateEffect``.
  /// - Parameter definitions: The requests and the changes that the cache knows.
  public static func feature(_ definitions: any RequestDefinition...) -> Feature<Requests, RequestAction> {
    feature(definitions)
  }

  /// Makes the feature of a cache from an array of definitions.
  ///
  /// - Parameter definitions: The requests and the changes that the cache knows.
  public static func feature(_ definitions: [any RequestDefinition]) -> Feature<Requests, RequestAction> {
    let definitions = RequestDefinitions(definitions)
    let reducer = RequestReducer(definitions: definitions)
    return Feature(making: { place in
      let tree = TreeReference(tree: place.address.tree)
      let cache = Feature<Requests, RequestAction>(
        stateEffects: [
          // A cache that begins, such as one in a part that was nil, may have times, changes and observers already.
          StateEffect(onChange: \.needs, by: ==, initial: true, mode: .parallel) { old, cache in
            let needs = cache.needs
            // The first state comes with its own needs as the old ones.
            let old = old == needs ? nil : old
            return .merge(
              needs.mustResume && old?.mustResume != true ? .send(.resumed(at: tree.now)) : .none,
              needs.deadline != old?.deadline ? alarm(at: needs.deadline, tree) : .none,
              tree.repair(needs.observers, since: old?.observers)
            )
          }
        ],
        reducer: reducer.reduce
      )
      let feature = Feature.combined(
        cache,
        fetching(definitions, tree).forEach(\.fetches, action: { $1 }, extract: \.fromFetch),
        sending(definitions, tree).forEach(\.changes, action: { $1 }, extract: \.fromChange)
      )
      return feature.make(place)
    })
  }

  /// The needs of a cache: to continue after it was decoded, an alarm, and the observers that exist.
  private struct Needs: Equatable, Sendable {
    let mustResume: Bool
    let deadline: Duration?
    let observers: EntityTable<Observer>

    static func == (left: Needs, right: Needs) -> Bool {
      left.mustResume == right.mustResume && left.deadline == right.deadline
        && left.observers.stamp == right.observers.stamp
    }
  }

  private var needs: Needs { Needs(mustResume: mustResume, deadline: nextDeadline, observers: observers) }

  private struct AlarmKey: Hashable {}

  /// Waits for the next deadline, in place of the last one.
  private static func alarm(at deadline: Duration?, _ tree: TreeReference) -> Effect<RequestAction> {
    guard let deadline else { return .cancel(AlarmKey()) }
    return Effect.run(key: AlarmKey(), mode: .dropCurrent) { send in
      guard let clock = tree.clock else { return }
      try await clock.sleep(until: deadline)
      send(.alarm(at: clock.now))
    }
    .ongoing
  }

  private static func fetching(
    _ definitions: RequestDefinitions,
    _ tree: TreeReference
  ) -> Feature<Fetch, RequestAction> {
    let fetching = StateEffect<Fetch, RequestAction>(\.job) { fetch in
      guard let request = definitions.requests[fetch.entry.name] else {
        return .send(.failed(fetch: fetch.id.number, fetch.entry, .unknownRequest(fetch.entry.name), at: tree.now))
      }
      let effect = Effect<RequestAction>.run(key: fetch.entry) { send in
        do {
          try await perform(fetch, request, tree, send)
        } catch {
          send(.failed(fetch: fetch.id.number, fetch.entry, RequestFailure(error), at: tree.now))
        }
      }
      return request.policy.isStream ? effect.ongoing : effect
    }
    return Feature(stateEffects: [fetching.abandoningAttempts])
  }

  /// Performs an attempt of a fetch, and sends its answers.
  private static func perform(
    _ fetch: Fetch,
    _ request: FetchFunctions,
    _ tree: TreeReference,
    _ send: @escaping @Sendable (RequestAction) -> Void
  ) async throws {
    guard let clock = tree.clock else { return }
    let (number, id) = (fetch.id.number, fetch.entry)
    let call = if let responder = tree.responder { responder.fetch } else { request.call }
    let answer = try await request.fetch(from: fetch.cursor, pages: fetch.pageCount) { cursor in
      // The fetch may ignore its cancellation, so the failure is sent when the time is over.
      let timeOut: @Sendable (RequestFailure) -> Void = { send(.failed(fetch: number, id, $0, at: clock.now)) }
      return try await clock.withTimeout(request.policy.timeout, timeOut) {
        let last = try await call(id, cursor) { value in
          send(.answered(fetch: number, id, try request.receive(id, cursor, value), at: clock.now))
        }
        return try last.map { try request.receive(id, cursor, $0) }
      }
    }
    send(answer.map { .answered(fetch: number, id, $0, at: clock.now) } ?? .ended(fetch: number, id, at: clock.now))
  }

  private static func sending(
    _ definitions: RequestDefinitions,
    _ tree: TreeReference
  ) -> Feature<PendingChange, RequestAction> {
    let sending = StateEffect<PendingChange, RequestAction>(\.job) { change in
      guard let functions = definitions.changes[change.name] else {
        return .send(.refused(change.id, .unknownChange(change.name)))
      }
      return Effect<RequestAction>.run(key: change.name) { send in
        do {
          let output =
            if let responder = tree.responder {
              try functions.output(await responder.send(change.call))
            } else {
              try await functions.send(change.input, change.id)
            }
          send(.confirmed(change.id, output))
        } catch {
          send(.refused(change.id, RequestFailure(error)))
        }
      }
    }
    // A state of another time may have changes whose callers don't wait any more.
    let release = StateEffect<PendingChange, RequestAction>(onChange: \.isAwaited, initial: true) { change in
      guard change.isAwaited, let observers = tree.observers else { return .none }
      return observers.hasCaller(of: change.id) ? .none : .send(.acknowledged(change.id))
    }
    return Feature(stateEffects: [sending.abandoningAttempts, release])
  }

  /// A tree, which this doesn't keep alive.
  private struct TreeReference: Sendable {
    weak let tree: Tree?

    var clock: RequestClock? { tree.map(RequestClock.of) }

    var now: Duration { clock?.now ?? .zero }

    var responder: RequestResponder? {
      tree?.attachments.existing(RequestResponder.self)?.takeUnretainedValue()
    }

    var observers: RequestObservers? { tree.map(RequestObservers.of) }

    /// Lets the observers in which two tables differ check that their caches have them; all observers of the tree if
    /// there is no earlier table.
    ///
    /// - Returns: An effect that removes those that don't exist.
    func repair(_ table: EntityTable<Observer>, since old: EntityTable<Observer>?) -> Effect<RequestAction> {
      guard let observers else { return .none }
      if old == nil { observers.checkAll() }
      return .send(batch: observers.corrections(of: table, since: old ?? EntityTable(), at: now))
    }
  }
}

extension RequestAction {
  /// The fetch that sends the action, and the action; nil if no fetch sends it.
  fileprivate var fromFetch: (Requests.Fetch.ID, RequestAction)? {
    switch self {
    case .answered(let number, let id, _, _), .ended(let number, let id, _), .failed(let number, let id, _, _):
      (Requests.Fetch.ID(number: number, entry: id), self)
    default: nil
    }
  }

  /// The change that sends the action, and the action; nil if no change sends it.
  fileprivate var fromChange: (PendingChange.ID, RequestAction)? {
    switch self {
    case .confirmed(let id, _), .refused(let id, _), .acknowledged(let id): (id, self)
    default: nil
    }
  }
}
