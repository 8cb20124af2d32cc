import ArborRequests

/// A naive model of a cache: what its documentation promises, in plain arrays and dictionaries.
struct RequestModel {
  struct Entry {
    /// The last answer, with the confirmed changes.
    var answer: [Int]?

    /// The ``Fetch/round`` of the fetch that brought the answer.
    var round = 0

    /// The entries of the records that came with the answer.
    var records: [EntryID] = []

    /// The tags of the answer, page by page.
    var tags: [[RequestTag]] = []
    var isStale = false
    var staleAt: Int?
    var failure: RequestFailure.Kind?
    var fetch: Fetch?

    /// `true` if a fetch is due as soon as there is a connection.
    var isWaiting = false

    /// The pages to fetch after the fetch in progress, or when there is a connection.
    var duePages: [PageDirection] = []

    /// The time of the last answer or failure of a fetch.
    var fetchedAt: Int?
    var removedAt: Int?
  }

  struct Fetch {
    /// The number of events in the history before it began.
    let began: Int

    /// The number of the operation that began it. An answer never replaces one of a fetch that began later.
    let round: Int
    let page: PageDirection?

    /// The cursor of the page in the open call.
    var cursor: Int
    var collected: [Received] = []
    var attempt = 1
    var timeoutAt: Int?

    /// The time of the next attempt; nil if a call is open.
    var retryAt: Int?

    /// `true` if it goes on without observers.
    let needsNoObserver: Bool

    /// `true` if everything is fetched after this page.
    var isFollowed = false
  }

  /// The answer of one call.
  struct Received {
    let cursor: Int
    let number: Int
  }

  struct Change {
    let input: SimulatedChange
    var isAwaited: Bool
    var isSending = false
    var attempt = 0
    var retryAt: Int?

    /// The number of the last refusal. Changes refused at the same time are sent again in this order.
    var refusal = 0

    /// The reason why it failed; a failed change isn't pending.
    var failure: RequestFailure.Kind?

    var isPending: Bool { failure == nil }
    var hasOpenCall: Bool { isSending && retryAt == nil }
  }

  /// An observer: of one entry, or of the album of the changing argument.
  struct Slot {
    var id: EntryID?
    let isFollower: Bool

    /// The number of the operation that made it.
    let number: Int

    /// The entry of an earlier argument.
    var previous: EntryID?
    var isKept = true
    var subscription: Subscription?
  }

  struct Subscription {
    let onlyValues: Bool
    var last: Seen.State
  }

  struct Waiter {
    let number: Int
    let id: EntryID

    /// `true` if it doesn't take an answer that was in the cache before.
    var waitsForFetch = false
  }

  /// An event after which the answer of an earlier fetch may be out of date.
  enum Event {
    case invalidatedTags([RequestTag])
    case invalidated((EntryID) -> Bool)
    case confirmed(SimulatedChange)
  }

  var now = 0
  var round = 0
  var isOnline = true
  var isActive = true
  var argument: Int?
  var entries: [EntryID: Entry] = [:]
  var changes: [Change] = []
  var slots: [Int: Slot] = [:]
  var waiters: [Waiter] = []

  /// The open calls of changes, in the order they were made.
  var sends: [Int] = []
  var lateCalls: [SimulatedServer.Target: Int] = [:]
  var history: [Event] = []
  var refusals = 0
  var received: [Int: [Seen.State]] = [:]

  /// The entries of the stored cache for a replacement.
  var stored: [EntryID: Entry] = [:]
  var outcomes: [Int: Seen.Outcome] = [:]

  // MARK: What a user sees

  func observers(of id: EntryID) -> Int {
    slots.values.count { $0.id == id } + waiters.count { $0.id == id }
  }

  /// The last answer with all pending changes.
  func value(of id: EntryID?) -> [Int]? {
    guard let id, var value = entries[id]?.answer else { return nil }
    for change in changes where change.isPending && change.input.patches(id) {
      RequestModel.apply(change.input, to: &value, of: id.request)
    }
    return value
  }

  private func isChanging(_ id: EntryID) -> Bool { changes.contains { $0.isPending && $0.input.patches(id) } }

  func state(of slot: Slot) -> Seen.State {
    let entry = slot.id.flatMap { entries[$0] } ?? Entry()
    let isPrevious = entry.answer == nil && entry.fetch != nil && value(of: slot.previous) != nil
    let shown = isPrevious ? slot.previous : slot.id
    return Seen.State(
      value: value(of: shown),
      isStale: isPrevious || entry.isStale,
      isPending: shown.map { value(of: $0) != nil && isChanging($0) } ?? false,
      isFetching: entry.fetch != nil,
      fetchedPage: entry.fetch?.page,
      isPrevious: isPrevious,
      isWaiting: entry.isWaiting,
      failure: entry.failure
    )
  }
}
