import ArborRequests

/// A naive model of a cache: what its documentation promises, in plain arrays and dictionaries.
struct RequestModel {
  struct Entry {
    /// The last answer, with the confirmed changes.
    var answer: Int?
    var tags: [RequestTag] = []
    var isStale = false
    var staleAt: Int?
    var failure: RequestFailure.Kind?
    var fetch: Fetch?

    /// `true` if a fetch is due as soon as there is a connection.
    var isWaiting = false

    /// The time of the last answer or failure of a fetch.
    var fetchedAt: Int?
    var removedAt: Int?
  }

  struct Fetch {
    /// The number of events in the history before it began.
    let began: Int
    var attempt = 1
    var timeoutAt: Int?

    /// The time of the next attempt; nil if a call is open.
    var retryAt: Int?

    /// `true` if it goes on without observers.
    let needsNoObserver: Bool
  }

  struct Change {
    let input: SimulatedChange
    var isAwaited: Bool
    var isSending = false
    var attempt = 0
    var retryAt: Int?

    /// The number of the last refusal. Changes refused at the same time are sent again in this order.
    var refusal = 0

    var hasOpenCall: Bool { isSending && retryAt == nil }
  }

  struct Slot {
    let id: EntryID
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
    var waitsForFetch: Bool
  }

  /// An event after which the answer of an earlier fetch may be out of date.
  enum Event {
    case invalidatedTags([RequestTag])
    case invalidated([EntryID])
    case confirmed([EntryID])
  }

  var now = 0
  var isOnline = true
  var isActive = true
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
  var outcomes: [Int: Seen.Outcome] = [:]

  // MARK: What a user sees

  func observers(of id: EntryID) -> Int {
    slots.values.count { $0.id == id } + waiters.count { $0.id == id }
  }

  /// The last answer with all pending changes.
  func value(of id: EntryID) -> Int? {
    guard var value = entries[id]?.answer else { return nil }
    for change in changes where change.input.entries.contains(id) { change.input.apply(to: &value) }
    return value
  }

  func state(of id: EntryID) -> Seen.State {
    let entry = entries[id] ?? Entry()
    return Seen.State(
      value: value(of: id), isStale: entry.isStale, isFetching: entry.fetch != nil, failure: entry.failure)
  }

  /// Returns what a user sees, and forgets what was received.
  mutating func look() -> Seen {
    defer { (received, outcomes) = ([:], [:]) }
    var seen = Seen()
    for (id, entry) in entries {
      seen.entries[id] = Seen.Entry(
        hasAnswer: entry.answer != nil, isStale: entry.isStale, isFetching: entry.fetch != nil,
        isWaiting: entry.isWaiting, failure: entry.failure, observers: observers(of: id), tags: entry.tags)
    }
    seen.changes = changes.map { Seen.Change(input: $0.input, isSending: $0.isSending) }
    seen.fetches = entries.filter { $0.value.fetch?.retryAt == nil && $0.value.fetch != nil }.keys.sorted()
    seen.sends = sends
    seen.lateCalls = lateCalls
    for (slot, content) in slots where content.isKept { seen.slots[slot] = state(of: content.id) }
    (seen.received, seen.outcomes) = (received, outcomes)
    return seen
  }

  /// Gives subscribers the new states, and ends the waits for finished fetches.
  mutating func notify() {
    for (number, slot) in slots {
      guard let subscription = slot.subscription else { continue }
      let state = subscription.onlyValues ? Seen.State(value: value(of: slot.id)) : state(of: slot.id)
      guard state != subscription.last else { continue }
      slots[number]!.subscription!.last = state
      received[number, default: []].append(state)
    }
    for index in waiters.indices {
      let waiter = waiters[index]
      let entry = entries[waiter.id]!
      let hasStreamed = waiter.id.request.policy.isStream && entry.answer != nil && !entry.isStale
      guard !entry.isWaiting, entry.fetch == nil || hasStreamed else {
        waiters[index].waitsForFetch = true
        continue
      }
      outcomes[waiter.number] =
        if waiter.waitsForFetch, let failure = entry.failure { .failed(failure) } else { .value(value(of: waiter.id)!) }
      waiters.remove(at: index)
      left(waiter.id)
      return notify()
    }
  }
}
