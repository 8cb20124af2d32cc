internal import Arbor
internal import ArborEntities

/// The reducer of a cache.
struct RequestReducer: Sendable {
  let definitions: RequestDefinitions

  func reduce(_ cache: inout Requests, _ action: RequestAction) {
    switch action {
    case .observed(let id):
      cache.observers[id] = Requests.Observers(id: id, count: cache.observerCount(of: id) + 1)
      cache.change(id) { $0.removeAt = nil }
      open(id, in: &cache)
      fetchIfNeeded(id, in: &cache)
    case .released(let id, let time): release(id, at: time, in: &cache)
    case .prefetch(let id):
      guard cache.isOnline else { return }
      open(id, in: &cache)
      guard let entry = cache.entries[id], entry.fetch == nil, entry.answer == nil || entry.isStale else { return }
      begin(id, isPrefetch: !cache.isObserved(id), in: &cache)
    case .refetch(let id):
      guard cache.isOnline || cache.isObserved(id) else { return }
      open(id, in: &cache)
      cache.endFetch(of: id)
      begin(id, isPrefetch: !cache.isObserved(id), in: &cache)
    case .answered(let number, let id, let value, let time):
      answer(number, id, value, at: time, in: &cache)
    case .ended(let number, let time): end(number, failure: nil, at: time, in: &cache)
    case .failed(let number, let failure, let time):
      guard let index = cache.fetches.firstIndex(where: { $0.id == number }) else { return }
      if failure.kind != .undecodable { cache.fetches[index].job.retryOrFail(failure.reason) }
      if failure.kind == .undecodable || !cache.fetches[index].job.isInProgress {
        end(number, failure: failure, at: time, in: &cache)
      }
    case .alarm(let time): passAlarm(at: time, in: &cache)
    case .invalidate(let tags): invalidate(tags, in: &cache)
    case .invalidateRequest(let name): invalidate(in: &cache) { $0.id.name == name }
    case .invalidateEntry(let id): invalidate(in: &cache) { $0.id == id }
    case .becameActive:
      cache.isActive = true
      fetchAll(in: &cache) { $0.isWaiting || $0.isStale }
    case .becameInactive: cache.isActive = false
    case .becameOnline:
      cache.isOnline = true
      fetchAll(in: &cache) { $0.isWaiting || $0.isStale || $0.failure != nil }
      sendChanges(in: &cache)
    case .becameOffline:
      cache.isOnline = false
      cache.pauseChanges()
    case .resumed(let time):
      cache.mustResume = false
      for entry in cache.entries {
        show(entry.id, in: &cache)
        guard !cache.isObserved(entry.id), entry.fetch == nil else { continue }
        cache.change(entry.id) { $0.removeAt = time + keptFor(entry.id) }
      }
      sendChanges(in: &cache)
    case .changed(let change): add(change, to: &cache)
    case .confirmed(let id, let output): confirm(id, output, in: &cache)
    case .refused(let id, let failure): refuse(id, failure, in: &cache)
    case .cancelChange(let id): finish(id, .failed(RequestFailure(.canceled, "canceled")), in: &cache)
    case .acknowledged(let id):
      guard let index = cache.changes.firstIndex(where: { $0.id == id }) else { return }
      cache.changes[index].isAwaited = false
      if !cache.changes[index].isPending { cache.changes.remove(at: index) }
    }
  }

  /// Makes an entry if it is missing, and decodes its stored answer.
  private func open(_ id: RequestID, in cache: inout Requests) {
    cache.change(id) { entry in
      guard let answer = entry.answer, answer.isText, let request = definitions.requests[id.name] else { return }
      do {
        entry.answer = try request.typed(answer)
      } catch {
        (entry.answer, entry.shown, entry.failure) = (nil, nil, RequestFailure(error))
      }
    }
    show(id, in: &cache)
  }

  // MARK: Fetching

  /// Begins a fetch for an observed entry that has no fresh answer.
  private func fetchIfNeeded(_ id: RequestID, in cache: inout Requests) {
    guard cache.isObserved(id), let entry = cache.entries[id], entry.fetch == nil else { return }
    if entry.answer == nil || entry.isStale { begin(id, in: &cache) }
  }

  /// Begins a fetch, or notes that it is due if there is no connection.
  private func begin(_ id: RequestID, isPrefetch: Bool = false, in cache: inout Requests) {
    guard let request = definitions.requests[id.name] else {
      return cache.change(id) { $0.failure = RequestFailure(.undecodable, "the cache has no request “\(id.name)”") }
    }
    guard cache.isOnline else { return cache.change(id) { $0.isWaiting = true } }
    cache.lastFetch += 1
    let number = cache.lastFetch
    var fetch = Requests.Fetch(id: number, entry: id, isPrefetch: isPrefetch)
    fetch.job.run(maxAttempts: request.policy.maxAttempts, backoff: request.policy.backoff)
    cache.fetches.append(fetch)
    cache.change(id) { entry in
      entry.fetch = number
      entry.isWaiting = false
      entry.pollAt = nil
      entry.removeAt = nil
    }
  }

  private func fetchAll(in cache: inout Requests, where isDue: (RequestEntry) -> Bool) {
    let due = cache.observers.compactMap { cache.entries[$0.id] }.filter { $0.fetch == nil && isDue($0) }
    for entry in due { begin(entry.id, in: &cache) }
  }

