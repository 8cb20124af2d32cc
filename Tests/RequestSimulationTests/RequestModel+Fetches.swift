import ArborRequests

/// Fetches and their answers.
extension RequestModel {
  /// Begins a fetch, unless one is in progress.
  mutating func begin(_ id: EntryID, _ page: PageDirection? = nil, isFollowed: Bool = false) {
    var entry = entries[id, default: Entry()]
    // A stream without an observer would never end.
    guard entry.fetch == nil, !id.request.policy.isStream || observers(of: id) > 0 else { return }
    entry.isWaiting = !isOnline
    if isOnline {
      entry.fetch = Fetch(
        began: history.count,
        round: round,
        page: page,
        cursor: firstCursor(of: id, page),
        timeoutAt: id.request.policy.timeout.map { now + $0 },
        needsNoObserver: observers(of: id) == 0,
        isFollowed: isFollowed
      )
      entry.duePages.removeAll { $0 == page }
    }
    entries[id] = entry
  }

  /// The cursor with which a fetch begins. In the answer of pages, each page has its cursor before its number.
  private func firstCursor(of id: EntryID, _ page: PageDirection?) -> Int {
    guard id.request == .pages, let answer = entries[id]?.answer else { return 0 }
    return switch page {
    case .next: SimulatedRequest.cursor(after: answer[answer.count - 2])!
    case .previous: SimulatedRequest.cursor(before: answer[0])!
    case nil: answer[0]
    }
  }

  /// Cancels a fetch in progress.
  mutating func endFetch(of id: EntryID) {
    guard let fetch = entries[id]?.fetch else { return }
    if fetch.retryAt == nil, !id.request.heedsCancellation {
      lateCalls[.fetch(id, cursor: fetch.cursor), default: 0] += 1
    }
    entries[id]!.fetch = nil
  }

  mutating func fetchPage(_ id: EntryID, _ page: PageDirection) {
    guard let entry = entries[id], isOnline || observers(of: id) > 0 else { return }
    if entry.fetch != nil || !isOnline {
      guard entry.fetch?.page != page, !entry.duePages.contains(page) else { return }
      entries[id]!.duePages.append(page)
    } else if let answer = entry.answer, id.request == .pages {
      let neighbor =
        page == .next
        ? SimulatedRequest.cursor(after: answer[answer.count - 2]) : SimulatedRequest.cursor(before: answer[0])
      if neighbor != nil { begin(id, page) } else { entries[id]!.duePages.removeAll { $0 == page } }
    }
  }

  /// Begins the fetch of the first due page that there is.
  mutating func fetchDuePage(of id: EntryID) {
    for page in entries[id]!.duePages where entries[id]!.fetch == nil { fetchPage(id, page) }
  }

  func openFetch(_ id: EntryID) -> Fetch? {
    entries[id]?.fetch.flatMap { $0.retryAt == nil ? $0 : nil }
  }

  mutating func answer(_ id: EntryID, _ number: Int) {
    guard var fetch = openFetch(id) else { return }
    fetch.collected.append(Received(cursor: fetch.cursor, number: number))
    let pageCount = (entries[id]!.answer ?? []).count / 2
    if id.request == .pages, fetch.page == nil, fetch.collected.count < pageCount,
      let cursor = SimulatedRequest.cursor(after: fetch.cursor)
    {
      fetch.cursor = cursor
      entries[id]!.fetch = fetch
    } else {
      finish(fetch, of: id, number)
    }
  }

  /// Takes the answer of a fetch, whose last call has returned a number.
  private mutating func finish(_ fetch: Fetch, of id: EntryID, _ number: Int) {
    let isStream = id.request.policy.isStream
    let tags = fetch.collected.map { id.request.tags(id.argument, $0.number) }
    if id.request == .list {
      for argument in SimulatedRequest.albums(number) {
        takeRecord(EntryID(request: .album, argument: argument), number, from: fetch)
      }
    }
    entries[id]!.failure = nil
    if !isStream, entries[id]!.round > fetch.round {
      return finishFetch(of: id, isOutdated: entries[id]!.isStale)
    }
    // A stream always sends current values.
    let isOutdated = !isStream && isOutdated(fetch, id, tags.flatMap { $0 })
    // Old data must not replace a value with a confirmed change, not even until the next answer.
    let isKept = isStream || !lacksChange(fetch, id)
    if isKept { keep(fetch, of: id, number, tags) }
    if isOutdated { markStale(id) }
    if isStream {
      entries[id]!.fetch!.attempt = 1
    } else {
      finishFetch(of: id, isOutdated: isOutdated, repeating: isKept ? nil : fetch.page)
    }
  }

