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

  /// The numbers of holders. They are apart from the entries, so that a new observer notifies no other one.
  var holders = EntityTable<Holders>()

  /// The observers with a changing argument.
  var followers = EntityTable<Follower>()

  /// The changes that are not confirmed, in the order they were made.
  public internal(set) var changes: [PendingChange] = []

  /// `false` after ``RequestAction/becameOffline``.
  ///
  /// - To begin without a connection, set it to `false` before you make the store. Then change it by actions only.
  public var isOnline = true

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
  public func observerCount(of id: RequestID) -> Int { holders[id]?.observers ?? 0 }

  /// Returns `true` if an entry has an observer.
  func isObserved(_ id: RequestID) -> Bool { observerCount(of: id) > 0 }

  /// The numbers of holders of an entry. At least one of them isn't zero.
  struct Holders: Identifiable, Equatable, Codable, Sendable {
    let id: RequestID

    /// The observers, which keep the answer fresh.
    var observers = 0

    /// The answers that provided the entry, and the followers that still show it. They only keep it.
    var keepers = 0
  }

  /// An observer with a changing argument.
  struct Follower: Identifiable, Equatable, Codable, Sendable {
    let id: Int

    /// The observed entry; nil while there is no argument.
    var current: RequestID?

    /// The last entry that had a value, which is kept until the observer leaves.
    var previous: RequestID?
  }

  /// A fetch in progress.
  struct Fetch: Identifiable, Equatable, Codable, Sendable {
    /// The number of the fetch.
    let id: Int
    let entry: RequestID

    /// The page that it adds; nil if it fetches the answer.
    let page: PageDirection?
    var job = JobState()

    /// `true` if its answer is stale when it arrives, because its entry was invalidated after its beginning.
    var isOutdated = false

    /// The entries with a change that was confirmed after its beginning. It brings no value for them.
    var changedEntries: Set<RequestID> = []

    /// `true` if it goes on without observers.
    var isPrefetch: Bool

    /// The tags that were invalidated after its beginning.
    var invalidatedTags: Set<RequestTag> = []

    /// The entries and the requests that were invalidated after its beginning.
    var invalidatedEntries: Set<RequestID> = []
    var invalidatedNames: Set<String> = []

    /// Returns `true` if a value that it brings was changed or invalidated after its beginning.
    func isOutdated(_ id: RequestID, _ tags: [RequestTag]) -> Bool {
      isOutdated && id == entry || changedEntries.contains(id) || invalidatedEntries.contains(id)
        || invalidatedNames.contains(id.name)
        || invalidatedTags.contains { tag in tags.contains { tag.reaches($0) } }
    }
  }
}

extension Requests: Codable {
  private enum CodingKeys: String, CodingKey {
    case entries
    case changes
  }

  /// Decodes the entries, without observers and stale, and the pending changes, which are sent again.
  public init(from decoder: any Decoder) throws {
    if let recorded = try Requests(recorded: decoder) {
      self = recorded
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    entries = try container.decode(EntityTable<RequestEntry>.self, forKey: .entries)
    var keys: Set<PendingChange.ID> = []
    changes = try container.decode([PendingChange].self, forKey: .changes).compactMap(\.restored)
      .filter { keys.insert($0.id).inserted }
    mustResume = true
  }

  /// Encodes the entries that have an answer or a failure, and the pending changes.
  public func encode(to encoder: any Encoder) throws {
    guard !encoder.isRecording else { return try encodeRecorded(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries.filter { $0.answer != nil || $0.failure != nil }, forKey: .entries)
    try container.encode(changes.compactMap(\.restored), forKey: .changes)
  }
}
