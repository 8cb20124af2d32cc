internal import Arbor
internal import ArborEntities

/// Invalidation, and everything that time brings.
extension RequestReducer {
  func passAlarm(at time: Duration, in cache: inout Requests) {
    let time = min(time, .never - .seconds(1))
    var kept: Set<RequestID>?
    while let entry = cache.entries[RequestEntry.byDeadline].first, entry.deadline <= time {
      if let removal = entry.removeAt, removal <= time {
        if entry.keepers > 0, kept == nil { kept = cache.keptRecords(at: time) }
        if cache.isUsed(entry) || entry.keepers > 0 && kept?.contains(entry.id) == true {
          cache.change(entry.id) { $0.removeAt = nil }
          continue
        }
        cache.entries.remove(entry.id)
        stopKeeping(entry.records, at: time, in: &cache)
        continue
      }
      let isPollDue = entry.pollAt.map { $0 <= time } ?? false
      cache.change(entry.id) { entry in
        if let staleAt = entry.staleAt, staleAt <= time { entry.setStale() }
        if isPollDue { (entry.pollAt, entry.isPollDue) = (nil, true) }
      }
      pollIfDue(entry.id, in: &cache)
    }
  }

  /// Begins the fetch of an observed entry whose interval has passed, but neither in the background nor without a
  /// connection.
  func pollIfDue(_ id: RequestID, in cache: inout Requests) {
    guard cache.isActive, cache.isOnline, cache.isObserved(id), let entry = cache.entries[id] else { return }
    if entry.isPollDue, entry.fetch == nil { begin(id, .interval, in: &cache) }
  }

  /// Marks answers as stale. An answer that is being fetched is then outdated; otherwise an observed one is fetched.
  func invalidate(_ reaches: [RequestReach], in cache: inout Requests) {
    guard !reaches.isEmpty else { return }
    changeFetches(in: &cache) { $0.invalidated.formUnion(reaches) }
    for entry in cache.entries where reaches.contains(where: { $0.reaches(entry.id, entry.tags) }) {
      // The values of a running stream are always new.
      if entry.fetch != nil, !canRunUnobserved(entry.id) { continue }
      cache.change(entry.id) { $0.setStale() }
      if let fetch = entry.fetchID {
        cache.fetches[fetch]?.isOutdated = true
      } else if cache.isObserved(entry.id) {
        begin(entry.id, .invalidation, in: &cache)
      }
    }
  }

  /// Changes the fetches in progress, except for streams: they go on for as long as they are observed, and all their
  /// values are new.
  func changeFetches(in cache: inout Requests, _ body: (inout Requests.Fetch) -> Void) {
    for var fetch in cache.fetches where canRunUnobserved(fetch.entry) {
      body(&fetch)
      cache.fetches[fetch.id] = fetch
    }
  }
}
