/// A document with its past and its future, so that you can undo and redo its changes.
///
/// ```swift
/// struct AppState: Sendable {
///   var drawing = History(Drawing())
/// }
/// let app = Feature<AppState, AppAction>.combined(
///   drawing.withHistory().scoped(to: \.drawing, action: AppAction.drawing, extract: \.drawing),
///   Feature { state, action in
///     switch action {
///     case .undo: state.drawing.undo()
///     case .redo: state.drawing.redo()
///     case .drawing: break
///     }
///   }
/// )
/// ```
///
/// - It is a value in the state. Undoing is an action like any other, and its effects see the restored document.
///   Effects and activities of an undone action aren't reversed.
/// - `withHistory(grouping:clearing:amending:author:)` of a ``Feature`` records the changes of its actions. Without it,
///   write to ``document`` and call ``record(group:author:)``.
/// - A recorded document shares everything that hasn't changed with the current one, like copies of arrays and tables.
///   Only the parts that change are copied.
/// - Equal histories behave equally, and so does a decoded copy: `==` and the encoded form cover everything that a
///   result depends on, including an open group and the limit.
/// - A document has changed if it isn't equal by `==`. A document that isn't equal to itself, such as one with a NaN,
///   can therefore change with each action.
/// - A document is a value. Changes inside an object that it refers to are neither recorded nor undone.
public struct History<Document: Equatable & Sendable>: Equatable, Sendable {
  /// The current document. You can undo changes to it after they are recorded.
  public var document: Document

  /// The maximum number of changes that can be undone; the oldest are forgotten first. Below 0, it counts as 0.
  ///
  /// - Cost: once the limit is reached, recording a change moves that many references to documents.
  public var limit: Int {
    didSet { forgetOldest() }
  }

  /// The documents before each change, oldest first.
  package internal(set) var past: [Moment] = []

  /// The documents after each change that was undone; the one undone first comes first.
  package internal(set) var future: [Moment] = []

  /// The last recorded document.
  package internal(set) var recorded: Document

  /// The group that ``beginGroup(_:author:)`` began; nil outside a group.
  package var begun: HistoryChange?

  /// `true` if the next change may join the last one, because it belongs to the same group.
  package internal(set) var isOpen = false

  /// A document, with the change between it and its neighbor in time.
  package struct Moment: Equatable, Sendable {
    package internal(set) var document: Document
    package let change: HistoryChange
  }

  /// Makes the history of a document without any changes.
  ///
  /// - Parameters:
  ///   - document: The current document.
  ///   - limit: The maximum number of changes that can be undone; below 0, it counts as 0.
  public init(_ document: Document, limit: Int = 100) {
    self.document = document
    self.limit = limit
    recorded = document
  }

  /// The current document as the start of a history: if you set it, nothing can be undone or redone.
  ///
  /// - Use it to store a document without its history: `Persisted(\AppState.list.startingDocument, as: "list")`.
  public var startingDocument: Document {
    get { document }
    set {
      document = newValue
      clear()
    }
  }

  /// `true` if there is a change to undo.
  public var canUndo: Bool { !settled.past.isEmpty }

  /// `true` if there is a change to redo.
  public var canRedo: Bool { !future.isEmpty && !isChanged }

  /// The group of the change that ``undo()`` undoes next; nil if it has none.
  public var undoGroup: String? { settled.past.last?.change.group }

  /// The group of the change that ``redo()`` redoes next; nil if it has none.
  public var redoGroup: String? { canRedo ? future.last?.change.group : nil }

  /// Records the changes since the last call as one change that can be undone.
  ///
  /// ```swift
  /// case .typed(let text):
  ///   history.document.text += text
  ///   history.record(group: "typing")
  /// ```
  ///
  /// - Changes that were undone earlier can't be redone after that.
  /// - Does nothing if the document is equal to the recorded one. The call takes as long as that comparison; arrays and
  ///   tables that share their storage are compared in constant time.
  /// - Parameters:
  ///   - group: The group of the change. Consecutive changes of the same group and author are undone together. Ignored
  ///     inside a group that the same author began with ``beginGroup(_:author:)``.
  ///   - author: The author of the change, for ``undo(by:merging:)``; nil if it has none.
  public mutating func record(group: String? = nil, author: String? = nil) {
    if isChanged { recordChange(group, author) }
  }

