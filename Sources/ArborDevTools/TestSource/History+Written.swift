internal import Arbor

extension History: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard self != History(document, limit: limit) else { return try beginning(at: place) }
    guard place.showsPast else {
      throw place.error(
        """
        redactions don't apply to the documents that a history with changes has recorded; begin the recording before its \
        first change
        """)
    }
    let changes = past.map(\.change) + future.reversed().map(\.change)
    let documents = past.map(\.document) + [recorded] + future.reversed().map(\.document)
    let place = place.inValue("history")
    var steps = HistorySteps(history: History(documents[0], limit: max(limit, changes.count)), place: place)
    let beginning = try steps.history.beginning(at: place.with(isTypeKnown: false))
    for (index, change) in changes.enumerated() {
      let isLast = index == changes.count - 1
      if isLast, isOpen, let begun { steps.call(History.beginGroup(begun)) }
      try steps.add(change, to: documents[index + 1])
      if !isLast, changes[index + 1] == change { steps.endGroup() }
    }
    if !future.isEmpty {
      let position = past.count
      steps.call(future.count == 1 ? History.undo : History.go(to: position))
    }
    if !isOpen { steps.endGroup() }
    if steps.history.begun != begun, let begun { steps.call(History.beginGroup(begun)) }
    if steps.history.limit != limit {
      steps.history.limit = limit
      try steps.assignments.assign(limit, at: place.member("limit"))
    }
    try steps.show(document)
    guard steps.history == self else {
      throw place.error(
        """
        its changes can't be repeated, because an amendment, a merge or a limit has removed parts of them; begin the \
        recording before its first change
        """)
    }
    return .value("history", from: beginning, steps.assignments.statements)
  }

  /// Returns the expression of a history that contains only the document.
  fileprivate func beginning(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let isTypeKnown = place.isTypeKnown && DeclaredType.isThat(of: document)
    let text = try SwiftLiteral.text(of: document, at: place.member("document").with(isTypeKnown: isTypeKnown))
    var items = [SourceText.Item(text: text)]
    if limit != History(document).limit {
      items.append(SourceText.Item(label: "limit: ", text: .plain(DigitGroups.of("\(limit)"))))
    }
    return .list(opening: "History(", items, closing: ")")
  }
}

/// The statements that repeat the changes of a history.
private struct HistorySteps<Document: Equatable & Sendable> {
  /// The history after the statements so far.
  var history: History<Document>
  var assignments = StateAssignments()
  let place: LiteralPlace

  init(history: History<Document>, place: LiteralPlace) {
    self.history = history
    self.place = place
  }

  mutating func call(_ call: WrittenCall<History<Document>>) {
    call.perform(&history)
    assignments.call([call], at: place)
  }

  /// Ends the group of the latest changes if it is open.
  mutating func endGroup() {
    if history.isOpen { call(History.endGroup) }
  }

  mutating func show(_ document: Document) throws(SwiftSourceError) {
    // The test store has no state yet that could provide the recorded documents.
    let place = place.part("document").declaring(document)
    try assignments.addProperty(from: history.document, to: document, at: place)
    history.document = document
  }

  /// Adds a change that results in a document.
  mutating func add(_ change: HistoryChange, to document: Document) throws(SwiftSourceError) {
    guard let author = change.author, change.kind != .change else {
      try show(document)
      return call(History.record(change))
    }
    let plain = History<Document>.step(change.kind, by: author)
    var changed = history
    plain.perform(&changed)
    if changed.document == document { return call(plain) }
    // The document is the result of a merge, whose closure is unknown.
    let place = place.part("document").declaring(document)
    let result = SourceText.Item(label: "document = ", text: try SwiftLiteral.text(of: document, at: place))
    let merge = SourceText.block(
      opening: "\(change.kind)(by: \(StringLiteral.line(author))) { document, _, _ in",
      [result, SourceText.Item(text: .plain("return true"))],
      closing: "}"
    )
    call(
      WrittenCall(text: merge) { history in
        let merge: History<Document>.Merge = { merged, _, _ in
          merged = document
          return true
        }
        _ = change.kind == .undo ? history.undo(by: author, merging: merge) : history.redo(by: author, merging: merge)
      }
    )
  }
}