  private func release(_ id: RequestID, at time: Duration, in cache: inout Requests) {
    let left = cache.observerCount(of: id) - 1
    cache.observers[id] = left > 0 ? Requests.Observers(id: id, count: left) : nil
    guard left == 0 else { return }
    if let fetch = cache.fetches.first(where: { $0.entry == id }), !fetch.isPrefetch { cache.endFetch(of: id) }
    cache.change(id) { entry in
      entry.pollAt = nil
      entry.isWaiting = false
      if entry.fetch == nil { entry.removeAt = time + keptFor(id) }
    }
  }

  private func keptFor(_ id: RequestID) -> Duration { definitions.requests[id.name]?.policy.keptFor ?? .zero }

  // MARK: Answers

  private func answer(
    _ number: Int,
    _ id: RequestID,
    _ value: RequestValue,
    at time: Duration,
    in cache: inout Requests
  ) {
    guard let fetch = cache.fetches.first(where: { $0.id == number && $0.entry == id }),
      let request = definitions.requests[id.name]
    else { return }
    let typed: RequestValue
    do {
      typed = try request.typed(value)
    } catch {
      return end(number, failure: RequestFailure(error), at: time, in: &cache)
    }
    let tags = request.tags(id, typed)
    let isOutdated = fetch.isOutdated || fetch.invalidatedTags.contains { tag in tags.contains { tag.reaches($0) } }
    cache.change(id) { entry in
      entry.failure = nil
      // A newer fetch follows, so that observers don't see a state without the confirmed change.
      guard !fetch.lacksChange || entry.answer == nil else { return }
      entry.answer = typed
      entry.tags = tags
      let freshFor = request.policy.freshFor
      entry.isStale = isOutdated || freshFor.map { $0 <= .zero } ?? false
      entry.staleAt = entry.isStale ? nil : freshFor.map { time + $0 }
    }
    show(id, in: &cache)
    if !request.policy.isStream { end(number, failure: nil, isOutdated: isOutdated, at: time, in: &cache) }
  }

  /// Ends a fetch. If it is outdated, another one follows.
  private func end(
    _ number: Int,
    failure: RequestFailure?,
    isOutdated: Bool = false,
    at time: Duration,
    in cache: inout Requests
  ) {
    guard let fetch = cache.fetches.first(where: { $0.id == number }) else { return }
    let id = fetch.entry
    let isOutdated = isOutdated || fetch.isOutdated || fetch.lacksChange
    cache.endFetch(of: id)
    let isObserved = cache.isObserved(id)
    cache.change(id) { entry in
      if let failure { entry.failure = failure }
      if isOutdated, entry.answer != nil { entry.isStale = true }
      if !isObserved {
        entry.removeAt = time + keptFor(id)
      } else if let interval = definitions.requests[id.name]?.policy.interval {
        entry.pollAt = time + interval
      }
    }
    if isOutdated, failure == nil { fetchIfNeeded(id, in: &cache) }
  }

  /// Applies the pending changes to an answer.
  func show(_ id: RequestID, in cache: inout Requests) {
    guard var value = cache.entries[id]?.answer else { return }
    for change in cache.changes where change.isPending {
      for patch in patches(of: change) where patch.id == id { value = patch.apply(value) }
    }
    cache.change(id) { $0.shown = value }
  }

  // MARK: Time

  private func passAlarm(at time: Duration, in cache: inout Requests) {
    while let entry = cache.entries[RequestEntry.byDeadline].first, entry.deadline <= time {
      if let removal = entry.removeAt, removal <= time {
        cache.entries.remove(entry.id)
        continue
      }
      let isPollDue = entry.pollAt.map { $0 <= time } ?? false
      cache.change(entry.id) { entry in
        if let staleAt = entry.staleAt, staleAt <= time { (entry.staleAt, entry.isStale) = (nil, true) }
        if isPollDue { entry.pollAt = nil }
      }
      guard isPollDue, cache.isObserved(entry.id), entry.fetch == nil else { continue }
      if cache.isActive { begin(entry.id, in: &cache) } else { cache.change(entry.id) { $0.isWaiting = true } }
    }
  }

  // MARK: Invalidation

  func invalidate(_ tags: [RequestTag], in cache: inout Requests) {
    guard !tags.isEmpty else { return }
    for index in cache.fetches.indices { cache.fetches[index].invalidatedTags += tags }
    invalidate(in: &cache) { entry in tags.contains { tag in entry.tags.contains { tag.reaches($0) } } }
  }

  private func invalidate(in cache: inout Requests, where isReached: (RequestEntry) -> Bool) {
    for entry in cache.entries.filter(isReached) {
      cache.change(entry.id) { entry in
        guard entry.answer != nil else { return }
        entry.isStale = true
        entry.staleAt = nil
      }
      if let index = cache.fetches.firstIndex(where: { $0.entry == entry.id }) {
        cache.fetches[index].isOutdated = true
      } else if cache.isObserved(entry.id) {
        begin(entry.id, in: &cache)
      }
    }
  }
}

extension Requests {
  /// Changes an entry, which is made if it is missing.
  mutating func change(_ id: RequestID, _ body: (inout RequestEntry) -> Void) {
    var entry = entries[id] ?? RequestEntry(id: id)
    body(&entry)
    entries[id] = entry
  }

  /// Ends the fetch of an entry without an answer; its task is canceled.
  mutating func endFetch(of id: RequestID) {
    guard let index = fetches.firstIndex(where: { $0.entry == id }) else { return }
    let number = fetches.remove(at: index).id
    change(id) { entry in
      entry.fetch = nil
      entry.endedFetch = number
    }
  }
}
