internal import Arbor
internal import ArborEntities

/// The ends of fetches.
extension RequestReducer {
  func take(_ answer: ReceivedAnswer, of fetch: Requests.Fetch, at time: Duration, in cache: inout Requests) {
    let id = fetch.entry
    guard let request = definitions.requests[id.name] else { return }
    open(id, in: &cache)
    let value: RequestValue
    do {
      value = try request.typed(answer.value)
    } catch {
      return end(fetch, failure: RequestFailure(error), at: time, in: &cache)
    }
    let patches = pendingPatches(in: cache)
    var fetch = fetch
    if request.policy.isStream {
      // The values of a stream are newer than those of all fetches that have begun.
      fetch.round = cache.lastRound &+ 1
      if fetch.job.attempt != 1 { cache.fetches[fetch.id]?.job.renewAttempts() }
    }
    for record in answer.parts.flatMap(\.records) { take(record, from: fetch, patches, at: time, in: &cache) }
    if request.policy.isStream {
      return store(value, answer, of: fetch, patches, isOutdated: false, at: time, in: &cache)
    }
    // An answer that may lack a confirmed change isn't shown, not even until the fetch that follows.
    let isKept = !fetch.mayLackChange(of: id)
    let isOutdated = fetch.isOutdated(id, answer.parts.flatMap(\.tags))
    // The answer may have come as a record of a fetch that began later.
    let isNewerThere = cache.entries[id]?.isNewer(than: fetch) == true
    if isKept, !isNewerThere {
      store(value, answer, of: fetch, patches, isOutdated: isOutdated, at: time, in: &cache)
    } else {
      cache.change(id) { entry in
        entry.failure = nil
        if !isNewerThere { entry.setStale() }
      }
    }
    end(fetch, isOutdated: isOutdated || isNewerThere, repeated: isKept ? nil : fetch.page, at: time, in: &cache)
  }

  /// Takes a record that came with the answer of another entry.
  private func take(
    _ record: ReceivedRecord,
    from fetch: Requests.Fetch,
    _ patches: PendingPatches,
    at time: Duration,
    in cache: inout Requests
  ) {
    open(record.id, in: &cache)
    // If the answer that brought it isn't kept, nothing else keeps the record.
    defer { startRemoval(of: record.id, at: time, in: &cache) }
    guard let entry = cache.entries[record.id] else { return }
    guard !entry.isNewer(than: fetch), !fetch.mayLackChange(of: record.id) || entry.answer == nil else { return }
    guard let request = definitions.requests[record.id.name] else { return failUnknown(record.id, in: &cache) }
    let value: RequestValue
    do {
      value = try request.typed(record.value)
    } catch {
      return cache.change(record.id) { $0.failure = RequestFailure(error) }
    }
    let isOutdated = fetch.isOutdated(record.id, record.tags)
    cache.change(record.id) { entry in
      (entry.answer, entry.failure, entry.isWaiting) = (value, nil, false)
      entry.patched = patches.apply(to: value, of: entry.id)
      (entry.answeredAt, entry.answeringRound) = (time, fetch.round)
      entry.parts = [RequestEntry.Part(tags: record.tags, records: [])]
      entry.setFresh(for: isOutdated ? .zero : request.policy.freshFor, at: time)
      (entry.pollAt, entry.isPollDue) = (request.policy.interval.map { time.later(by: $0) }, false)
    }
    stopKeeping(entry.records, at: time, in: &cache)
    if entry.answer == nil { forgetPrevious(of: record.id, at: time, in: &cache) }
    if isOutdated { fetchIfNeeded(record.id, .invalidation, in: &cache) }
  }

  /// Stores an answer, or adds its page to the loaded ones.
  private func store(
    _ value: RequestValue,
    _ answer: ReceivedAnswer,
    of fetch: Requests.Fetch,
    _ patches: PendingPatches,
    isOutdated: Bool,
    at time: Duration,
    in cache: inout Requests
  ) {
    let id = fetch.entry
    let policy = definitions.requests[id.name]?.policy
    let parts = answer.parts.map { RequestEntry.Part(tags: $0.tags, records: $0.records.map(\.id)) }
    let (old, isFirst) = (cache.entries[id]?.records ?? [], cache.entries[id]?.answer == nil)
    cache.change(id) { entry in
      (entry.answeredAt, entry.answeringRound) = (time, fetch.round)
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
      entry.patched = patches.apply(to: entry.answer, of: id)
    }
    for record in cache.entries[id]?.records ?? [] { cache.keep(record) }
    stopKeeping(old, at: time, in: &cache)
    if isFirst { forgetPrevious(of: id, at: time, in: &cache) }
  }

  func fail(_ fetch: Requests.Fetch, _ failure: RequestFailure, at time: Duration, in cache: inout Requests) {
    if failure.kind != .undecodable {
      var job = fetch.job
      job.retryOrFail(failure.reason)
      cache.fetches[fetch.id]?.job = job
      if job.isInProgress { return }
    }
    end(fetch, failure: failure, at: time, in: &cache)
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
    cache.fetches[fetch.id] = nil
    let policy = definitions.requests[id.name]?.policy
    let interval = policy?.interval
    cache.change(id) { entry in
      (entry.fetch, entry.fetchedPage) = (nil, nil)
      // The later values of a stream are unknown.
      if policy?.isStream == true { entry.setStale() }
      if let failure { entry.failure = failure }
      guard fetch.page == nil else { return }
      (entry.pollAt, entry.isPollDue) = (interval.map { time.later(by: $0) }, false)
      if failure != nil { entry.duePages = [] }
    }
    if let page, cache.isObserved(id) {
      if !cache.isOnline { cache.change(id) { $0.duePages.insert(page, at: 0) } }
      begin(id, .page, page, in: &cache)
      if let fetch = cache.entries[id]?.fetchID { cache.fetches[fetch]?.isOutdated = true }
    } else if isOutdated {
      fetchIfNeeded(id, .invalidation, in: &cache)
    }
    pollIfDue(id, in: &cache)
    fetchDuePage(of: id, in: &cache)
    startRemoval(of: id, at: time, in: &cache)
  }
}

extension RequestEntry {
  /// Returns `true` if the answer came from a fetch that began after another one.
  fileprivate func isNewer(than fetch: Requests.Fetch) -> Bool { answeringRound.map { $0 > fetch.round } ?? false }
}
