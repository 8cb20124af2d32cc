public import Arbor

/// The definition of a request: how to fetch a value from a server, and for how long to keep it.
///
/// ```swift
/// let album = Request<Album.ID, Album>(
///   "album", freshFor: .seconds(60), tags: { id, _ in [.album(id)] }
/// ) { id in
///   try await client.album(id)
/// }
/// ```
///
/// - It is a value and does nothing by itself: pass it to ``Requests/feature(_:)`` and to the store's methods. Its
///   dependencies are those that the closures capture.
/// - The name identifies the request in the cache, in stored states and in logs. Two requests of one feature need
///   different names.
/// - Values are compared with `==`: an answer that is equal to the last one notifies no observer of the value.
/// - If the value is `Codable`, it is stored with the state. Otherwise its entries are fetched again after a restart.
public struct Request<Argument: Codable & Hashable & Sendable, Value: Equatable & Sendable>: RequestDefinition {
  /// The name in the cache.
  public let name: String

  /// The request without its types.
  public let definition: AnyRequestDefinition

  /// Defines a request.
  ///
  /// - Parameters:
  ///   - name: The name. Each request has its own.
  ///   - freshFor: The time for which an answer is fresh. A new observer of a stale answer sees it, and starts a new
  ///     fetch. By default, an answer is stale at once; nil means fresh until it is invalidated.
  ///   - keptFor: The time for which an answer without observers is kept.
  ///   - retries: The number of times that a fetch is repeated after an error.
  ///   - backoff: The delays before the repetitions.
  ///   - interval: The interval at which observed answers are fetched again; nil for never.
  ///   - timeout: The longest time that one attempt may take; nil for any.
  ///   - tags: The tags that an answer provides, by which changes invalidate it.
  ///   - fetch: Fetches the value.
  public init(
    _ name: String,
    freshFor: Duration? = .zero,
    keptFor: Duration = .seconds(60),
    retries: Int = 3,
    backoff: EffectBackoff = .exponential(initial: .seconds(1)).capped(at: .seconds(30)),
    every interval: Duration? = nil,
    timeout: Duration? = nil,
    tags: @escaping @Sendable (_ argument: Argument, _ value: Value) -> [RequestTag] = { _, _ in [] },
    fetch: @escaping @Sendable (_ argument: Argument) async throws -> Value
  ) {
    let policy = RequestPolicy(freshFor, keptFor, retries, backoff, interval, timeout)
    self.init(name, policy, tags) { argument, _ in try await fetch(argument) }
  }

  /// Defines a request whose answers go on: a stream that runs as long as the entry is observed.
  ///
  /// - Each value of the stream is an answer. If the stream fails, it begins again after the backoff's delay; if it
  ///   ends, the entry keeps the last value.
  /// - Parameters:
  ///   - name: The name. Each request has its own.
  ///   - keptFor: The time for which the last value is kept without observers.
  ///   - retries: The number of times that the stream is begun again after an error.
  ///   - backoff: The delays before the repetitions.
  ///   - tags: The tags that a value provides.
  ///   - stream: Makes the stream.
  public init<Values: AsyncSequence & Sendable>(
    streaming name: String,
    keptFor: Duration = .seconds(60),
    retries: Int = .max,
    backoff: EffectBackoff = .exponential(initial: .seconds(1)).capped(at: .seconds(30)),
    tags: @escaping @Sendable (_ argument: Argument, _ value: Value) -> [RequestTag] = { _, _ in [] },
    stream: @escaping @Sendable (_ argument: Argument) async throws -> Values
  ) where Values.Element == Value {
    let policy = RequestPolicy(nil, keptFor, retries, backoff, nil, nil, isStream: true)
    self.init(name, policy, tags) { argument, send in
      for try await value in try await stream(argument) { send(value) }
      return nil
    }
  }

  private init(
    _ name: String,
    _ policy: RequestPolicy,
    _ tags: @escaping @Sendable (Argument, Value) -> [RequestTag],
    _ run: @escaping @Sendable (Argument, _ send: @Sendable (Value) -> Void) async throws -> Value?
  ) {
    self.name = name
    definition = AnyRequestDefinition(
      .request(
        FetchFunctions(
          policy: policy,
          typed: { RequestValue(try $0.value(as: Value.self)) },
          tags: { id, value in
            guard let argument = try? JSONText.value(Argument.self, from: id.argument),
              let value = try? value.value(as: Value.self)
            else { return [] }
            return tags(argument, value)
          },
          run: { id, send in
            let argument = try JSONText.value(Argument.self, from: id.argument)
            return try await run(argument) { send(RequestValue($0)) }.map { RequestValue($0) }
          }
        )
      )
    )
  }

  /// Returns the identity of the entry of an argument.
  ///
  /// - Parameter argument: The argument. If it can't be encoded as JSON, fetching its entry fails and says so.
  public func id(_ argument: Argument) -> RequestID {
    RequestID(name: name, argument: (try? JSONText.text(of: argument)) ?? "not JSON: \(argument)")
  }

  /// Returns a change of the answer to an argument, for the optimistic part of a ``Change``.
  ///
  /// - Parameters:
  ///   - argument: The argument. An entry that isn't in the cache stays missing.
  ///   - change: Changes the answer. It is called again whenever another answer arrives.
  public func patch(
    _ argument: Argument,
    _ change: @escaping @Sendable (_ value: inout Value) -> Void
  ) -> RequestPatch {
    RequestPatch(id: id(argument)) { answer in
      guard var value = try? answer.value(as: Value.self) else { return answer }
      change(&value)
      return RequestValue(value)
    }
  }

  /// Returns the value that an action brings to this request; nil for any other action.
  ///
  /// - Use it in a reducer to write the records of an answer into a table.
  /// - Parameter action: An action of the cache.
  public func answer(in action: RequestAction) -> Value? {
    guard case .answered(_, let id, let value, _) = action, id.name == name else { return nil }
    return try? value.value(as: Value.self)
  }
}

/// The times and limits of a request.
struct RequestPolicy: Sendable {
  let freshFor: Duration?
  let keptFor: Duration
  let maxAttempts: Int
  let backoff: EffectBackoff
  let interval: Duration?
  let timeout: Duration?
  let isStream: Bool

  init(
    _ freshFor: Duration?,
    _ keptFor: Duration,
    _ retries: Int,
    _ backoff: EffectBackoff,
    _ interval: Duration?,
    _ timeout: Duration?,
    isStream: Bool = false
  ) {
    // No clock has to wait longer.
    let longest = EffectBackoff.longest
    self.freshFor = freshFor.map { min($0, longest) }
    self.keptFor = min(max(keptFor, .zero), longest)
    maxAttempts = RequestPolicy.attempts(retries: retries)
    self.backoff = backoff
    self.interval = interval.map { min(max($0, .milliseconds(1)), longest) }
    self.timeout = timeout.map { min($0, longest) }
    self.isStream = isStream
  }

  /// Returns the number of attempts for a number of retries, which may be any number.
  static func attempts(retries: Int) -> Int { retries == .max ? .max : max(retries, 0) + 1 }
}

/// A change of one entry's answer.
public struct RequestPatch: Sendable {
  let id: RequestID
  let apply: @Sendable (RequestValue) -> RequestValue
}
