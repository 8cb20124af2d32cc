import ArborRequests

/// Invalidations and changes.
extension RequestModel {
  mutating func invalidate(_ tags: [RequestTag]) {
    guard !tags.isEmpty else { return }
    history.append(.invalidatedTags(tags))
    refresh { RequestModel.reaches(tags, $1.tags.flatMap { $0 }) }
  }

  mutating func invalidate(where isReached: @escaping (EntryID) -> Bool) {
    history.append(.invalidated(isReached))
    refresh { id, _ in isReached(id) }
  }

  /// Marks entries as stale, and fetches them again if they are observed. Those in progress are fetched again later.
  private mutating func refresh(where isReached: (EntryID, Entry) -> Bool) {
    for (id, entry) in entries where isReached(id, entry) && !(id.request.policy.isStream && entry.fetch != nil) {
      markStale(id)
      if observers(of: id) > 0 { begin(id) }
    }
  }

  /// Sends the waiting changes. Changes of the same record are sent one after the other.
  mutating func sendChanges() {
    guard isOnline else { return }
    for index in changes.indices where changes[index].isPending && !changes[index].isSending {
      let order = changes[index].input.order
      let isBusy = changes[..<index].contains { $0.isPending && $0.input.order == order }
      // A failed change that is retried may be earlier in the list than one that is being sent.
      if order != nil, isBusy || changes.contains(where: { $0.isSending && $0.input.order == order }) { continue }
      (changes[index].isSending, changes[index].attempt) = (true, 1)
      sends.append(changes[index].input.number)
    }
  }

  private var pendingTags: [RequestTag] { changes.filter(\.isPending).flatMap(\.input.invalidates) }

  private func openChange(_ number: Int) -> Int? {
    changes.firstIndex { $0.input.number == number && $0.hasOpenCall }
  }

  mutating func confirm(_ number: Int) {
    guard let index = openChange(number) else { return }
    let input = changes[index].input
    sends.removeAll { $0 == number }
    history.append(.confirmed(input))
    for (id, entry) in entries where input.patches(id) && entry.answer != nil {
      RequestModel.apply(input, to: &entries[id]!.answer!, of: id.request)
    }
    finishChange(at: index, .value([number]))
  }

  mutating func refuse(_ number: Int) {
    guard let index = openChange(number) else { return }
    sends.removeAll { $0 == number }
    guard changes[index].attempt <= changes[index].input.retries else {
      return finishChange(at: index, .failed(.thrown))
    }
    refusals += 1
    changes[index].attempt += 1
    (changes[index].retryAt, changes[index].refusal) = (now + SimulatedRequest.backoff, refusals)
  }

  mutating func stopSending(_ index: Int) {
    let number = changes[index].input.number
    if changes[index].hasOpenCall { lateCalls[.send(number), default: 0] += 1 }
    sends.removeAll { $0 == number }
    (changes[index].isSending, changes[index].retryAt) = (false, nil)
  }

  /// Ends a change. A failed one without a caller stays, until it is sent again or canceled. Its tags are fetched again after the last change that has them.
  mutating func finishChange(at index: Int, _ outcome: Seen.Outcome) {
    let change = changes[index]
    if change.isAwaited { outcomes[change.input.number] = outcome }
    if !change.isAwaited, case .failed(let failure) = outcome, failure != .canceled {
      (changes[index].isSending, changes[index].failure) = (false, failure)
    } else {
      changes.remove(at: index)
    }
    invalidate(change.input.invalidates.filter { !RequestModel.reaches(pendingTags, [$0]) })
    sendChanges()
  }

  static func apply(_ change: SimulatedChange, to answer: inout [Int], of request: SimulatedRequest) {
    switch request {
    case .list: answer = change.albums
    case .pages: for page in 0..<answer.count / 2 { answer[2 * page + 1] = change.applied(to: answer[2 * page + 1]) }
    case .album, .status, .news: answer[answer.count - 1] = change.applied(to: answer.last!)
    }
  }
}

/// Time and circumstances.
extension RequestModel {
  /// Lets a second pass.
  mutating func tick() {
    now += 1
    round += 1
    for (id, entry) in entries {
      if let removedAt = entry.removedAt, removedAt <= now {
        entries[id] = nil
        continue
      }
      if let staleAt = entry.staleAt, staleAt <= now { markStale(id) }
      if entry.fetch?.retryAt == now { retry(id) }
      if entry.fetch?.timeoutAt == now { fail(id, .timedOut) }
      if observers(of: id) > 0, isPollDue(id) { begin(id) }
    }
    let retried = changes.indices.filter { changes[$0].retryAt == now }
    for index in retried.sorted(by: { changes[$0].refusal < changes[$1].refusal }) {
      changes[index].retryAt = nil
      sends.append(changes[index].input.number)
    }
    settle()
  }

  func isPollDue(_ id: EntryID) -> Bool {
    guard isActive, isOnline, let interval = id.request.policy.interval, let time = entries[id]?.fetchedAt else {
      return false
    }
    return time + interval <= now
  }

  mutating func beginObserved(where isDue: (EntryID, Entry) -> Bool) {
    for (id, entry) in entries where observers(of: id) > 0 && entry.fetch == nil {
      if isDue(id, entry) || isPollDue(id) { begin(id) } else { fetchDuePage(of: id) }
    }
  }

  mutating func becomeOnline(_ isOnline: Bool) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    if isOnline {
      let pendingTags = pendingTags
      beginObserved { _, entry in
        (entry.isStale || entry.failure != nil || entry.isWaiting)
          && !RequestModel.reaches(pendingTags, entry.tags.flatMap { $0 })
      }
      sendChanges()
    } else {
      for index in changes.indices { stopSending(index) }
    }
  }

  /// The program ends, and begins again with the stored cache.
  mutating func restart() {
    var next = RequestModel()
    (next.now, next.entries, next.stored) = (now, storedEntries, stored)
    next.changes = changes.map { Change(input: $0.input, isAwaited: false, failure: $0.failure) }
    next.sendChanges()
    self = next
  }

  /// The entries as they are stored.
  var storedEntries: [EntryID: Entry] {
    entries.filter { $1.answer != nil || $1.failure != nil }.mapValues { entry in
      Entry(
        answer: entry.answer,
        records: entry.records,
        tags: entry.tags,
        isStale: entry.answer != nil,
        failure: entry.failure
      )
    }
  }

  /// The program replaces the cache. All observers come to the new one.
  mutating func replace(by stored: [EntryID: Entry]) {
    for waiter in waiting { stopWaiting(waiter) }
    settle()
    for id in entries.keys { endFetch(of: id) }
    for index in changes.indices { stopSending(index) }
    (entries, changes, isOnline, isActive) = (stored, [], true, true)
    let ids = slots.mapValues(\.id)
    for slot in slots.keys {
      slots[slot]!.previous = nil
      if slots[slot]!.isFollower { slots[slot]!.id = nil }
    }
    notifySubscribers()
    for slot in slots.keys.sorted(by: { slots[$0]!.number < slots[$1]!.number }) {
      guard let id = ids[slot]! else { continue }
      slots[slot]!.id = id
      round += 1
      came(id)
    }
  }
}
