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

  /// The observers. They are apart from the entries, so that a new one notifies no other.
  var observers = EntityTable<Observer>()

  /// The changes that are not confirmed, in the order they were made.
  public internal(set) var changes = EntityTable<PendingChange>()

  /// `false` after ``RequestAction/becameOffline``.
  ///
  /// - To begin without a connection, set it to `false` before you make the store. Then change it by actions only.
  public var isOnline = true

  /// `false` after ``RequestAction/becameInactive``.
  public internal(set) var isActive = true

  /// The fetches in progress, in the order they began.
  var fetches = EntityTable<Fetch>()

  /// The number of the last fetch that began.
  var lastFetch = 0

  /// The number of actions that began fetches.
  var lastRound = 0

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
  public func observerCount(of id: RequestID) -> Int { observers[Observer.byEntry, id].count }

  /// Returns `true` if an entry has an observer, which keeps its answer fresh.
  func isObserved(_ id: RequestID) -> Bool { !observers[Observer.byEntry, id].isEmpty }

  /// An observer of one entry, or of the entry of a changing argument.
  struct Observer: Identifiable, Equatable, Codable, Sendable, IndexedEntity {
    static let byEntry = GroupedIndex<Observer, RequestID>(\.current)
    static let byPrevious = GroupedIndex<Observer, RequestID>(\.previous)
    static var indexes: [any EntityIndex<Observer>] { [byEntry, byPrevious] }

    /// A number that no other observer of the tree has.
    let id: Int

    /// The observed entry; nil while there is no argument.
    var current: RequestID?

    /// The last entry that had a value, which is kept while the observer may show it.
    var previous: RequestID?
  }
}

extension Requests {
  /// The content of a stored cache. Two values are equal if storing the second cache makes no difference.
  ///
  /// - Cost of a comparison: the entries that have changed from one cache to the other.
  public struct Stored: Equatable, Sendable {
    fileprivate let entries: EntityTable<RequestEntry>
    fileprivate let changes: EntityTable<PendingChange>

    /// Compares the answers, the failures and the changes, but neither observers nor fetches in progress.
    public static func == (first: Stored, second: Stored) -> Bool {
      first.changes.compactMap(\.restored) == second.changes.compactMap(\.restored)
        && first.entries.difference(from: second.entries).all.allSatisfy { id in
          first.entries[id]?.stored == second.entries[id]?.stored
        }
    }
  }

  /// The content to compare in order to save the cache only if necessary.
  public var stored: Stored { Stored(entries: entries, changes: changes) }
}

extension RequestEntry {
  /// The entry of a stored cache; nil if it isn't stored.
  fileprivate var stored: RequestEntry? {
    guard answer != nil || failure != nil else { return nil }
    var entry = RequestEntry(id: id)
    (entry.answer, entry.parts, entry.failure, entry.isStale) = (answer, parts, failure, answer != nil)
    return entry
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
    for change in try container.decode([PendingChange].self, forKey: .changes).compactMap(\.restored)
    where changes[change.id] == nil {
      changes[change.id] = change
    }
    mustResume = true
  }

  /// Encodes the entries that have an answer or a failure, and the pending changes.
  public func encode(to encoder: any Encoder) throws {
    guard !encoder.isRecording else { return try encodeRecorded(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries.filter { $0.stored != nil }, forKey: .entries)
    try container.encode(changes.compactMap(\.restored), forKey: .changes)
  }
}
