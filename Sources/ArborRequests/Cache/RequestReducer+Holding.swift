internal import Arbor
internal import ArborEntities

/// Observers, and what else holds entries.
extension RequestReducer {
  /// Gives an observer another entry, or none. The last entry with a value is kept, because the observer may show it.
  func observe(_ number: Int, _ id: RequestID?, at time: Duration, in cache: inout Requests) {
    let old = cache.observers[number]
    var new = old ?? Requests.Observer(id: number)
    guard old == nil || new.current != id else { return }
    new.current = id
    if id == nil {
      new.previous = nil
    } else if let current = old?.current, cache.entries[current]?.shown != nil {
      new.previous = current
    }
    cache.observers[number] = new
    if let id {
      open(id, in: &cache)
      forgetPrevious(of: id, at: time, in: &cache)
      if cache.entries[id]?.removeAt != nil { cache.change(id) { $0.removeAt = nil } }
      fetchIfNeeded(id, .observer, in: &cache)
      pollIfDue(id, in: &cache)
    }
    if let current = old?.current { leave(current, at: time, in: &cache) }
    if let previous = old?.previous { startRemoval(of: previous, at: time, in: &cache) }
  }

  /// Releases the last entries of the observers of an entry that has a value, which they show now.
  func forgetPrevious(of id: RequestID, at time: Duration, in cache: inout Requests) {
    guard cache.entries[id]?.shown != nil else { return }
    for observer in cache.observers[Requests.Observer.byEntry, id] {
      guard let previous = observer.previous else { continue }
      cache.observers[observer.id]?.previous = nil
      startRemoval(of: previous, at: time, in: &cache)
    }
  }

  func release(_ number: Int, at time: Duration, in cache: inout Requests) {
    guard let observer = cache.observers.remove(number) else { return }
    if let current = observer.current { leave(current, at: time, in: &cache) }
    if let previous = observer.previous { startRemoval(of: previous, at: time, in: &cache) }
  }

  /// Ends what only observers of an entry need, if that was the last one.
  private func leave(_ id: RequestID, at time: Duration, in cache: inout Requests) {
    guard !cache.isObserved(id), let entry = cache.entries[id] else { return }
    if let fetch = entry.fetchID, cache.fetches[fetch]?.isPrefetch == false { cache.endFetch(of: id) }
    let isStream = definitions.requests[id.name]?.policy.isStream ?? false
    cache.change(id) { entry in
      (entry.isWaiting, entry.duePages) = (false, [])
      if isStream { entry.setStale() }
    }
    startRemoval(of: id, at: time, in: &cache)
  }

  /// Removes everything except for the observers, whose entries are fetched again.
  func removeAll(in cache: inout Requests) {
    (cache.entries, cache.fetches) = (EntityTable(), EntityTable())
    for change in cache.changes { cancel(change.id, in: &cache) }
    for observer in cache.observers { cache.observers[observer.id]?.previous = nil }
    for id in cache.observers.keys(of: Requests.Observer.byEntry) {
      open(id, in: &cache)
      begin(id, .refetch, in: &cache)
    }
  }

  /// Releases the entries of records that an answer has kept.
  func stopKeeping(_ ids: [RequestID], at time: Duration, in cache: inout Requests) {
    for id in ids where cache.entries[id] != nil {
      cache.change(id) { $0.keepers = max($0.keepers - 1, 0) }
      startRemoval(of: id, at: time, in: &cache)
    }
  }

  /// Begins the time after which an entry is removed, if nothing keeps it, or only answers that it may keep itself.
  func startRemoval(of id: RequestID, at time: Duration, in cache: inout Requests) {
    guard let entry = cache.entries[id], entry.fetch == nil, entry.removeAt == nil, !cache.isUsed(entry),
      entry.keepers == 0 || !entry.records.isEmpty
    else { return }
    let keptFor = definitions.requests[id.name]?.policy.keptFor ?? .zero
    cache.change(id) { $0.removeAt = time.later(by: keptFor) }
  }
}

extension Requests {
  /// Returns `true` if an entry has a use of its own: a fetch, an observer, or an observer that still shows it.
  func isUsed(_ entry: RequestEntry) -> Bool {
    entry.fetch != nil || isObserved(entry.id) || !observers[Observer.byPrevious, entry.id].isEmpty
  }

  /// Returns the records of the answers that are used, or whose time isn't over, directly or by way of other answers.
  func keptRecords(at time: Duration) -> Set<RequestID> {
    var answers = entries.filter { isUsed($0) || ($0.removeAt ?? time) > time }.map(\.id)
    var kept: Set<RequestID> = []
    while let answer = answers.popLast() {
      for record in entries[answer]?.records ?? [] where kept.insert(record).inserted { answers.append(record) }
    }
    return kept
  }

  /// Lets an answer keep the entry of one of its records, which then isn't removed.
  mutating func keep(_ id: RequestID) {
    change(id) { entry in
      entry.keepers += 1
      entry.removeAt = nil
    }
  }
}
