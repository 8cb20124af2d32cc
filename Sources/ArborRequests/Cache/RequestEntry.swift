internal import Arbor
public import ArborEntities

/// The answer to one request with one argument, and everything that the cache knows about it.
public struct RequestEntry: Identifiable, Equatable, Sendable, IndexedEntity {
  /// The entries by the time at which the next thing happens to them.
  static let byDeadline = SortedIndex<RequestEntry, Duration>(\.deadline)

  /// The index by the time of the next event.
  public static var indexes: [any EntityIndex<RequestEntry>] { [byDeadline] }

  /// The name of the request and its argument.
  public let id: RequestID

  /// The last answer of the server, with the changes that were confirmed since; nil before the first answer.
  public internal(set) var answer: RequestValue?

  /// The answer with the pending changes applied; nil if there are none for this entry.
  var patched: RequestValue?

  /// The tags and the records of each page, or of the whole answer.
  var parts: [Part] = []

  /// The time of the last answer, counted from the first use of the cache in this tree; nil before it, and for an answer
  /// of an earlier run.
  public internal(set) var answeredAt: Duration?

  /// `true` if the answer is no longer fresh: the next new observer fetches it again.
  public internal(set) var isStale = false

  /// The reason why the last fetch failed; nil after an answer.
  public internal(set) var failure: RequestFailure?

  /// The number of the fetch in progress; nil if there is none.
  public internal(set) var fetch: Int?

  /// The page that the fetch in progress adds; nil if it fetches the answer.
  public internal(set) var fetchedPage: PageDirection?

  /// The pages to fetch after the fetch in progress, or after the connection is back, in the order in which they were wanted.
  public internal(set) var duePages: [PageDirection] = []

  /// The event that started the last fetch; nil before the first one.
  public internal(set) var cause: Cause?

  /// The ``Requests/Fetch/round`` of the fetch that brought the answer; nil before it.
  var answeringRound: Int?

  /// The number of answers that have provided the entry. They only keep it.
  var keepers = 0

  /// `true` if a fetch is due, but waits for the connection.
  public internal(set) var isWaiting = false

  /// The answer with all pending changes applied, which observers see.
  public var shown: RequestValue? { patched ?? answer }

  /// The tags that the answer provided.
  public var tags: [RequestTag] { parts.flatMap(\.tags) }

  /// The entries of the records that came with the answer. They are kept as long as this entry.
  public var records: [RequestID] { parts.flatMap(\.records) }

  /// The tags and the records of a page, or of the whole answer.
  struct Part: Equatable, Codable, Sendable {
    let tags: [RequestTag]
    let records: [RequestID]
  }

  /// The events that start fetches.
  public enum Cause: String, Codable, Hashable, Sendable {
    /// An observer was added.
    case observer

    /// ``RequestAction/prefetch(_:)``.
    case prefetch

    /// ``RequestAction/refetch(_:)``.
    case refetch

    /// ``RequestAction/fetchPage(_:_:)``.
    case page

    /// An invalidation, or a change that made the answer stale.
    case invalidation

    /// The interval of the request has passed.
    case interval

    /// The program became active.
    case activity

    /// The connection is back.
    case connection
  }

  /// `true` if the interval has passed since the last fetch. Without observers, or in the background, it isn't fetched yet.
  var isPollDue = false

  // Times like `answeredAt`; nil for never.
  var staleAt: Duration?
  var pollAt: Duration?
  var removeAt: Duration?

  init(id: RequestID) {
    self.id = id
  }

  /// Marks the answer as stale, if there is one.
  mutating func setStale() {
    isStale = answer != nil
    staleAt = nil
  }

  /// Begins the time for which the answer is fresh; nil means that it has no end.
  mutating func setFresh(for freshFor: Duration?, at time: Duration) {
    isStale = freshFor.map { $0 <= .zero } ?? false
    staleAt = isStale ? nil : freshFor.map { time.later(by: $0) }
  }

  /// The identity of the fetch in progress; nil if there is none.
  var fetchID: Requests.Fetch.ID? { fetch.map { Requests.Fetch.ID(number: $0, entry: id) } }

  /// The earliest of the times; the longest duration if there is none.
  var deadline: Duration { min(staleAt ?? .never, pollAt ?? .never, removeAt ?? .never) }
}

extension Duration {
  /// A time that no clock reaches.
  static let never = Duration.seconds(Int64.max)

  /// Returns a later time; at most the time that no clock reaches, because a decoded action may have any time.
  func later(by duration: Duration) -> Duration { self > .never - duration ? .never : self + duration }
}

extension RequestEntry: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case answer
    case parts
    case failure
  }

  /// Decodes an entry without observers, whose answer is stale.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(RequestID.self, forKey: .id)
    answer = try container.decodeIfPresent(RequestValue.self, forKey: .answer)
    parts = try container.decodeIfPresent([Part].self, forKey: .parts) ?? []
    failure = try container.decodeIfPresent(RequestFailure.self, forKey: .failure)
    isStale = answer != nil
    try decodeRecorded(from: decoder)
  }

  /// Encodes the answer, its tags and records, and the last failure.
  ///
  /// - Observers, fetches in progress and times belong to the running program, so they aren't encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(answer, forKey: .answer)
    if !parts.isEmpty { try container.encode(parts, forKey: .parts) }
    try container.encodeIfPresent(failure, forKey: .failure)
    if encoder.isRecording { try encodeRecorded(to: encoder) }
  }
}
