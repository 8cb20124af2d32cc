import ArborRequests

/// Observers and fetches.
extension RequestModel {
  mutating func observe(slot: Int, _ id: EntryID) {
    guard slots[slot] == nil else { return }
    slots[slot] = Slot(id: id)
    came(id)
  }

  mutating func drop(slot: Int) {
    slots[slot]?.isKept = false
    removeUnused(slot)
  }

  mutating func subscribe(slot: Int, onlyValues: Bool) {
    guard let content = slots[slot], content.isKept, content.subscription == nil else { return }
    let state = onlyValues ? Seen.State(value: value(of: content.id)) : state(of: content.id)
    slots[slot]!.subscription = Subscription(onlyValues: onlyValues, last: state)
    received[slot] = [state]
  }

  mutating func unsubscribe(slot: Int) {
    slots[slot]?.subscription = nil
    removeUnused(slot)
  }

  mutating func removeUnused(_ slot: Int) {
    guard let content = slots[slot], !content.isKept, content.subscription == nil else { return }
    slots[slot] = nil
    left(content.id)
    notify()
  }

  mutating func fetch(waiter: Int, _ id: EntryID) {
    waiters.append(Waiter(number: waiter, id: id, waitsForFetch: false))
    came(id)
  }

  mutating func stopWaiting(waiter: Int) {
    if let index = waiters.firstIndex(where: { $0.number == waiter }) {
      outcomes[waiter] = .canceled
      left(waiters.remove(at: index).id)
      notify()
    } else if let index = changes.firstIndex(where: { $0.input.number == waiter && $0.isAwaited }) {
      outcomes[waiter] = .canceled
      changes[index].isAwaited = false
    }
  }

  mutating func came(_ id: EntryID) {
    entries[id, default: Entry()].removedAt = nil
    let entry = entries[id]!
    if entry.answer == nil || entry.isStale || isPollDue(id) { begin(id) }
    notify()
  }

  mutating func left(_ id: EntryID) {
    guard observers(of: id) == 0 else { return }
    entries[id]!.isWaiting = false
    if let fetch = entries[id]!.fetch, !fetch.needsNoObserver || id.request.policy.isStream {
      endFetch(of: id)
      // Nobody knows what the stream would have said since.
      if id.request.policy.isStream { markStale(id) }
    }
    if entries[id]!.fetch == nil { entries[id]!.removedAt = now + id.request.policy.keptFor }
  }

  mutating func prefetch(_ id: EntryID) {
    guard isOnline else { return }
    let entry = entries[id, default: Entry()]
    if entry.answer == nil || entry.isStale { begin(id) }
    notify()
  }

  mutating func refetch(_ id: EntryID) {
    guard isOnline || observers(of: id) > 0 else { return }
    endFetch(of: id)
    begin(id)
    notify()
  }

  /// Begins a fetch, unless one is in progress.
  mutating func begin(_ id: EntryID) {
    var entry = entries[id, default: Entry()]
    guard entry.fetch == nil else { return }
    entry.isWaiting = !isOnline
    if isOnline {
      let timeoutAt = id.request.policy.timeout.map { now + $0 }
      entry.fetch = Fetch(began: history.count, timeoutAt: timeoutAt, needsNoObserver: observers(of: id) == 0)
      entry.removedAt = nil
    }
    entries[id] = entry
  }

  /// Cancels a fetch in progress.
  mutating func endFetch(of id: EntryID) {
    guard let fetch = entries[id]?.fetch else { return }
    if fetch.retryAt == nil, !id.request.heedsCancellation { lateCalls[.fetch(id), default: 0] += 1 }
    entries[id]!.fetch = nil
  }

  func hasOpenCall(_ id: EntryID) -> Bool { openFetch(id) != nil }

  func openFetch(_ id: EntryID) -> Fetch? {
    entries[id]?.fetch.flatMap { $0.retryAt == nil ? $0 : nil }
  }

