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
      let feature = Feature<Requests, RequestAction>(
        stateEffects: [
          StateEffect(while: \.mustResume) { _ in .send(.resumed(at: tree.clock?.now ?? .zero)) },
          fetching(definitions, tree),
          sending(definitions, tree),
          StateEffect(onChange: \.nextDeadline) { cache in
            guard let deadline = cache.nextDeadline else { return .none }
            return Effect.run { send in
              guard let clock = tree.clock else { return }
              try await clock.sleep(until: deadline)
              send(.alarm(at: clock.now))
            }
            .ongoing
          },
        ],
        reducer: reducer.reduce
      )
      return feature.make(place)
    })
  }

  private static func fetching(
    _ definitions: RequestDefinitions,
    _ tree: TreeReference
  ) -> StateEffect<Requests, RequestAction> {
    StateEffect(each: \.fetches, \.job) { number, error in
      .failed(fetch: number, RequestFailure(error), at: tree.clock?.now ?? .zero)
    } effect: { cache, fetch in
      guard let request = definitions.requests[fetch.entry.name] else { return .none }
      let loaded = cache.entries[fetch.entry]?.answer?.pages
      let effect = Effect<RequestAction>.run(key: fetch.entry) { send in
        try await perform(fetch, request, loaded: loaded, tree, send)
      }
      return request.policy.isStream ? effect.ongoing : effect
    }
    .abandoningAttempts
  }

  /// Performs an attempt of a fetch, and sends its answers.
  private static func perform(
    _ fetch: Requests.Fetch,
    _ request: FetchFunctions,
    loaded: (any AnyPages)?,
    _ tree: TreeReference,
    _ send: @escaping @Sendable (RequestAction) -> Void
  ) async throws {
    guard let clock = tree.clock else { return }
    let (number, id) = (fetch.id, fetch.entry)
    let call = if let responder = tree.responder { responder.fetch } else { request.call }
    let answer = try await request.fetch(id, fetch.page, loaded: loaded) { cursor in
      // The fetch may ignore its cancellation, so the failure is sent when the time is over.
      let timeOut: @Sendable (RequestFailure) -> Void = { send(.failed(fetch: number, $0, at: clock.now)) }
      return try await clock.withTimeout(request.policy.timeout, timeOut) {
        let last = try await call(id, cursor) { value in
          send(.answered(fetch: number, id, try request.receive(id, cursor, value), at: clock.now))
        }
        return try last.map { try request.receive(id, cursor, $0) }
      }
    }
    send(answer.map { .answered(fetch: number, id, $0, at: clock.now) } ?? .ended(fetch: number, at: clock.now))
  }

  private static func sending(
    _ definitions: RequestDefinitions,
    _ tree: TreeReference
  ) -> StateEffect<Requests, RequestAction> {
    StateEffect(each: \.changes, \.job) { id, error in
      .refused(id, RequestFailure(error))
    } effect: { _, change in
      guard let functions = definitions.changes[change.name] else { return .none }
      return Effect<RequestAction>.run(key: change.name) { send in
        let output =
          if let responder = tree.responder {
            try functions.output(await responder.send(change.call))
          } else {
            try await functions.send(change.input, change.id)
          }
        send(.confirmed(change.id, output))
      }
    }
    .abandoningAttempts
  }

  /// A tree, which this doesn't keep alive.
  private struct TreeReference: Sendable {
    weak let tree: Tree?

    var clock: RequestClock? { tree.map(RequestClock.of) }

    var responder: RequestResponder? {
      tree?.attachments.existing(RequestResponder.self)?.takeUnretainedValue()
    }
  }
}
