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
    let (group, call) = try change(from: history, at: place)
    if let group {
      let text = try SwiftLiteral.text(of: group, at: place.member("group").with(isTypeKnown: false))
      assignments.call("\(target).group(\(text.flat))")
    }
    let document = place.member("document").with(isTypeKnown: DeclaredType.isThat(of: document))
    try assignments.addProperty(from: history.document, to: self.document, target: "\(target).document", at: document)
    if let call { assignments.call("\(target).\(call)") }
    return true
  }

  /// The method without arguments that makes this history of another one, if one does.
  private func call(from before: History) -> String? {
    var (undone, redone, cleared) = (before, before, before)
    if undone.undo(), undone == self { return "undo()" }
    if redone.redo(), redone == self { return "redo()" }
    cleared.clear()
    return cleared == self ? "clear()" : nil
  }

  /// The group of the one change of the document that makes this history of another one, and the call behind it.
  private func change(
    from before: History,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> (group: (any Hashable & Sendable)?, call: String?) {
    var changed = before
    changed.document = document
    if changed == self { return (nil, nil) }
    // One of a group that has come back to where it began has left no trace but in the history before.
    for group in [undoGroup, before.undoGroup, nil] {
      var recorded = changed
      if let group { recorded.group(group) }
      recorded.record()
      if recorded == self { return (group, "record()") }
    }
    changed.clear()
    if changed == self { return (nil, "clear()") }
    throw place.error(
      """
      its history has more than one new change, which only the reducer makes, or one in which a redaction has changed a part of \
      the document
      """)
  }
}
