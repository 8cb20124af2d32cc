import ArborRequests

/// The operations, and what observers receive.
extension RequestModel {
  mutating func perform(_ operation: Operation) {
    round += 1
    switch operation {
    case .observe(let slot, let id):
      guard slots[slot] == nil else { return }
      slots[slot] = Slot(id: id, isFollower: false, number: round)
      came(id)
    case .follow(let slot):
      guard slots[slot] == nil else { return }
      slots[slot] = Slot(isFollower: true, number: round)
      follow(slot)
    case .drop(let slot):
      slots[slot]?.isKept = false
      removeUnused(slot)
    case .subscribe(let slot, let onlyValues):
      guard let content = slots[slot], content.isKept, content.subscription == nil else { return }
      let state = seen(by: content, onlyValues)
      slots[slot]!.subscription = Subscription(onlyValues: onlyValues, last: state)
      received[slot] = [state]
    case .unsubscribe(let slot):
      slots[slot]?.subscription = nil
      removeUnused(slot)
    case .setArgument(let argument):
      self.argument = argument
      for slot in slots.keys where slots[slot]!.isFollower { follow(slot) }
    case .fetch(let waiter, let id):
      waiters.append(Waiter(number: waiter, id: id))
      came(id)
    case .stopWaiting(let waiter): stopWaiting(waiter)
    case .prefetch(let id):
      guard isOnline else { return }
      let entry = entries[id, default: Entry()]
      if entry.answer == nil || entry.isStale { begin(id) }
    case .refetch(let id):
      guard isOnline || observers(of: id) > 0 else { return }
      let page = entries[id]?.fetch?.page
      endFetch(of: id)
      begin(id)
      if let page { entries[id]!.duePages.insert(page, at: 0) }
    case .fetchPage(let id, let page): fetchPage(id, page)
    case .answer(let id, let number): answer(id, number)
    case .fail(let id): if openFetch(id) != nil { fail(id, .thrown) }
    case .endStream(let id): if id.request.policy.isStream, openFetch(id) != nil { endStream(id) }
    case .answerLate(let target): if let count = lateCalls[target] { lateCalls[target] = count == 1 ? nil : count - 1 }
    case .invalidate(let tag): invalidate([tag])
    case .invalidateRequest(let request): invalidate { $0.request == request }
    case .invalidateEntry(let id): invalidate { $0 == id }
    case .change(let input, let isAwaited):
      changes.append(Change(input: input, isAwaited: isAwaited))
      sendChanges()
    case .confirm(let number): confirm(number)
    case .refuse(let number): refuse(number)
    case .cancel(let number):
      guard let index = changes.firstIndex(where: { $0.input.number == number }) else { return }
      guard changes[index].isPending else {
        changes.remove(at: index)
        return
      }
      stopSending(index)
      finishChange(at: index, .failed(.canceled))
    case .retry(let number):
      if let index = changes.firstIndex(where: { $0.input.number == number }) { changes[index].failure = nil }
      sendChanges()
    case .pass(let seconds): for _ in 0..<seconds { tick() }
    case .becomeOnline(let isOnline): becomeOnline(isOnline)
    case .becomeActive(let isActive):
      guard isActive != self.isActive else { return }
      self.isActive = isActive
      if isActive { beginObserved { $1.isStale || $1.isWaiting } }
    case .restart: restart()
    case .store: stored = storedEntries
    case .replace(let byEmpty): replace(by: byEmpty ? [:] : stored)
    }
    settle()
  }

  /// Gives subscribers the new states, ends the waits for finished fetches, and sets the times of removals.
  mutating func settle() {
    for (number, slot) in slots where value(of: slot.id) != nil { slots[number]!.previous = nil }
    let kept = Set(entries.values.flatMap(\.records) + slots.values.compactMap(\.previous))
    for (id, entry) in entries {
      if entry.fetch != nil || kept.contains(id) || observers(of: id) > 0 {
        entries[id]!.removedAt = nil
      } else if entry.removedAt == nil {
        entries[id]!.removedAt = now + id.request.policy.keptFor
      }
    }
    notifySubscribers()
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
      return settle()
    }
  }

  /// Gives subscribers the states that differ from their last ones.
  mutating func notifySubscribers() {
    for (number, slot) in slots {
      guard let subscription = slot.subscription else { continue }
      let state = seen(by: slot, subscription.onlyValues)
      guard state != subscription.last else { continue }
      slots[number]!.subscription!.last = state
      received[number, default: []].append(state)
    }
  }

  private func seen(by slot: Slot, _ onlyValues: Bool) -> Seen.State {
    onlyValues ? Seen.State(value: state(of: slot).value) : state(of: slot)
  }

  // MARK: Observers

  mutating func came(_ id: EntryID) {
    let entry = entries[id, default: Entry()]
    entries[id] = entry
    if entry.answer == nil || entry.isStale || isPollDue(id) { begin(id) }
    settle()
  }

  private mutating func left(_ id: EntryID) {
    guard observers(of: id) == 0 else { return }
    (entries[id]!.isWaiting, entries[id]!.duePages) = (false, [])
    // The stream's later values are unknown.
    if id.request.policy.isStream { markStale(id) }
    if let fetch = entries[id]!.fetch, !fetch.needsNoObserver { endFetch(of: id) }
  }

  /// Lets a follower observe the album of the argument. It shows the last album until the new one has an answer.
  private mutating func follow(_ slot: Int) {
    let old = slots[slot]!.id
    let new = argument.map { EntryID(request: .album, argument: $0) }
    guard new != old else { return }
    if new == nil { slots[slot]!.previous = nil } else if value(of: old) != nil { slots[slot]!.previous = old }
    slots[slot]!.id = new
    if let old { left(old) }
    if let new { came(new) }
    settle()
  }

  private mutating func removeUnused(_ slot: Int) {
    guard let content = slots[slot], !content.isKept, content.subscription == nil else { return }
    slots[slot] = nil
    if let id = content.id { left(id) }
  }

  mutating func stopWaiting(_ waiter: Int) {
    if let index = waiters.firstIndex(where: { $0.number == waiter }) {
      outcomes[waiter] = .canceled
      left(waiters.remove(at: index).id)
    } else if let index = changes.firstIndex(where: { $0.input.number == waiter && $0.isAwaited }) {
      outcomes[waiter] = .canceled
      changes[index].isAwaited = false
    }
  }

  /// Returns what a user sees, and forgets what was received.
  mutating func look() -> Seen {
    defer { (received, outcomes) = ([:], [:]) }
    var seen = Seen(received: received, outcomes: outcomes)
    for (id, entry) in entries {
      seen.entries[id] = Seen.Entry(
        hasAnswer: entry.answer != nil,
        isStale: entry.isStale,
        isFetching: entry.fetch != nil,
        isWaiting: entry.isWaiting,
        duePages: entry.duePages,
        failure: entry.failure,
        observers: observers(of: id),
        tags: entry.tags.flatMap { $0 },
        records: entry.records
      )
      if let fetch = openFetch(id) { seen.fetches[id] = [fetch.cursor] }
    }
    seen.changes = changes.map { Seen.Change(input: $0.input, isSending: $0.isSending, failure: $0.failure) }
    (seen.sends, seen.lateCalls) = (sends, lateCalls)
    for (slot, content) in slots where content.isKept { seen.slots[slot] = state(of: content) }
    return seen
  }
}
