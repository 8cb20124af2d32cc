import ArborRequests

/// Changes.
extension RequestModel {
  mutating func change(_ input: SimulatedChange, isAwaited: Bool) {
    changes.append(Change(input: input, isAwaited: isAwaited))
    sendChanges()
    notify()
  }

  /// Sends the waiting changes, but those of the same order one after the other.
  mutating func sendChanges() {
    guard isOnline else { return }
    for index in changes.indices where !changes[index].isSending {
      let order = changes[index].input.order
      if order != nil, changes[..<index].contains(where: { $0.input.order == order }) { continue }
      changes[index].isSending = true
      changes[index].attempt = 1
      sends.append(changes[index].input.number)
    }
  }

  func openChange(_ number: Int) -> Int? {
    changes.firstIndex { $0.input.number == number && $0.hasOpenCall }
  }

  mutating func confirm(change number: Int) {
    guard let index = openChange(number) else { return }
    let input = changes[index].input
    sends.removeAll { $0 == number }
    history.append(.confirmed(input.entries))
    for id in input.entries {
      if entries[id]?.answer != nil { input.apply(to: &entries[id]!.answer!) }
    }
    finishChange(at: index, .value(number))
  }

  mutating func refuse(change number: Int) {
    guard let index = openChange(number) else { return }
    sends.removeAll { $0 == number }
    if changes[index].attempt <= changes[index].input.retries {
      changes[index].attempt += 1
      changes[index].retryAt = now + SimulatedRequest.backoff
      refusals += 1
      changes[index].refusal = refusals
    } else {
      finishChange(at: index, .failed(.thrown))
    }
  }

  mutating func cancel(change number: Int) {
    guard let index = changes.firstIndex(where: { $0.input.number == number }) else { return }
    stopSending(index)
    finishChange(at: index, .failed(.canceled))
  }

  mutating func stopSending(_ index: Int) {
    let number = changes[index].input.number
    if changes[index].hasOpenCall { lateCalls[.send(number), default: 0] += 1 }
    sends.removeAll { $0 == number }
    (changes[index].isSending, changes[index].retryAt) = (false, nil)
  }

  /// Removes a change. Its tags are fetched again after the last change that has them.
  mutating func finishChange(at index: Int, _ outcome: Seen.Outcome) {
    let change = changes.remove(at: index)
    if change.isAwaited { outcomes[change.input.number] = outcome }
    invalidate(change.input.invalidates.filter { tag in !changes.contains { $0.input.invalidates.contains(tag) } })
    sendChanges()
    notify()
  }
}

/// Time and circumstances.
extension RequestModel {
  /// Lets a second pass.
  mutating func tick() {
    now += 1
    for (id, entry) in entries {
      if let removedAt = entry.removedAt, removedAt <= now {
        entries[id] = nil
        continue
      }
      if let staleAt = entry.staleAt, staleAt <= now { markStale(id) }
      if entry.fetch?.retryAt == now {
        entries[id]!.fetch!.retryAt = nil
        entries[id]!.fetch!.timeoutAt = id.request.policy.timeout.map { now + $0 }
      }
      if entry.fetch?.timeoutAt == now { fail(id, .timedOut) }
      if observers(of: id) > 0, isPollDue(id) { begin(id) }
    }
    let retried = changes.indices.filter { changes[$0].retryAt == now }
    for index in retried.sorted(by: { changes[$0].refusal < changes[$1].refusal }) {
      changes[index].retryAt = nil
      sends.append(changes[index].input.number)
    }
    notify()
  }

  func isPollDue(_ id: EntryID) -> Bool {
    guard isActive, let interval = id.request.policy.interval, let time = entries[id]?.fetchedAt else { return false }
    return time + interval <= now
  }

  mutating func beginObserved(where isDue: (Entry) -> Bool) {
    for (id, entry) in entries where observers(of: id) > 0 && (isDue(entry) || isPollDue(id)) { begin(id) }
    notify()
  }

  mutating func becomeActive(_ isActive: Bool) {
    self.isActive = isActive
    if isActive { beginObserved { $0.isStale || $0.isWaiting } }
  }

  mutating func becomeOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    if isOnline {
      beginObserved { $0.isStale || $0.isWaiting || $0.failure != nil }
      sendChanges()
    } else {
      for index in changes.indices { stopSending(index) }
    }
  }

  /// The program ends, and begins again with the stored cache.
  mutating func restart() {
    var next = RequestModel()
    next.now = now
    for (id, entry) in entries where entry.answer != nil || entry.failure != nil {
      next.entries[id] = Entry(
        answer: entry.answer, tags: entry.tags, isStale: entry.answer != nil, failure: entry.failure,
        removedAt: now + id.request.policy.keptFor)
    }
    next.changes = changes.map { Change(input: $0.input, isAwaited: false) }
    next.sendChanges()
    self = next
  }
}
