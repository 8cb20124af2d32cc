internal import Arbor
internal import ArborEntities

/// The reducer of a cache.
struct RequestReducer: Sendable {
  let definitions: RequestDefinitions

  func reduce(_ cache: inout Requests, _ action: RequestAction) {
    // All fetches that an action begins are of the round after the last one.
    let last = cache.lastFetch
    defer { if cache.lastFetch != last { cache.lastRound &+= 1 } }
    switch action {
    case .observed(let number, let id, let time): observe(number, id, at: time, in: &cache)
    case .released(let number, let time): release(number, at: time, in: &cache)
    case .prefetch(let id):
      guard cache.isOnline, cache.isObserved(id) || canRunUnobserved(id) else { return }
      open(id, in: &cache)
      guard let entry = cache.entries[id], entry.fetch == nil, entry.answer == nil || entry.isStale else { return }
      begin(id, .prefetch, in: &cache)
    case .refetch(let id):
      guard cache.isObserved(id) || cache.isOnline && canRunUnobserved(id) else { return }
      open(id, in: &cache)
      let page = cache.entries[id]?.fetchedPage
      cache.endFetch(of: id)
      begin(id, .refetch, in: &cache)
      if let page { cache.change(id) { $0.duePages.insert(page, at: 0) } }
    case .fetchPage(let id, let direction): fetchPage(id, direction, in: &cache)
    case .answered(let number, let id, let answer, let time):
      if let fetch = cache.fetch(number, of: id) { take(answer, of: fetch, at: time, in: &cache) }
    case .ended(let number, let id, let time):
      guard let fetch = cache.fetch(number, of: id) else { return }
      let isMissing = cache.entries[id]?.answer == nil
      let failure = isMissing ? RequestFailure(.thrown, "the stream ended without a value") : nil
      end(fetch, failure: failure, at: time, in: &cache)
    case .failed(let number, let id, let failure, let time):
      if let fetch = cache.fetch(number, of: id) { fail(fetch, failure, at: time, in: &cache) }
    case .alarm(let time): passAlarm(at: time, in: &cache)
    case .invalidate(let tags): invalidate(tags.map { .tag($0) }, in: &cache)
    case .invalidateRequest(let name): invalidate([.request(name)], in: &cache)
    case .invalidateEntry(let id): invalidate([.entry(id)], in: &cache)
    case .removeAll: removeAll(in: &cache)
    case .becameActive:
      guard !cache.isActive else { return }
      cache.isActive = true
      let isOnline = cache.isOnline
      fetchAll(.activity, in: &cache) { $0.isWaiting || $0.isStale || isOnline && $0.isPollDue }
    case .becameInactive: cache.isActive = false
    case .becameOnline:
      guard !cache.isOnline else { return }
      cache.isOnline = true
      let isActive = cache.isActive
      // The answers that a pending change makes stale are fetched after it.
      let pending = pendingTags(in: cache)
      fetchAll(.connection, in: &cache) { entry in
        let isDue = entry.isWaiting || entry.isStale || entry.failure != nil
        return isActive && entry.isPollDue
          || isDue && !pending.contains { tag in entry.tags.contains { tag.reaches($0) } }
      }
      sendChanges(in: &cache)
    case .becameOffline:
      cache.isOnline = false
      cache.pauseChanges()
    case .resumed(let time): resume(at: time, in: &cache)
    case .changed(let change): add(change, to: &cache)
    case .confirmed(let id, let output): confirm(id, output, in: &cache)
    case .refused(let id, let failure): refuse(id, failure, in: &cache)
    case .cancelChange(let id): cancel(id, in: &cache)
    case .retryChange(let id): retry(id, in: &cache)
    case .acknowledged(let id): acknowledge(id, in: &cache)
    }
  }

  /// Returns `false` for a stream, which would never end without an observer, and for a request that the cache doesn't
  /// know.
  func canRunUnobserved(_ id: RequestID) -> Bool { definitions.requests[id.name]?.policy.isStream == false }

  /// Continues a decoded cache.
  private func resume(at time: Duration, in cache: inout Requests) {
    guard cache.mustResume else { return }
    cache.mustResume = false
    for change in cache.changes { decodeInput(of: change, in: &cache) }
    for entry in cache.entries {
      for record in entry.records { cache.keep(record) }
    }
    show(cache.entries.map(\.id), in: &cache)
    for entry in cache.entries { startRemoval(of: entry.id, at: time, in: &cache) }
    sendChanges(in: &cache)
  }

  /// Makes an entry if it is missing, and decodes its stored answer.
  func open(_ id: RequestID, in cache: inout Requests) {
    guard let entry = cache.entries[id] else { return cache.change(id) { _ in } }
    guard let answer = entry.answer, answer.isText, let request = definitions.requests[id.name] else { return }
    cache.change(id) { entry in
      do {
        entry.answer = try request.typed(answer)
      } catch {
        (entry.answer, entry.failure) = (nil, RequestFailure(error))
      }
    }
    show([id], in: &cache)
  }

