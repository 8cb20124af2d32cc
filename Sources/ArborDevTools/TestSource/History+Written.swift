internal import Arbor

extension History: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard self == History(document, limit: limit) else {
      throw place.error(
        """
        no expression makes a history with changes in it, recorded or not; begin where nothing has happened to it, and let no \
        redaction change a part of its document
        """)
    }
    let isTypeKnown = place.isTypeKnown && DeclaredType.isThat(of: document)
    let text = try SwiftLiteral.text(of: document, at: place.member("document").with(isTypeKnown: isTypeKnown))
    var items = [SourceText.Item(text: text)]
    if limit != History(document).limit {
      items.append(SourceText.Item(label: "limit: ", text: .plain(DigitGroups.of("\(limit)"))))
    }
    return .list(opening: "History(", items, closing: ")")
  }
}

extension History: PartwiseWritten {
  /// Adds what a reducer does to a history: it undoes, redoes, forgets, or changes the document and records that.
  func add(
    to assignments: inout StateAssignments,
    from before: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard var history = before as? Self else { return false }
    guard history != self else { return true }
    if history.limit != limit {
      history.limit = limit
      try assignments.assign(limit, to: "\(target).limit", at: place.member("limit"))
    }
    guard history != self else { return true }
    if let call = call(from: history) {
      assignments.call("\(target).\(call)")
      return true
    }
    let call = try change(from: history, at: place)
    let document = place.member("document").with(isTypeKnown: DeclaredType.isThat(of: document))
    try assignments.addProperty(from: history.document, to: self.document, target: "\(target).document", at: document)
    if let call { assignments.call("\(target).\(call)") }
    return true
  }

  /// The call that makes this history of another one, if one does.
  private func call(from before: History) -> String? {
    func isMade(_ change: (inout History) -> Void) -> Bool {
      var history = before
      change(&history)
      return history == self
    }
    if isMade({ $0.undo() }) { return "undo()" }
    if isMade({ $0.redo() }) { return "redo()" }
    if isMade({ $0.clear() }) { return "clear()" }
    if isMade({ $0.endGroup() }) { return "endGroup()" }
    if let begun, let group = begun.group, isMade({ $0.beginGroup(group, author: begun.author) }) {
      return "beginGroup(\(arguments(group: group, author: begun.author, label: "")))"
    }
    if let last = lastChange, let author = last.author, last.kind != .change {
      if isMade({ $0.undo(by: author) }) { return "undo(by: \(StringLiteral.line(author)))" }
      if isMade({ $0.redo(by: author) }) { return "redo(by: \(StringLiteral.line(author)))" }
    }
    let position = position
    return isMade { $0.go(to: position) } ? "go(to: \(position))" : nil
  }

  /// The call, after the change of its document, that makes this history of another one; nil if none is needed.
  private func change(from before: History, at place: LiteralPlace) throws(SwiftSourceError) -> String? {
    var changed = before
    changed.document = document
    if changed == self { return nil }
    // A change of a group that has come back to its beginning has left no trace but in the history before.
    for change in [lastChange, before.lastChange, nil] {
      var recorded = changed
      recorded.record(group: change?.group, author: change?.author)
      guard recorded == self else { continue }
      return "record(\(arguments(group: change?.group, author: change?.author, label: "group: ")))"
    }
    changed.clear()
    if changed == self { return "clear()" }
    throw place.error(
      """
      its history has more than one new change, which only the reducer makes, or one in which a redaction has changed a part of \
      the document
      """)
  }

  /// The last change that can be undone.
  private var lastChange: HistoryChange? { position > 0 ? changes[position - 1] : nil }

  private func arguments(group: String?, author: String?, label: String) -> String {
    [group.map { label + StringLiteral.line($0) }, author.map { "author: " + StringLiteral.line($0) }]
      .compactMap(\.self).joined(separator: ", ")
  }
}
