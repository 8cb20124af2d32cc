internal import Arbor
internal import ArborEntities

/// Changes on the server.
extension RequestReducer {
  func patches(of change: PendingChange) -> [RequestPatch] {
    definitions.changes[change.name]?.patches(change.input) ?? []
  }

  private func tags(of change: PendingChange) -> [RequestTag] {
    definitions.changes[change.name]?.invalidates(change.input) ?? []
  }

  /// The patches of the pending changes, in their order, by the entries that they change.
  func pendingPatches(in cache: Requests) -> [RequestID: [RequestPatch]] {
    Dictionary(grouping: cache.changes.filter(\.isPending).flatMap(patches), by: \.id)
  }

  /// Decodes the input of a stored change, which fails if that isn't possible.
  func decodeInput(at index: Int, in cache: inout Requests) {
    let change = cache.changes[index]
    guard change.isPending else { return }
    do {
      guard let functions = definitions.changes[change.name] else { throw RequestFailure.unknownChange(change.name) }
      cache.changes[index].input = try functions.typed(change.input)
    } catch {
      finish(change.id, .failed(RequestFailure(error)), in: &cache)
    }
  }

  /// The tags that the pending changes will invalidate.
  func pendingTags(in cache: Requests) -> [RequestTag] { cache.changes.filter(\.isPending).flatMap(tags) }

  func add(_ change: PendingChange, to cache: inout Requests) {
    guard !cache.changes.contains(where: { $0.id == change.id }) else { return }
    cache.changes.append(change)
    guard definitions.changes[change.name] != nil else {
      return finish(change.id, .failed(.unknownChange(change.name)), in: &cache)
    }
    show(patches(of: change).map(\.id), in: &cache)
    sendChanges(in: &cache)
  }

  /// Begins to send the waiting changes that no earlier change of the same record precedes.
  func sendChanges(in cache: inout Requests) {
    guard cache.isOnline else { return }
    var busy = Set(
      cache.changes.filter { $0.status == .sending }.compactMap { definitions.changes[$0.name]?.order($0.input) }
    )
    for index in cache.changes.indices where cache.changes[index].isPending {
      let change = cache.changes[index]
      guard let functions = definitions.changes[change.name] else { continue }
      let order = functions.order(change.input)
      if change.status == .waiting, order.map({ !busy.contains($0) }) ?? true {
        cache.changes[index].status = .sending
        cache.changes[index].job.restart(maxAttempts: functions.maxAttempts, backoff: functions.backoff)
      }
      if let order { busy.insert(order) }
    }
  }

  func confirm(_ id: PendingChange.ID, _ output: RequestValue, in cache: inout Requests) {
    guard let change = cache.changes.first(where: { $0.id == id }), change.isPending else { return }
    for patch in patches(of: change) {
      for index in cache.fetches.indices { cache.fetches[index].changedEntries.insert(patch.id) }
      guard let answer = cache.entries[patch.id]?.answer else { continue }
      cache.change(patch.id) { $0.answer = patch.apply(answer) }
    }
    finish(id, .confirmed(output), in: &cache)
  }

  func refuse(_ id: PendingChange.ID, _ failure: RequestFailure, in cache: inout Requests) {
    guard let index = cache.changes.firstIndex(where: { $0.id == id }), cache.changes[index].status == .sending else {
      return
    }
    if failure.kind != .undecodable {
      cache.changes[index].job.retryOrFail(failure.reason)
      if cache.changes[index].job.isInProgress { return }
    }
    finish(id, .failed(failure), in: &cache)
  }

  func cancel(_ id: PendingChange.ID, in cache: inout Requests) {
    finish(id, .failed(RequestFailure(.canceled, "canceled")), in: &cache)
    cache.changes.removeAll { $0.id == id && !$0.isAwaited }
  }

  func retry(_ id: PendingChange.ID, in cache: inout Requests) {
    guard let index = cache.changes.firstIndex(where: { $0.id == id }), cache.changes[index].failure != nil,
      !cache.changes[index].isAwaited
    else { return }
    cache.changes[index].status = .waiting
    show(patches(of: cache.changes[index]).map(\.id), in: &cache)
    sendChanges(in: &cache)
  }

  func acknowledge(_ id: PendingChange.ID, in cache: inout Requests) {
    guard let index = cache.changes.firstIndex(where: { $0.id == id }) else { return }
    cache.changes[index].isAwaited = false
    if !cache.changes[index].isPending { cache.changes.remove(at: index) }
  }

  /// Ends a change: its optimistic part is no longer applied, and its tags are invalidated if no other pending change
  /// has them.
  func finish(_ id: PendingChange.ID, _ status: PendingChange.Status, in cache: inout Requests) {
    guard let index = cache.changes.firstIndex(where: { $0.id == id }), cache.changes[index].isPending else { return }
    let change = cache.changes[index]
    cache.changes[index].status = status
    cache.changes[index].job = JobState()
    if case .confirmed = status, !change.isAwaited { cache.changes.remove(at: index) }
    show(patches(of: change).map(\.id), in: &cache)
    let pending = pendingTags(in: cache)
    invalidate(tags(of: change).filter { tag in !pending.contains { $0.reaches(tag) } }, in: &cache)
    sendChanges(in: &cache)
  }
}

extension RequestFailure {
  static func unknownChange(_ name: String) -> RequestFailure {
    RequestFailure(.undecodable, "the cache has no change “\(name)”")
  }
}

extension Requests {
  /// Lets changes that are being sent wait for the connection.
  mutating func pauseChanges() {
    for index in changes.indices where changes[index].status == .sending {
      changes[index].status = .waiting
      changes[index].job.cancel()
    }
  }
}
