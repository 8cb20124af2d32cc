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

  func pendingPatches(in cache: Requests) -> PendingPatches {
    PendingPatches(cache.changes.isEmpty ? [] : cache.changes.filter(\.isPending).flatMap(patches))
  }

  /// Applies the pending changes to the answers that a change patches.
  private func showPatches(of change: PendingChange, in cache: inout Requests) {
    show(patches(of: change).flatMap { cache.entries(reachedBy: $0.reach) }, in: &cache)
  }

  /// Decodes the input of a stored change, which fails if that isn't possible.
  func decodeInput(of change: PendingChange, in cache: inout Requests) {
    guard change.isPending else { return }
    do {
      guard let functions = definitions.changes[change.name] else { throw RequestFailure.unknownChange(change.name) }
      let input = try functions.typed(change.input)
      cache.changes[change.id]?.input = input
    } catch {
      finish(change.id, .failed(RequestFailure(error)), in: &cache)
    }
  }

  /// The tags that the pending changes will invalidate.
  func pendingTags(in cache: Requests) -> [RequestTag] { cache.changes.filter(\.isPending).flatMap(tags) }

  func add(_ change: PendingChange, to cache: inout Requests) {
    guard cache.changes[change.id] == nil else { return }
    var change = change
    // A decoded action may have any status.
    (change.status, change.job) = (.waiting, JobState())
    cache.changes[change.id] = change
    guard definitions.changes[change.name] != nil else {
      return finish(change.id, .failed(.unknownChange(change.name)), in: &cache)
    }
    showPatches(of: change, in: &cache)
    sendChanges(in: &cache)
  }

  /// Begins to send the waiting changes that no earlier change of the same record precedes.
  func sendChanges(in cache: inout Requests) {
    guard cache.isOnline else { return }
    var busy = Set(
      cache.changes.filter { $0.status == .sending }.compactMap { definitions.changes[$0.name]?.order($0.input) }
    )
    for change in cache.changes where change.isPending {
      guard let functions = definitions.changes[change.name] else { continue }
      let order = functions.order(change.input)
      if change.status == .waiting, order.map({ !busy.contains($0) }) ?? true {
        cache.change(change.id) { change in
          change.status = .sending
          change.job.restart(maxAttempts: functions.maxAttempts, backoff: functions.backoff)
        }
      }
      if let order { busy.insert(order) }
    }
  }

  func confirm(_ id: PendingChange.ID, _ output: RequestValue, in cache: inout Requests) {
    guard let change = cache.changes[id], change.isPending else { return }
    let patches = patches(of: change)
    changeFetches(in: &cache) { $0.confirmed.formUnion(patches.map(\.reach)) }
    for patch in patches {
      for id in cache.entries(reachedBy: patch.reach) {
        guard let answer = cache.entries[id]?.answer else { continue }
        cache.change(id) { $0.answer = patch.apply(answer) }
      }
    }
    finish(id, .confirmed(output), in: &cache)
  }

  func refuse(_ id: PendingChange.ID, _ failure: RequestFailure, in cache: inout Requests) {
    guard var change = cache.changes[id], change.status == .sending else { return }
    if failure.kind != .undecodable {
      change.job.retryOrFail(failure.reason)
      cache.changes[id] = change
      if change.job.isInProgress { return }
    }
    finish(id, .failed(failure), in: &cache)
  }

  func cancel(_ id: PendingChange.ID, in cache: inout Requests) {
    guard let change = cache.changes[id] else { return }
    finish(id, .failed(RequestFailure(.canceled, "canceled")), in: &cache)
    if !change.isPending || !change.isAwaited { cache.changes[id] = nil }
  }

  func retry(_ id: PendingChange.ID, in cache: inout Requests) {
    guard let change = cache.changes[id], change.failure != nil, !change.isAwaited,
      definitions.changes[change.name] != nil
    else { return }
    cache.change(id) { $0.status = .waiting }
    showPatches(of: change, in: &cache)
    sendChanges(in: &cache)
  }

  func acknowledge(_ id: PendingChange.ID, in cache: inout Requests) {
    guard let change = cache.changes[id] else { return }
    if change.isPending { cache.change(id) { $0.isAwaited = false } } else { cache.changes[id] = nil }
  }

  /// Ends a change: its optimistic part is no longer applied, and its tags are invalidated if no other pending change
  /// has them.
  func finish(_ id: PendingChange.ID, _ status: PendingChange.Status, in cache: inout Requests) {
    guard let change = cache.changes[id], change.isPending else { return }
    cache.change(id) { ($0.status, $0.job) = (status, JobState()) }
    if case .confirmed = status, !change.isAwaited { cache.changes[id] = nil }
    showPatches(of: change, in: &cache)
    let pending = pendingTags(in: cache)
    let left = tags(of: change).filter { tag in !pending.contains { $0.reaches(tag) } }
    invalidate(left.map { .tag($0) }, in: &cache)
    sendChanges(in: &cache)
  }
}

/// The patches of all pending changes.
struct PendingPatches {
  private typealias Numbered = (number: Int, patch: RequestPatch)

  /// The patches in the order of their changes, by what they reach.
  private let patches: [RequestReach: [Numbered]]

  init(_ patches: [RequestPatch]) {
    self.patches = Dictionary(grouping: patches.enumerated().map { Numbered($0.offset, $0.element) }) { $0.patch.reach }
  }

  /// Returns the answer of an entry with its patches applied; nil if there are none.
  func apply(to answer: RequestValue?, of id: RequestID) -> RequestValue? {
    guard !patches.isEmpty, let answer else { return nil }
    let reached = (patches[.entry(id)] ?? []) + (patches[.request(id.name)] ?? [])
    guard !reached.isEmpty else { return nil }
    return reached.sorted { $0.number < $1.number }.reduce(answer) { $1.patch.apply($0) }
  }
}

extension RequestFailure {
  static func unknownRequest(_ name: String) -> RequestFailure {
    RequestFailure(.undecodable, "the cache has no request “\(name)”")
  }

  static func unknownChange(_ name: String) -> RequestFailure {
    RequestFailure(.undecodable, "the cache has no change “\(name)”")
  }
}

extension Requests {
  /// Changes a pending change.
  mutating func change(_ id: PendingChange.ID, _ body: (inout PendingChange) -> Void) {
    guard var change = changes[id] else { return }
    body(&change)
    changes[id] = change
  }

  /// Lets changes that are being sent wait for the connection.
  mutating func pauseChanges() {
    for change in changes where change.status == .sending {
      self.change(change.id) { change in
        change.status = .waiting
        change.job.cancel()
      }
    }
  }

  /// Returns the entries that a patch reaches.
  func entries(reachedBy reach: RequestReach) -> [RequestID] {
    if case .entry(let id) = reach { return [id] }
    return entries.lazy.filter { reach.reaches($0.id, []) }.map(\.id)
  }
}
