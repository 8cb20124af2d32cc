extension AttachmentHost {
  /// The tasks that belong to this host, or to all hosts of its place.
  @usableFromInline var tasks: TaskScope {
    guard let parent else { return attachments.object { TaskScope(of: self) }.takeUnretainedValue() }
    let link = attachments.object { ScopeLink(to: parent.tasks.scope(at: place, within: outerPlaces)) }
    return link._withUnsafeGuaranteedRef(\.scope)
  }
}

/// A host's link to the tasks that it shares with the other hosts of its place.
private final class ScopeLink: Attachment {
  let scope: TaskScope

  init(to scope: TaskScope) {
    self.scope = scope
  }
}

/// The scopes within a scope, by their places.
extension TaskScope {
  /// Returns the scope of a place within this one, shared by all callers that request that place; without a place,
  /// returns a new one.
  ///
  /// - Places are compared outside the lock, because comparing them is user code.
  /// - Parameter outerPlaces: The places in this scope that contain the place, because scopes are nested.
  fileprivate func scope(at place: ScopePlace?, within outerPlaces: [ScopePlace]) -> TaskScope {
    var made = place == nil ? TaskScope(at: nil, in: self) : nil
    // Without a place, a scope has its own hash: no other scope is searched among those with the same one.
    let hash = place?.hashValue ?? made.map { ObjectIdentifier($0).hashValue }!
    while true {
      let (known, version) = withLock { content in (content.scopes[hash] ?? [], content.scopesVersion) }
      if let place, let scope = known.lazy.filter({ $0.place == place }).compactMap(\.scope).first {
        scope.note(outerPlaces)
        return scope
      }
      let new = made ?? TaskScope(at: place, in: self)
      made = new
      // Released outside the lock: places contain values of users.
      let unused = withLock { content in content.add(new, ofHash: hash, ifVersionIs: version) }
      guard unused != nil else { continue }
      new.note(outerPlaces)
      return new
    }
  }

  /// Records the places that contain the place of this scope.
  private func note(_ outerPlaces: [ScopePlace]) {
    guard !outerPlaces.isEmpty else { return }
    // Places are compared outside the lock. Recording one twice does no harm.
    let known = withLock { $0.outerPlaces }
    let new = outerPlaces.filter { !known.contains($0) }
    if !new.isEmpty { withLock { $0.outerPlaces += new } }
  }

  /// Cancels all tasks that are registered now in this scope and in those within it, beginning with the scope that has
  /// the oldest task.
  @usableFromInline
  func cancelAllWithin() {
    for scope in TaskScope.inOrder([self] + neighborsWithin()) { scope.cancelAll(isRevoking: true) }
  }

  /// Returns the sibling scopes whose places are inside this scope's place: a collection's elements, and a part's own
  /// parts.
  private func neighborsWithin() -> [TaskScope] {
    guard let parent, let place, case .part = place else { return [] }
    return parent.withLock { $0.within }.filter { neighbor in
      neighbor.place?.isElement(of: place) == true || neighbor.withLock { $0.outerPlaces }.contains(place)
    }
  }

  /// Returns the scopes of a table with all scopes within them, beginning with the one that has the oldest task. Scopes
  /// come and go with their tasks, so the order they were made has no meaning.
  static func inOrder(_ scopes: [TaskScope]) -> [TaskScope] {
    var found: [(scope: TaskScope, oldestTask: UInt64)] = []
    var next = scopes
    while let scope = next.popLast() {
      next += scope.withLock { content in
        found.append((scope, content.oldestTask))
        return content.within
      }
    }
    return found.sorted { $0.oldestTask < $1.oldestTask }.map(\.scope)
  }
}
