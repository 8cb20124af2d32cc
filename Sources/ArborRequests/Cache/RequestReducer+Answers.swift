internal import Arbor
internal import ArborEntities

/// The ends of fetches.
extension RequestReducer {
  func take(
    _ answer: ReceivedAnswer,
    of number: Int,
    _ id: RequestID,
    at time: Duration,
    in cache: inout Requests
  ) {
    guard let fetch = cache.fetches.first(where: { $0.id == number && $0.entry == id }),
      let request = definitions.requests[id.name]
    else { return }
    let value: RequestValue
    do {
      value = try request.typed(answer.value)
    } catch {
      return end(fetch, failure: RequestFailure(error), at: time, in: &cache)
    }
    for record in answer.parts.flatMap(\.records) { take(record, from: fetch, at: time, in: &cache) }
    if request.policy.isStream { return keep(value, answer, of: fetch, isOutdated: false, at: time, in: &cache) }
    // Without the confirmed change, the answer isn't shown: another fetch follows.
    let isKept = !fetch.changedEntries.contains(id)
    let isOutdated = fetch.isOutdated(id, answer.parts.flatMap(\.tags))
    if isKept {
      keep(value, answer, of: fetch, isOutdated: isOutdated, at: time, in: &cache)
    } else {
      cache.change(id) { entry in
        entry.failure = nil
        entry.setStale()
      }
    }
    end(fetch, isOutdated: isOutdated, repeated: isKept ? nil : fetch.page, at: time, in: &cache)
  }

  /// Takes a record that came with the answer of another entry.
  private func take(
    _ record: ReceivedRecord,
    from fetch: Requests.Fetch,
    at time: Duration,
    in cache: inout Requests
  ) {
    open(record.id, in: &cache)
    // If the answer that brought it isn't kept, nothing holds the record.
    defer { startRemoval(of: record.id, at: time, in: &cache) }
    guard !fetch.changedEntries.contains(record.id) || cache.entries[record.id]?.answer == nil else { return }
    guard let request = definitions.requests[record.id.name] else { return miss(record.id, in: &cache) }
    let isOutdated = fetch.isOutdated(record.id, record.tags)
    let patches = pendingPatches(in: cache)
    let old = cache.entries[record.id]?.records ?? []
    cache.change(record.id) { entry in
      do {
        entry.answer = try request.typed(record.value)
        entry.patched = patched(entry.answer, by: patches[record.id])
        entry.failure = nil
        entry.answeredAt = time
        entry.parts = [RequestEntry.Part(tags: record.tags, records: [])]
        entry.setFresh(for: isOutdated ? .zero : request.policy.freshFor, at: time)
      } catch {
        entry.failure = RequestFailure(error)
      }
    }
    stopKeeping(old, at: time, in: &cache)
    if isOutdated { fetchIfNeeded(record.id, .invalidation, in: &cache) }
  }

  /// Stores an answer, or adds its page to the loaded ones.
  private func keep(
    _ value: RequestValue,
    _ answer: ReceivedAnswer,
    of fetch: Requests.Fetch,
    isOutdated: Bool,
    at time: Duration,
    in cache: inout Requests
  ) {
    let id = fetch.entry
    let policy = definitions.requests[id.name]?.policy
    let parts = answer.parts.map { RequestEntry.Part(tags: $0.tags, records: $0.records.map(\.id)) }
    let old = cache.entries[id]?.records ?? []
    let patches = pendingPatches(in: cache)
    cache.change(id) { entry in
      entry.answeredAt = time
      entry.failure = nil
      if let page = fetch.page, let loaded = entry.answer?.pages, let added = value.pages {
        let limit = policy?.maxPages ?? .max
        entry.answer = loaded.adding(added, page, atMost: limit)
        entry.parts = page.join(entry.parts, parts, atMost: limit)
        if isOutdated { entry.setStale() }
      } else {
        (entry.answer, entry.parts) = (value, parts)
        entry.setFresh(for: isOutdated ? .zero : policy?.freshFor, at: time)
      }
      entry.patched = patched(entry.answer, by: patches[id])
    }
    for record in cache.entries[id]?.records ?? [] { cache.hold(record, keepers: 1) }
    stopKeeping(old, at: time, in: &cache)
  }

  func fail(_ number: Int, _ failure: RequestFailure, at time: Duration, in cache: inout Requests) {
    guard let index = cache.fetches.firstIndex(where: { $0.id == number }) else { return }
    if failure.kind != .undecodable {
      cache.fetches[index].job.retryOrFail(failure.reason)
      if cache.fetches[index].job.isInProgress { return }
    }
    end(cache.fetches[index], failure: failure, at: time, in: &cache)
  }

  /// Ends a fetch. If its answer is outdated, another one follows; then the page that is due.
  func end(
    _ fetch: Requests.Fetch,
    failure: RequestFailure? = nil,
    isOutdated: Bool = false,
    repeated page: PageDirection? = nil,
    at time: Duration,
    in cache: inout Requests
  ) {
    let id = fetch.entry
    cache.fetches.removeAll { $0.id == fetch.id }
    let interval = definitions.requests[id.name]?.policy.interval
    cache.change(id) { entry in
      (entry.fetch, entry.fetchedPage) = (nil, nil)
      (entry.pollAt, entry.isPollDue) = (interval.map { time.later(by: $0) }, false)
      if let failure { (entry.failure, entry.duePage) = (failure, nil) }
    }
    if let page, cache.isObserved(id) {
      begin(id, .page, page, in: &cache)
      if let index = cache.fetches.firstIndex(where: { $0.entry == id }) { cache.fetches[index].isOutdated = true }
    } else if isOutdated {
      fetchIfNeeded(id, .invalidation, in: &cache)
    }
    if let page = cache.entries[id]?.duePage { fetchPage(id, page, in: &cache) }
    startRemoval(of: id, at: time, in: &cache)
  }
}