  mutating func answer(_ id: EntryID, _ answer: Int) {
    guard let fetch = openFetch(id) else { return }
    let policy = id.request.policy
    let tags = id.request.tags(id.argument, answer)
    // The values of a stream are always those of the moment.
    let isOutdated = !policy.isStream && isOutdated(fetch, of: id, tags)
    let lacksChange = !policy.isStream && lacksChange(fetch, of: id)
    entries[id]!.failure = nil
    // Old data must not replace a value with a confirmed change, not even until the next answer.
    if !lacksChange || entries[id]!.answer == nil {
      entries[id]!.answer = answer
      entries[id]!.tags = tags
      entries[id]!.isStale = policy.freshFor == 0
      entries[id]!.staleAt = policy.freshFor.map { now + $0 }
    }
    if !policy.isStream || observers(of: id) == 0 { finishFetch(of: id, isOutdated: isOutdated || lacksChange) }
    notify()
  }

  mutating func fail(_ id: EntryID) {
    guard openFetch(id) != nil else { return }
    fail(id, .thrown)
  }

  mutating func fail(_ id: EntryID, _ failure: RequestFailure.Kind) {
    let fetch = entries[id]!.fetch!
    if fetch.attempt <= id.request.policy.retries {
      entries[id]!.fetch!.attempt += 1
      entries[id]!.fetch!.retryAt = now + SimulatedRequest.backoff
    } else {
      entries[id]!.failure = failure
      finishFetch(of: id, isOutdated: false)
      notify()
    }
  }

  mutating func endStream(_ id: EntryID) {
    guard id.request.policy.isStream, openFetch(id) != nil else { return }
    if entries[id]!.answer == nil { entries[id]!.failure = .thrown }
    finishFetch(of: id, isOutdated: false)
    notify()
  }

  mutating func finishFetch(of id: EntryID, isOutdated: Bool) {
    entries[id]!.fetch = nil
    entries[id]!.fetchedAt = now
    if isOutdated { markStale(id) }
    if observers(of: id) == 0 {
      entries[id]!.removedAt = now + id.request.policy.keptFor
      // Nobody knows what the stream would have said since.
      if id.request.policy.isStream { markStale(id) }
    } else if isOutdated {
      begin(id)
    }
  }

  mutating func answerLate(_ target: SimulatedServer.Target) {
    guard let count = lateCalls[target] else { return }
    lateCalls[target] = count == 1 ? nil : count - 1
  }
}

/// Invalidation.
extension RequestModel {
  mutating func invalidate(_ tags: [RequestTag]) {
    guard !tags.isEmpty else { return }
    history.append(.invalidatedTags(tags))
    refresh(entries.keys.filter { RequestModel.reaches(tags, entries[$0]!.tags) })
    notify()
  }

  mutating func invalidateRequest(_ request: SimulatedRequest) {
    invalidate(entries.keys.filter { $0.request == request })
  }

  mutating func invalidateEntry(_ id: EntryID) {
    invalidate(entries.keys.filter { $0 == id })
  }

  mutating func invalidate(_ ids: [EntryID]) {
    history.append(.invalidated(ids))
    refresh(ids)
    notify()
  }

  /// Marks entries as stale, and fetches them again if they are observed and their fetch is not in progress.
  mutating func refresh(_ ids: [EntryID]) {
    for id in ids {
      markStale(id)
      if observers(of: id) > 0 { begin(id) }
    }
  }

  mutating func markStale(_ id: EntryID) {
    guard entries[id]!.answer != nil else { return }
    (entries[id]!.isStale, entries[id]!.staleAt) = (true, nil)
  }

  static func reaches(_ tags: [RequestTag], _ others: [RequestTag]) -> Bool {
    tags.contains { tag in others.contains { $0.name == tag.name && (tag.id == nil || $0.id == tag.id) } }
  }

  func isOutdated(_ fetch: Fetch, of id: EntryID, _ newTags: [RequestTag]) -> Bool {
    history[fetch.began...].contains { event in
      switch event {
      case .invalidatedTags(let tags): RequestModel.reaches(tags, entries[id]!.tags + newTags)
      case .invalidated(let ids): ids.contains(id)
      case .confirmed: false
      }
    }
  }

  func lacksChange(_ fetch: Fetch, of id: EntryID) -> Bool {
    history[fetch.began...].contains { if case .confirmed(let ids) = $0 { ids.contains(id) } else { false } }
  }
}
