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

  /// The answer with all pending changes applied, which observers see.
  public internal(set) var shown: RequestValue?

  /// The labels that the last answer provided.
  public internal(set) var tags: [RequestTag] = []

  /// `true` if the answer is no longer fresh: the next new observer fetches it again.
  public internal(set) var isStale = false

  /// The reason why the last fetch failed; nil after an answer.
  public internal(set) var failure: RequestFailure?

  /// The number of the fetch in progress; nil if there is none.
  public internal(set) var fetch: Int?

  /// The number of the last fetch that has ended.
  public internal(set) var endedFetch = 0

  /// `true` if a fetch is due, but waits for the connection or for the program to become active.
  public internal(set) var isWaiting = false

  // Times since the tree was made; nil for never.
  var staleAt: Duration?
  var pollAt: Duration?
  var removeAt: Duration?

  init(id: RequestID) {
    self.id = id
  }

  /// The earliest of the times; the longest duration if there is none.
  var deadline: Duration { min(staleAt ?? .never, pollAt ?? .never, removeAt ?? .never) }
}

extension Duration {
  /// A time that no clock reaches.
  static let never = Duration.seconds(Int64.max)
}

extension RequestEntry: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case answer
    case tags
    case failure
  }

  /// Decodes an entry without observers, whose answer is stale.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(RequestID.self, forKey: .id)
    answer = try container.decodeIfPresent(RequestValue.self, forKey: .answer)
    shown = answer
    tags = try container.decodeIfPresent([RequestTag].self, forKey: .tags) ?? []
    failure = try container.decodeIfPresent(RequestFailure.self, forKey: .failure)
    isStale = answer != nil
  }

  /// Encodes the answer, its tags and the last failure.
  ///
  /// - Observers, fetches in progress and times belong to the running program, so they aren't encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(answer, forKey: .answer)
    if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    try container.encodeIfPresent(failure, forKey: .failure)
  }
}
