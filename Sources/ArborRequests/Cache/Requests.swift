internal import Arbor
public import ArborEntities

/// A cache of answers from servers, as a part of a state.
///
/// ```swift
/// struct AppState: Equatable, Sendable {
///   var requests = Requests()
/// }
/// let app = Feature<AppState, AppAction>.combined(
///   Requests.feature(album, albums, favorite).scoped(to: \.requests, action: AppAction.requests, extract: \.requests),
///   …
/// )
/// ```
///
/// - Everything that happens in it is an action, so logs, recordings, time travel, stored states and test stores show
///   the cache like any other part of the state.
/// - A decoded cache has the values of the last run, all of them stale, and the changes that were pending.
public struct Requests: Equatable, Sendable {
  /// The entries, by request and argument.
  public internal(set) var entries = EntityTable<RequestEntry>()

  /// The numbers of observers. They are apart from the entries, so that a new observer notifies no other one.
  var observers = EntityTable<Observers>()

  /// The changes that are not confirmed yet, in the order they were made.
  public internal(set) var changes: [PendingChange] = []

  /// `false` after ``RequestAction/becameOffline``.
  public internal(set) var isOnline = true

  /// `false` after ``RequestAction/becameInactive``.
  public internal(set) var isActive = true

  /// The fetches in progress, in the order they began.
  var fetches: [Fetch] = []

  /// The number of the last fetch that began.
  var lastFetch = 0

  /// `true` until a decoded cache has continued.
  var mustResume = false

  /// Makes an empty cache.
  public init() {}

  /// The next time at which something happens by itself; nil for never.
  var nextDeadline: Duration? {
    entries[RequestEntry.byDeadline].first.flatMap { $0.deadline == .never ? nil : $0.deadline }
  }

  /// Returns the number of observers of an entry.
  ///
  /// - Parameter id: The identity of the entry.
  public func observerCount(of id: RequestID) -> Int { observers[id]?.count ?? 0 }

  /// Returns `true` if an entry has an observer.
  func isObserved(_ id: RequestID) -> Bool { observers[id] != nil }

  /// The observers of an entry, of which there is at least one.
  struct Observers: Identifiable, Equatable, Sendable {
    let id: RequestID
    var count: Int
  }

  /// A fetch in progress.
  struct Fetch: Identifiable, Equatable, Sendable {
    /// The number of the fetch.
    let id: Int
    let entry: RequestID
    var job = JobState()

    /// `true` if its answer is stale when it arrives, because its entry was invalidated after its beginning.
    var isOutdated = false

    /// `true` if its answer lacks a change that was confirmed after its beginning, so the answer is not shown.
    var lacksChange = false

    /// `true` if it goes on without observers.
    var isPrefetch: Bool

    /// The tags that were invalidated after its beginning.
    var invalidatedTags: [RequestTag] = []
  }
}

extension Requests: Codable {
  private enum CodingKeys: String, CodingKey {
    case entries
    case changes
  }

  /// Decodes the entries, without observers and stale, and the pending changes, which are sent again.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    entries = try container.decode(EntityTable<RequestEntry>.self, forKey: .entries)
    changes = try container.decode([PendingChange].self, forKey: .changes).filter(\.isPending).map { change in
      PendingChange(id: change.id, name: change.name, input: change.input, isAwaited: false)
    }
    mustResume = true
  }

  /// Encodes the entries that have an answer or a failure, and the pending changes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries.filter { $0.answer != nil || $0.failure != nil }, forKey: .entries)
    try container.encode(changes.filter(\.isPending), forKey: .changes)
  }
}