  private mutating func keep(_ fetch: Fetch, of id: EntryID, _ number: Int, _ tags: [[RequestTag]]) {
    var entry = entries[id]!
    entry.round = id.request.policy.isStream ? round : fetch.round
    let pages = fetch.collected.flatMap { [$0.cursor, $0.number] }
    switch fetch.page {
    case .next:
      entry.answer = (entry.answer! + pages).suffix(2 * SimulatedRequest.maxPages)
      entry.tags = (entry.tags + tags).suffix(SimulatedRequest.maxPages)
    case .previous:
      entry.answer = (pages + entry.answer!).prefix(2 * SimulatedRequest.maxPages).map { $0 }
      entry.tags = (tags + entry.tags).prefix(SimulatedRequest.maxPages).map { $0 }
    case nil:
      let albums = SimulatedRequest.albums(number)
      entry.answer =
        switch id.request {
        case .album: [id.argument, number]
        case .list: albums
        case .status, .news: [number]
        case .pages: pages
        }
      entry.tags = tags
      if id.request == .list { entry.records = albums.map { EntryID(request: .album, argument: $0) } }
      entry.isStale = id.request.policy.freshFor == 0
      entry.staleAt = id.request.policy.freshFor.map { now + $0 }
    }
    entries[id] = entry
  }

  /// Takes an album that came with a list.
  private mutating func takeRecord(_ id: EntryID, _ number: Int, from fetch: Fetch) {
    let tags = id.request.tags(id.argument, number)
    let isOutdated = isOutdated(fetch, id, tags)
    var entry = entries[id, default: Entry()]
    guard entry.round <= fetch.round, !lacksChange(fetch, id) || entry.answer == nil else { return }
    entry.round = fetch.round
    (entry.answer, entry.tags, entry.failure, entry.isWaiting) = ([id.argument, number], [tags], nil, false)
    (entry.isStale, entry.staleAt) = (isOutdated, isOutdated ? nil : now + id.request.policy.freshFor!)
    entries[id] = entry
    if isOutdated, observers(of: id) > 0 { begin(id) }
  }

  mutating func fail(_ id: EntryID, _ failure: RequestFailure.Kind) {
    let fetch = entries[id]!.fetch!
    if fetch.attempt <= id.request.policy.retries {
      entries[id]!.fetch!.attempt += 1
      entries[id]!.fetch!.retryAt = now + SimulatedRequest.backoff
    } else {
      entries[id]!.failure = failure
      if fetch.page == nil { entries[id]!.duePages = [] }
      finishFetch(of: id, isOutdated: false)
    }
  }

  mutating func endStream(_ id: EntryID) {
    if entries[id]!.answer == nil { entries[id]!.failure = .thrown }
    finishFetch(of: id, isOutdated: false)
  }

  /// Begins the next attempt of a fetch, with the first page.
  mutating func retry(_ id: EntryID) {
    entries[id]!.fetch!.retryAt = nil
    entries[id]!.fetch!.collected = []
    entries[id]!.fetch!.cursor = firstCursor(of: id, entries[id]!.fetch!.page)
    entries[id]!.fetch!.timeoutAt = id.request.policy.timeout.map { now + $0 }
  }

  /// Ends a fetch. A page that isn't kept is fetched again, and then everything.
  private mutating func finishFetch(of id: EntryID, isOutdated: Bool, repeating page: PageDirection? = nil) {
    if entries[id]!.fetch!.page == nil { entries[id]!.fetchedAt = now }
    entries[id]!.fetch = nil
    // The stream's later values are unknown.
    if id.request.policy.isStream { markStale(id) }
    if isOutdated, observers(of: id) > 0 {
      if let page, !isOnline { entries[id]!.duePages.insert(page, at: 0) }
      begin(id, page, isFollowed: page != nil)
    }
    if observers(of: id) > 0, isPollDue(id) { begin(id) }
    fetchDuePage(of: id)
  }

  mutating func markStale(_ id: EntryID) {
    guard entries[id]!.answer != nil else { return }
    (entries[id]!.isStale, entries[id]!.staleAt) = (true, nil)
  }

  // MARK: Outdated answers

  /// Returns `true` if the data of a fetch is older than an invalidation or a confirmed change.
  private func isOutdated(_ fetch: Fetch, _ id: EntryID, _ newTags: [RequestTag]) -> Bool {
    fetch.isFollowed || lacksChange(fetch, id)
      || history[fetch.began...].contains { event in
        switch event {
        case .invalidatedTags(let tags): RequestModel.reaches(tags, (entries[id]?.tags ?? []).flatMap { $0 } + newTags)
        case .invalidated(let isReached): isReached(id)
        case .confirmed: false
        }
      }
  }

  private func lacksChange(_ fetch: Fetch, _ id: EntryID) -> Bool {
    history[fetch.began...].contains { if case .confirmed(let input) = $0 { input.patches(id) } else { false } }
  }

  static func reaches(_ tags: [RequestTag], _ others: [RequestTag]) -> Bool {
    tags.contains { tag in others.contains { $0.name == tag.name && (tag.id == nil || $0.id == tag.id) } }
  }
}
