extension History {
  /// All changes, oldest first: the ones that can be undone, then the ones that can be redone.
  public var changes: [HistoryChange] {
    let history = settled
    return history.past.map(\.change) + history.future.reversed().map(\.change)
  }

  /// The number of changes that can be undone: the position of the current document among ``changes``.
  public var position: Int { settled.past.count }

  /// Undoes or redoes changes until a given number is left to undo.
  ///
  /// ```swift
  /// List(Array(history.changes.enumerated()), id: \.offset) { number, change in
  ///   Button(change.group ?? "Edit") { store.dispatch(.goTo(number + 1)) }
  /// }
  /// ```
  ///
  /// - Parameter position: The number of changes that can be undone afterward, from 0 through the number of
  ///   ``changes``, and at most ``limit``. The current ``position`` changes nothing.
  /// - Returns: `false` if there is no such position. Then nothing changes.
  @discardableResult
  public mutating func go(to position: Int) -> Bool {
    let current = self.position
    // Redoing more would forget the oldest changes, so that at most `limit` would be left to undo.
    guard 0...min(changes.count, max(limit, 0)) ~= position else { return false }
    if position < current { for _ in position..<current { undo() } }
    if position > current { for _ in current..<position { redo() } }
    return true
  }

  /// Changes the current document and each recorded one, so that undoing doesn't reverse the change.
  ///
  /// ```swift
  /// case .saved(let draft, let id):
  ///   state.orders.amend { orders in
  ///     for index in orders.indices where orders[index].id == draft { orders[index].id = id }
  ///   }
  /// ```
  ///
  /// - Use it for changes that aren't the user's, such as an id that a server assigns.
  /// - It isn't a change to undo, and leaves groups open. If a change without an author has no effect afterward, it is
  ///   forgotten.
  /// - Cost: The closure is called for each recorded document.
  /// - Parameter change: Changes a document. It must work with any recorded one.
  /// - Throws: The error of the closure. In that case, nothing has changed.
  public mutating func amend(_ change: (_ document: inout Document) throws -> Void) rethrows {
    var document = document
    try change(&document)
    try amendRecorded(showing: document, change)
  }

  /// Changes each recorded document, and shows one that was already changed.
  mutating func amendRecorded(
    showing document: Document,
    _ change: (_ document: inout Document) throws -> Void
  ) rethrows {
    let amended = try map(showing: document) { old in
      var document = old
      try change(&document)
      return document
    }
    self = amended
  }

  /// Returns the history with documents of another type, for migrations.
  ///
  /// ```swift
  /// let drawing = oldDrawing.map { Drawing(migrating: $0) }
  /// ```
  ///
  /// - Groups, authors, the limit and the position stay the same. If a change without an author has no effect
  ///   afterward, it is forgotten.
  /// - Parameter transform: Makes the new document from an old one. Called for the current document and each recorded
  ///   one.
  /// - Returns: The history of the new documents.
  /// - Throws: The error of the closure.
  public func map<New: Equatable & Sendable>(
    _ transform: (_ document: Document) throws -> New
  ) rethrows -> History<New> {
    try map(showing: transform(document), transform)
  }

  private func map<New: Equatable & Sendable>(
    showing shown: New,
    _ transform: (_ document: Document) throws -> New
  ) rethrows -> History<New> {
    var mapped = History<New>(shown, limit: limit)
    if isChanged { mapped.recorded = try transform(recorded) }
    mapped.past = try past.map { .init(document: try transform($0.document), change: $0.change) }
    mapped.future = try future.map { .init(document: try transform($0.document), change: $0.change) }
    mapped.begun = begun
    mapped.isOpen = isOpen
    mapped.forgetEmptyChanges()
    return mapped
  }

  /// Forgets changes without an author whose documents on both sides are now equal.
  private mutating func forgetEmptyChanges() {
    func withoutEmpty(_ moments: [Moment]) -> [Moment] {
      var next = recorded
      let kept = moments.reversed().filter { moment in
        defer { next = moment.document }
        return moment.change.author != nil || moment.document != next
      }
      return kept.reversed()
    }
    if let last = past.last, last.change.author == nil, last.document == recorded { isOpen = false }
    past = withoutEmpty(past)
    future = withoutEmpty(future)
  }
}