  /// Applies the pending changes to answers.
  func show(_ ids: [RequestID], in cache: inout Requests) {
    let patches = pendingPatches(in: cache)
    for id in Set(ids) {
      guard let entry = cache.entries[id] else { continue }
      let patched = patches.apply(to: entry.answer, of: id)
      if patched != nil || entry.patched != nil { cache.change(id) { $0.patched = patched } }
    }
  }

  // MARK: Fetching

  /// Begins a fetch for an observed entry that has no fresh answer.
  func fetchIfNeeded(_ id: RequestID, _ cause: RequestEntry.Cause, in cache: inout Requests) {
    guard cache.isObserved(id), let entry = cache.entries[id], entry.fetch == nil else { return }
    if entry.answer == nil || entry.isStale { begin(id, cause, in: &cache) }
  }

  /// Begins a fetch, or notes that it is due if there is no connection.
  func begin(_ id: RequestID, _ cause: RequestEntry.Cause, _ page: PageDirection? = nil, in cache: inout Requests) {
    guard let request = definitions.requests[id.name] else { return failUnknown(id, in: &cache) }
    // A stream without an observer would never end.
    guard !request.policy.isStream || cache.isObserved(id) else { return }
    guard cache.isOnline else { return cache.change(id) { $0.isWaiting = true } }
    let loaded = cache.entries[id]?.answer?.pages
    cache.lastFetch &+= 1
    var fetch = Requests.Fetch(
      id: Requests.Fetch.ID(number: cache.lastFetch, entry: id),
      round: cache.lastRound &+ 1,
      page: page,
      cursor: page.map { loaded?.cursor($0) } ?? loaded?.first ?? request.firstPage,
      pageCount: page == nil ? loaded?.count ?? 1 : 1,
      isPrefetch: !cache.isObserved(id)
    )
    fetch.job.run(maxAttempts: request.policy.maxAttempts, backoff: request.policy.backoff)
    cache.fetches[fetch.id] = fetch
    cache.change(id) { entry in
      (entry.fetch, entry.fetchedPage, entry.cause) = (fetch.id.number, page, cause)
      (entry.isWaiting, entry.removeAt) = (false, nil)
      entry.duePages.removeAll { $0 == page }
    }
  }

  /// Notes that the cache has no request for an entry.
  func failUnknown(_ id: RequestID, in cache: inout Requests) {
    cache.change(id) { $0.failure = .unknownRequest(id.name) }
  }

  /// Begins the fetch of the page at an end of a list, or notes that it is due.
  func fetchPage(_ id: RequestID, _ direction: PageDirection, in cache: inout Requests) {
    guard cache.entries[id] != nil, cache.isOnline || cache.isObserved(id) else { return }
    open(id, in: &cache)
    guard let entry = cache.entries[id], entry.fetch == nil || entry.fetchedPage != direction else { return }
    guard entry.fetch == nil, cache.isOnline else {
      return cache.change(id) { if !$0.duePages.contains(direction) { $0.duePages.append(direction) } }
    }
    guard let pages = entry.answer?.pages else { return }
    if pages.cursor(direction) != nil {
      begin(id, .page, direction, in: &cache)
    } else if entry.duePages.contains(direction) {
      cache.change(id) { $0.duePages.removeAll { $0 == direction } }
    }
  }

  /// Begins the fetch of the first due page that there is.
  func fetchDuePage(of id: RequestID, in cache: inout Requests) {
    for page in cache.entries[id]?.duePages ?? [] where cache.entries[id]?.fetch == nil {
      fetchPage(id, page, in: &cache)
    }
  }

  private func fetchAll(
    _ cause: RequestEntry.Cause,
    in cache: inout Requests,
    where isDue: (RequestEntry) -> Bool
  ) {
    let observed = cache.observers.keys(of: Requests.Observer.byEntry)
    for entry in cache.entries.find(in: observed) where entry.fetch == nil {
      if isDue(entry) {
        begin(entry.id, cause, in: &cache)
      } else {
        fetchDuePage(of: entry.id, in: &cache)
      }
    }
  }
}

extension Requests {
  /// Changes an entry, which is made if it is missing.
  mutating func change(_ id: RequestID, _ body: (inout RequestEntry) -> Void) {
    if (try? entries.updateIfExists(id, body)) != nil { return }
    var entry = RequestEntry(id: id)
    body(&entry)
    entries[id] = entry
  }

  /// Returns a fetch in progress; nil if it has ended.
  func fetch(_ number: Int, of id: RequestID) -> Fetch? { fetches[Fetch.ID(number: number, entry: id)] }

  /// Ends the fetch of an entry without an answer; its task is canceled.
  mutating func endFetch(of id: RequestID) {
    guard let fetch = entries[id]?.fetchID else { return }
    fetches[fetch] = nil
    change(id) { ($0.fetch, $0.fetchedPage) = (nil, nil) }
  }
}
