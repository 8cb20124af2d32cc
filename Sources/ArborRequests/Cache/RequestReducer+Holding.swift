internal import Arbor
internal import ArborEntities

/// Observers, and what else holds entries.
extension RequestReducer {
  func observe(_ id: RequestID, in cache: inout Requests) {
    open(id, in: &cache)
    cache.hold(id, observers: 1)
    fetchIfNeeded(id, .observer, in: &cache)
    pollIfDue(id, in: &cache)
  }

  func release(_ id: RequestID, at time: Duration, in cache: inout Requests) {
    cache.hold(id, observers: -1)
    guard !cache.isObserved(id), cache.entries[id] != nil else { return }
    if let fetch = cache.fetches.first(where: { $0.entry == id }), !fetch.isPrefetch { cache.endFetch(of: id) }
    let isStream = definitions.requests[id.name]?.policy.isStream ?? false
    cache.change(id) { entry in
      (entry.isWaiting, entry.duePage) = (false, nil)
      if isStream { entry.setStale() }
    }
    startRemoval(of: id, at: time, in: &cache)
  }

  /// Lets a follower observe another entry. The last one with a value is kept until the next change of the argument.
  func follow(_ number: Int, _ id: RequestID?, at time: Duration, in cache: inout Requests) {
    let old = cache.followers[number] ?? Requests.Follower(id: number)
    var new = old
    new.current = id
    if id == nil {
      new.previous = nil
    } else if let current = old.current, cache.entries[current]?.shown != nil {
      new.previous = current
    }
    cache.followers[number] = new
    if let previous = new.previous { cache.hold(previous, keepers: 1) }
    if let id { observe(id, in: &cache) }
    if let current = old.current { release(current, at: time, in: &cache) }
    if let previous = old.previous { stopKeeping([previous], at: time, in: &cache) }
  }

  /// Removes everything except for the observers, whose entries are fetched again.
  func removeAll(in cache: inout Requests) {
    (cache.entries, cache.fetches) = (EntityTable(), [])
    for change in cache.changes { cancel(change.id, in: &cache) }
    for follower in cache.followers { cache.followers[follower.id]?.previous = nil }
    for holders in cache.holders {
      cache.hold(holders.id, keepers: -holders.keepers)
      guard holders.observers > 0 else { continue }
      open(holders.id, in: &cache)
      begin(holders.id, .refetch, in: &cache)
    }
  }

  func stopKeeping(_ ids: [RequestID], at time: Duration, in cache: inout Requests) {
    for id in ids {
      cache.hold(id, keepers: -1)
      startRemoval(of: id, at: time, in: &cache)
    }
  }

  /// Begins the time after which an entry is removed, if nothing holds it.
  func startRemoval(of id: RequestID, at time: Duration, in cache: inout Requests) {
    guard cache.holders[id] == nil, let entry = cache.entries[id], entry.fetch == nil, entry.removeAt == nil else {
      return
    }
    let keptFor = definitions.requests[id.name]?.policy.keptFor ?? .zero
    cache.change(id) { $0.removeAt = time.later(by: keptFor) }
  }
}

extension Requests {
  /// Adds to the numbers of holders of an entry, which then isn't removed.
  mutating func hold(_ id: RequestID, observers: Int = 0, keepers: Int = 0) {
    var new = holders[id] ?? Holders(id: id)
    new.observers = max(new.observers + observers, 0)
    new.keepers = max(new.keepers + keepers, 0)
    holders[id] = new.observers + new.keepers > 0 ? new : nil
    if holders[id] != nil, entries[id]?.removeAt != nil { change(id) { $0.removeAt = nil } }
  }
}