extension History {
  /// Undoes or redoes a change in a later version of the document.
  ///
  /// - Parameters:
  ///   - document: The document to change.
  ///   - old: The document on the side that the change leaves: after it for an undo, before it for a redo.
  ///   - new: The document on the other side.
  /// - Returns: `false` if the change can't be made in this document.
  public typealias Merge = (_ document: inout Document, _ old: Document, _ new: Document) -> Bool

  /// Returns `true` if ``undo(by:merging:)`` can undo a change of an author.
  ///
  /// - Parameter author: The author of the change.
  public func canUndo(by author: String) -> Bool { settled.steps(of: author).undo != nil }

  /// Returns `true` if ``redo(by:merging:)`` can redo a change of an author.
  ///
  /// - Parameter author: The author who undid the change.
  public func canRedo(by author: String) -> Bool { settled.steps(of: author).redo != nil }

  /// Undoes the last change of an author without undoing the changes of others, for documents that several people edit.
  ///
  /// ```swift
  /// case .undo(let author):
  ///   state.board.undo(by: author) { board, old, new in
  ///     if old.title != new.title, board.title == old.title { board.title = new.title }
  ///     return true
  ///   }
  /// ```
  ///
  /// - The undo is itself recorded as a change by the author. The author's next undo undoes the change before.
  /// - ``undo()`` undoes the last change, regardless of its author. If several clients share a history, use this
  ///   method.
  /// - Parameters:
  ///   - author: The author. Store the author in the action, so that all clients undo the same change.
  ///   - merge: Reverses the change in the current document. It receives the document right after the change, and the
  ///     one right before it. The default only works if the document hasn't changed since.
  /// - Returns: `false` if the author has no change to undo, or `merge` returned `false`. Then nothing changes.
  @discardableResult
  public mutating func undo(
    by author: String,
    merging merge: Merge = History.replace
  ) -> Bool {
    step(.undo, by: author, merge)
  }

  /// Redoes the last change that an author undid with ``undo(by:merging:)``, if the author made no change since.
  ///
  /// - Parameters:
  ///   - author: The author who undid the change.
  ///   - merge: Makes the change again in the current document, as in ``undo(by:merging:)``.
  /// - Returns: `false` if there is nothing to redo, or `merge` returned `false`. Then nothing changes.
  @discardableResult
  public mutating func redo(
    by author: String,
    merging merge: Merge = History.replace
  ) -> Bool {
    step(.redo, by: author, merge)
  }

  /// Replaces a document if it is still the old one.
  @usableFromInline
  static func replace(_ document: inout Document, _ old: Document, _ new: Document) -> Bool {
    guard document == old else { return false }
    document = new
    return true
  }

  private mutating func step(_ kind: HistoryChange.Kind, by author: String, _ merge: Merge) -> Bool {
    var history = settled
    let steps = history.steps(of: author)
    guard let index = kind == .undo ? steps.undo : steps.redo else { return false }
    let before = history.past[index]
    let after = index + 1 < history.past.count ? history.past[index + 1].document : history.recorded
    guard merge(&history.document, after, before.document) else { return false }
    history.past.append(
      Moment(
        document: history.recorded,
        change: HistoryChange(group: before.change.group, author: author, kind: kind)
      )
    )
    history.recorded = history.document
    history.future = []
    history.isOpen = false
    if history.begun?.author == author { history.begun = nil }
    history.forgetOldest()
    self = history
    return true
  }

  /// Returns the positions in the past of the changes that an author undoes next, and redoes next.
  private func steps(of author: String) -> (undo: Int?, redo: Int?) {
    var (undoable, redoable): ([Int], [Int]) = ([], [])
    for (index, moment) in past.enumerated() where moment.change.author == author {
      switch moment.change.kind {
      case .change:
        undoable.append(index)
        redoable = []
      case .undo:
        _ = undoable.popLast()
        redoable.append(index)
      case .redo:
        _ = redoable.popLast()
        undoable.append(index)
      }
    }
    return (undoable.last, redoable.last)
  }
}