extension History: PartwiseWritten {
  /// Returns the calls of a reducer that changes a history. They undo, redo, clear, or change the document and record
  /// that.
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    var assignments = StateAssignments()
    var history = before
    guard history != self else { return assignments }
    if history.limit != limit {
      history.limit = limit
      try assignments.assign(limit, at: place.member("limit"))
    }
    if let calls = WrittenCall.fewest(calls, making: self, of: history) {
      assignments.call(calls, at: place)
      return assignments
    }
    var changed = history
    changed.document = document
    guard let calls = WrittenCall.fewest(recordings(after: history), making: self, of: changed) else {
      // This can be an amendment, which changes recorded documents, or several changes at once.
      try assignments.assign(self, at: place)
      return assignments
    }
    let document = place.member("document").declaring(document)
    try assignments.addProperty(from: history.document, to: self.document, at: document)
    assignments.call(calls, at: place)
    return assignments
  }

  /// The calls that may have made this history without a new document.
  private var calls: [WrittenCall<Self>] {
    var calls = [History.undo, WrittenCall("redo") { $0.redo() }, History.clear, History.endGroup]
    if let begun { calls.append(History.beginGroup(begun)) }
    if let last = lastChange, let author = last.author, last.kind != .change {
      calls.append(History.step(last.kind, by: author))
    }
    return calls + [History.go(to: position)]
  }

  /// Returns the calls that may have followed a new document.
  private func recordings(after before: History) -> [WrittenCall<Self>] {
    // If a group's change ended with the initial document, only the previous history still has it.
    let changes = [lastChange, before.lastChange].compactMap(\.self).map { History.record($0) }
    return changes + [WrittenCall("record") { $0.record() }, History.clear]
  }

  /// The last change that can be undone.
  private var lastChange: HistoryChange? { position > 0 ? changes[position - 1] : nil }

  // MARK: Calls

  fileprivate static var undo: WrittenCall<Self> { WrittenCall("undo") { $0.undo() } }
  fileprivate static var endGroup: WrittenCall<Self> { WrittenCall("endGroup") { $0.endGroup() } }
  private static var clear: WrittenCall<Self> { WrittenCall("clear") { $0.clear() } }

  fileprivate static func go(to position: Int) -> WrittenCall<Self> {
    WrittenCall("go", [SourceText.Item(label: "to: ", text: .plain("\(position)"))]) { $0.go(to: position) }
  }

  fileprivate static func record(_ change: HistoryChange) -> WrittenCall<Self> {
    WrittenCall("record", items(of: change, label: "group: ")) { $0.record(group: change.group, author: change.author) }
  }

  fileprivate static func beginGroup(_ change: HistoryChange) -> WrittenCall<Self> {
    WrittenCall("beginGroup", items(of: change, label: "")) {
      if let group = change.group { $0.beginGroup(group, author: change.author) }
    }
  }

  /// Makes the call of an author who undoes or redoes a change.
  fileprivate static func step(_ kind: HistoryChange.Kind, by author: String) -> WrittenCall<Self> {
    WrittenCall("\(kind)", [SourceText.Item(label: "by: ", text: .string(author))]) { history in
      _ = kind == .undo ? history.undo(by: author) : history.redo(by: author)
    }
  }

  private static func items(of change: HistoryChange, label: String) -> [SourceText.Item] {
    let items = [
      change.group.map { SourceText.Item(label: label, text: .string($0)) },
      change.author.map { SourceText.Item(label: "author: ", text: .string($0)) },
    ]
    return items.compactMap(\.self)
  }
}
