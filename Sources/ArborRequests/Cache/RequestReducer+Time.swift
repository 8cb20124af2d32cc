internal import Arbor
internal import ArborEntities

/// Invalidation, and everything that time brings.
extension RequestReducer {
  func passAlarm(at time: Duration, in cache: inout Requests) {
    let time = min(time, .never - .seconds(1))
    while let entry = cache.entries[RequestEntry.byDeadline].first, entry.deadline <= time {
      if let removal = entry.removeAt, removal <= time {
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

  /// Begins the fetch of an observed entry whose interval has passed, but not in the background.
  func pollIfDue(_ id: RequestID, in cache: inout Requests) {
    guard cache.isActive, cache.isObserved(id), let entry = cache.entries[id] else { return }
    if entry.isPollDue, entry.fetch == nil { begin(id, .interval, in: &cache) }
  }

  func invalidate(_ tags: [RequestTag], in cache: inout Requests) {
    guard !tags.isEmpty else { return }
    // A stream goes on for as long as it is observed, and all its values are new.
    for index in cache.fetches.indices where canRunUnobserved(cache.fetches[index].entry) {
      cache.fetches[index].invalidatedTags.formUnion(tags)
    }
    invalidate(in: &cache) { entry in tags.contains { tag in entry.tags.contains { tag.reaches($0) } } }
  }

  /// Marks answers as stale. An answer that is being fetched is then outdated; otherwise an observed one is fetched.
  func invalidate(in cache: inout Requests, where isReached: (RequestEntry) -> Bool) {
    for entry in cache.entries.filter(isReached) {
      cache.change(entry.id) { $0.setStale() }
      if let index = cache.fetches.firstIndex(where: { $0.entry == entry.id }) {
        cache.fetches[index].isOutdated = true
      } else if cache.isObserved(entry.id) {
        begin(entry.id, .invalidation, in: &cache)
      }
    }
  }
}