  /// Begins a group: all changes until ``endGroup()`` are undone together.
  ///
  /// ```swift
  /// case .dragBegan: state.drawing.beginGroup("Move")
  /// case .dragEnded: state.drawing.endGroup()
  /// ```
  ///
  /// - To undo a whole batch at once, let its first action begin a group and its last one end it.
  /// - Unrecorded changes are recorded first, as a separate change. If another group is open, it ends.
  /// - Undoing, redoing and clearing end the group. A change by another author isn't part of it, and splits it.
  /// - Parameters:
  ///   - group: The name of the group.
  ///   - author: The author whose changes are grouped; nil for changes without an author.
  public mutating func beginGroup(_ group: String, author: String? = nil) {
    endGroup()
    begun = HistoryChange(group: group, author: author)
  }

  /// Ends the group of the last changes: the next change is undone separately, even if it has the same group.
  ///
  /// - Unrecorded changes are recorded first, and belong to the group that ``beginGroup(_:author:)`` began.
  public mutating func endGroup() {
    record(author: begun?.author)
    begun = nil
    isOpen = false
  }

  /// Restores the document as it was before the last change. Unrecorded changes count as one change.
  ///
  /// - Returns: `false` if there is nothing to undo. Then nothing changes.
  @discardableResult
  public mutating func undo() -> Bool {
    var history = settled
    guard let moment = history.past.popLast() else { return false }
    history.future.append(Moment(document: history.document, change: moment.change))
    history.show(moment.document)
    self = history
    return true
  }

  /// Restores the document as it was before the last change was undone.
  ///
  /// - Returns: `false` if there is nothing to redo, or if the document has changed since. Then nothing changes.
  @discardableResult
  public mutating func redo() -> Bool {
    guard canRedo else { return false }
    let moment = future.removeLast()
    past.append(Moment(document: document, change: moment.change))
    forgetOldest()
    show(moment.document)
    return true
  }

  /// Forgets the past and the future. The document stays unchanged.
  public mutating func clear() {
    past = []
    future = []
    show(document)
  }

  private mutating func show(_ shown: Document) {
    document = shown
    recorded = shown
    begun = nil
    isOpen = false
  }

  mutating func forgetOldest() {
    let excess = past.count - max(limit, 0)
    if excess > 0 { past.removeFirst(excess) }
    if past.isEmpty { isOpen = false }
  }

  /// Records a change to the document, which differs from the recorded one.
  private mutating func recordChange(_ group: String?, _ author: String?) {
    let group = begun.map { $0.author == author ? $0.group : group } ?? group
    let change = HistoryChange(group: group, author: author)
    future = []
    if !isOpen || past.last?.change != change {
      past.append(Moment(document: recorded, change: change))
      isOpen = group != nil
      forgetOldest()
    } else if past.last?.document == document {
      // The group has returned to its beginning, so there is nothing to undo.
      past.removeLast()
      isOpen = false
    }
    recorded = document
  }

  /// `true` if the document differs from the last recorded one. Arrays and tables don't compare elements that both
  /// share.
  var isChanged: Bool { document != recorded }

  /// The same history after recording unrecorded changes.
  var settled: History {
    var history = self
    history.record(author: begun?.author)
    return history
  }
}

/// A change to a document in a ``History``.
public struct HistoryChange: Codable, Hashable, Sendable {
  /// The kinds of changes.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A change to the document.
    case change

    /// A change that undoes an earlier change of its author; see ``History/undo(by:merging:)``.
    case undo

    /// A change that redoes a change that its author undid; see ``History/redo(by:merging:)``.
    case redo
  }

  /// The group of the change; nil if it has none.
  public let group: String?

  /// The author of the change; nil if it has none.
  public let author: String?

  /// The kind of the change.
  public let kind: Kind

  init(group: String? = nil, author: String? = nil, kind: Kind = .change) {
    self.group = group
    self.author = author
    self.kind = kind
  }
}

extension History: CustomReflectable {
  /// A mirror of the document and the numbers of changes that can be undone and redone, for logs and failing tests.
  public var customMirror: Mirror {
    Mirror(self, children: ["document": document, "undoable": past.count, "redoable": future.count])
  }
}

extension History.Moment: Encodable where Document: Encodable {}
extension History.Moment: Decodable where Document: Decodable {}
