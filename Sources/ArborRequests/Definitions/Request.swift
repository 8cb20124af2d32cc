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
/// - It is a value and does nothing by itself: pass it to ``Requests/feature(_:)-(RequestDefinition...)`` and to the
///   store's methods. Its dependencies are those that the closures capture.
/// - The name identifies the request in the cache, in stored states and in logs. Two requests of one feature need
///   different names.
/// - Values are compared with `==`: an answer that is equal to the last one notifies no observer of the value.
/// - If the value is `Codable`, it is stored with the state. Otherwise its entries are fetched again after a restart.
public struct Request<Argument: Codable & Hashable & Sendable, Value: Equatable & Sendable>: RequestDefinition {
  /// The name in the cache.
  public let name: String

  let functions: FetchFunctions
  let tags: @Sendable (Argument, Value) -> [RequestTag]

  /// The request without its types.
  public var definition: AnyRequestDefinition { AnyRequestDefinition(.request(functions)) }

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
    self.init(name, policy, tags, call: { argument, _, _ in try await fetch(argument) }, receive: { $1 })
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
    var policy = RequestPolicy(nil, keptFor, retries, backoff, nil, nil)
    policy.isStream = true
    self.init(name, policy, tags) { argument, _, send in
      for try await value in try await stream(argument) { try send(value) }
      return nil
    } receive: {
      $1
    }
  }

  /// Defines a request of a list that is loaded page by page, in both directions.
  ///
  /// ```swift
  /// let albums = Request<NoValue, Pages<Int, AlbumPage>>(
  ///   pages: "albums", first: 0, next: { page in page.next }
  /// ) { _, cursor in
  ///   try await client.albums(from: cursor)
  /// }
  /// store.dispatch(.fetchPage(albums.id(NoValue()), .next))
  /// ```
  ///
  /// - The first observer fetches the first page; ``RequestAction/fetchPage(_:_:)`` fetches the next or the previous
  ///   one.
  /// - When the answer is fetched again, all loaded pages are fetched in their order, beginning with the first loaded
  ///   one. Observers keep the old pages until the last of them has arrived.
  /// - Parameters:
  ///   - name: The name. Each request has its own.
  ///   - first: The cursor of the page that is fetched first.
  ///   - next: Returns the cursor of the page after a page; nil after the last one.
  ///   - previous: Returns the cursor of the page before a page; nil before the first one.
  ///   - limit: The largest number of pages that are kept, at least 1. Another page takes the place of the one at the
  ///     other end.
  ///   - freshFor: The time for which the pages are fresh, counted from the last time that all of them were fetched.
  ///   - keptFor: The time for which the pages are kept without observers.
  ///   - retries: The number of times that a fetch is repeated after an error.
  ///   - backoff: The delays before the repetitions.
  ///   - interval: The interval at which observed pages are fetched again; nil for never.
  ///   - timeout: The longest time that the fetch of one page may take; nil for any.
  ///   - tags: The tags that a page provides.
  ///   - fetch: Fetches the page at a cursor.
  public init<Cursor, Page>(
    pages name: String,
    first: Cursor,
    next: @escaping @Sendable (_ page: Page) -> Cursor?,
    previous: @escaping @Sendable (_ page: Page) -> Cursor? = { _ in nil },
    atMost limit: Int = .max,
    freshFor: Duration? = .zero,
    keptFor: Duration = .seconds(60),
    retries: Int = 3,
    backoff: EffectBackoff = .exponential(initial: .seconds(1)).capped(at: .seconds(30)),
    every interval: Duration? = nil,
    timeout: Duration? = nil,
    tags: @escaping @Sendable (_ argument: Argument, _ page: Page) -> [RequestTag] = { _, _ in [] },
    fetch: @escaping @Sendable (_ argument: Argument, _ cursor: Cursor) async throws -> Page
  ) where Value == Pages<Cursor, Page> {
    var policy = RequestPolicy(freshFor, keptFor, retries, backoff, interval, timeout)
    policy.maxPages = max(limit, 1)
    let tags: @Sendable (Argument, Value) -> [RequestTag] = { argument, pages in
      pages.pages.flatMap { tags(argument, $0) }
    }
    self.init(name, policy, tags, firstPage: RequestValue(first)) { argument, cursor, _ in
      try await fetch(argument, cursor?.value(as: Cursor.self) ?? first)
    } receive: { (cursor, page: Page) in
      let cursor = try cursor?.value(as: Cursor.self) ?? first
      return Pages([.init(cursor: cursor, page: page, next: next(page), previous: previous(page))])
    }
  }

  private init<Raw: Sendable>(
    _ name: String,
    _ policy: RequestPolicy,
    _ tags: @escaping @Sendable (Argument, Value) -> [RequestTag],
    firstPage: RequestValue? = nil,
    call: @escaping @Sendable (Argument, RequestValue?, _ send: @Sendable (Raw) throws -> Void) async throws -> Raw?,
    receive: @escaping @Sendable (_ cursor: RequestValue?, Raw) throws -> Value
  ) {
    self.name = name
    self.tags = tags
    functions = FetchFunctions(policy: policy, firstPage: firstPage) {
      RequestValue(try $0.value(as: Value.self))
    } call: { id, cursor, send in
      try await call(JSONText.value(Argument.self, from: id.argument), cursor, send)
    } receive: { id, cursor, value in
      guard let raw = value as? Raw else {
        throw RequestFailure(.undecodable, "the answer is a \(type(of: value)), not a \(Raw.self)")
      }
      let value = try receive(cursor, raw)
      let tags = tags(try JSONText.value(Argument.self, from: id.argument), value)
      return ReceivedAnswer(value: RequestValue(value), parts: [.init(tags: tags, records: [])])
    }
  }

  private init(
    name: String,
    functions: FetchFunctions,
    tags: @escaping @Sendable (Argument, Value) -> [RequestTag]
  ) {
    (self.name, self.functions, self.tags) = (name, functions, tags)
  }

  /// Returns this request with answers of another form, for example ids instead of records.
  ///
  /// - The records that an answer provides become entries of their own requests, so a record in several lists is one
  ///   value: a change of it is seen everywhere. They are kept as long as an answer that provided them.
  /// - `tags:` receives the original answer. So if another answer provides a record of the new type, it has no tags.
  /// - Parameter transform: Makes the answer that is kept.
  public func normalized<Kept: Equatable & Sendable>(
    _ transform: @escaping @Sendable (_ value: Value) -> RequestAnswer<Kept>
  ) -> Request<Argument, Kept> {
    let receive = functions.receive
    let kept = FetchFunctions(policy: functions.policy, firstPage: functions.firstPage) {
      RequestValue(try $0.value(as: Kept.self))
    } call: {
      try await functions.call($0, $1, $2)
    } receive: { id, cursor, value in
      let received = try receive(id, cursor, value)
      let answer = transform(try received.value.value(as: Value.self))
      let parts = received.parts.map { ReceivedAnswer.Part(tags: $0.tags, records: $0.records + answer.records) }
      return ReceivedAnswer(value: RequestValue(answer.value), parts: parts)
    }
    return Request<Argument, Kept>(name: name, functions: kept) { [tags] argument, kept in
      (kept as? Value).map { tags(argument, $0) } ?? []
    }
  }

  /// Returns the identity of the entry of an argument.
  ///
  /// - Parameter argument: The argument. If it can't be encoded as JSON, fetching its entry fails and says so.
  public func id(_ argument: Argument) -> RequestID {
    RequestID(name: name, argument: RequestValue(argument).text ?? "not JSON: \(argument)")
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
    RequestPatch(.entry(id(argument)), change)
  }

  /// Returns a change of the answers to all arguments, for the optimistic part of a ``Change``.
  ///
  /// - Use it for a record that may be in the answer to any argument, such as a deleted one in the results of searches.
  /// - Cost: all entries of the cache are visited when the change is made and when it ends.
  /// - Parameter change: Changes an answer. It is called again whenever another answer arrives.
  public func patchAll(_ change: @escaping @Sendable (_ value: inout Value) -> Void) -> RequestPatch {
    RequestPatch(.request(name), change)
  }

  /// Returns the values that an action brings to this request: an answer, or the records that came with one.
  ///
  /// - Use it in a reducer to write records into a table of your own.
  /// - Parameter action: An action of the cache.
  public func answers(in action: RequestAction) -> [Value] {
    guard case .answered(_, let id, let answer, _) = action else { return [] }
    let records = answer.parts.flatMap(\.records).filter { $0.id.name == name }.map(\.value)
    return (records + (id.name == name ? [answer.value] : [])).compactMap { try? $0.value(as: Value.self) }
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
  var isStream = false

  /// The largest number of pages; nil if the answer has no pages.
  var maxPages: Int?

  init(
    _ freshFor: Duration?,
    _ keptFor: Duration,
    _ retries: Int,
    _ backoff: EffectBackoff,
    _ interval: Duration?,
    _ timeout: Duration?
  ) {
    // No clock has to wait longer.
    let longest = EffectBackoff.longest
    self.freshFor = freshFor.map { min($0, longest) }
    self.keptFor = min(max(keptFor, .zero), longest)
    maxAttempts = RequestPolicy.attempts(retries: retries)
    self.backoff = backoff
    self.interval = interval.map { min(max($0, .milliseconds(1)), longest) }
    self.timeout = timeout.map { min($0, longest) }
  }

  /// Returns the number of attempts for a number of retries, which may be any number.
  static func attempts(retries: Int) -> Int { retries == .max ? .max : max(retries, 0) + 1 }
}

/// A change of one entry's answer, or of the answers to all arguments of a request.
public struct RequestPatch: Sendable {
  let reach: RequestReach
  let apply: @Sendable (RequestValue) -> RequestValue

  init<Value: Equatable & Sendable>(_ reach: RequestReach, _ change: @escaping @Sendable (inout Value) -> Void) {
    self.reach = reach
    apply = { answer in
      guard var value = try? answer.value(as: Value.self) else { return answer }
      change(&value)
      return RequestValue(value)
    }
  }
}
