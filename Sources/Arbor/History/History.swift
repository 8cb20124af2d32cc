/// A document with its past and its future: what changes it can be undone, and done again.
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
/// - It is a value in the state: to undo is an action like any other, whose effects are asked with the document that has
///   come back. Effects and activities of what is undone are not taken back.
/// - `withHistory(grouping:clearing:)` of a ``Feature`` records what a feature's actions change, or commits. Without it, write
///   to ``document`` and call ``record()``.
/// - Recording keeps the document as it was: what it shares with the document of now, as arrays and tables do in which
///   nothing has changed, is in memory once. What a change touches is copied first.
/// - A document that is not equal to itself, as one with a number that is NaN, has always changed: each action is a change
///   to undo, and nothing can be redone.
/// - A document is a value. What happens inside an object to which it refers is neither seen nor taken back.
public struct History<Document: Equatable & Sendable>: Equatable, Sendable {
  /// The document as it is now. What is written here can be undone once it is recorded.
  public var document: Document

  /// The greatest number of changes that can be undone; the oldest are forgotten first. Below 0 it counts as 0.
  ///
  /// - To record a change where the limit is reached moves the references to as many documents.
  public var limit: Int {
    didSet { forgetOldest() }
  }

  /// The documents before each change, from the oldest on.
  private(set) var past: [Moment] = []

  /// The documents after each change that was undone, from the one that was undone first on.
  private(set) var future: [Moment] = []

  /// The document as it was last recorded.
  private(set) var recorded: Document

  /// The group of the changes that are not yet recorded.
  private var nextGroup: (any Hashable & Sendable)?

  /// The group that the next change may join: that of the last change, unless something was undone or redone since.
  private var openGroup: (any Hashable & Sendable)?

  /// A document, with the group of the change that separates it from its neighbor in time.
  struct Moment: Equatable, Sendable {
    let document: Document
    let group: (any Hashable & Sendable)?

    static func == (left: Moment, right: Moment) -> Bool { left.document == right.document }
  }

  /// Makes the history of a document, to which nothing has happened yet.
  ///
  /// - Parameters:
  ///   - document: The document as it is now.
  ///   - limit: The greatest number of changes that can be undone; below 0 it counts as 0.
  public init(_ document: Document, limit: Int = 100) {
    self.document = document
    self.limit = limit
    recorded = document
  }

  init(_ document: Document, recorded: Document, limit: Int, past: [Document], future: [Document]) {
    self.init(document, limit: limit)
    self.recorded = recorded
    self.past = past.map { Moment(document: $0, group: nil) }
    self.future = future.map { Moment(document: $0, group: nil) }
    forgetOldest()
  }

  /// `true` if there is a change to undo.
  public var canUndo: Bool {
    guard isChanged, limit > 0 else { return !past.isEmpty }
    return past.count > 1 || !isBackWhereItBegan
  }

  /// `true` if there is a change to redo.
  public var canRedo: Bool { !future.isEmpty && !isChanged }

  /// The group of the change that ``undo()`` takes back; nil if it has none.
  public var undoGroup: (any Hashable & Sendable)? {
    guard isChanged, limit > 0 else { return past.last?.group }
    return isBackWhereItBegan ? past.dropLast().last?.group : nextGroup
  }

  /// The group of the change that ``redo()`` brings back; nil if it has none.
  public var redoGroup: (any Hashable & Sendable)? { canRedo ? future.last?.group : nil }

  /// Says to which group the change belongs that is recorded next. A change whose group is that of the last one is
  /// undone together with it.
  ///
  /// ```swift
  /// case .typed(let text):
  ///   history.group("typing")
  ///   history.document.text += text
  ///   history.record()
  /// ```
  ///
  /// - After undoing and redoing, a group begins anew.
  /// - Parameter group: The group. It counts for the next recording alone, even if that finds no change.
  public mutating func group(_ group: some Hashable & Sendable) {
    nextGroup = group
  }

  /// Records what has changed since the last time as one change that can be undone. What was undone before cannot be
  /// redone then.
  ///
  /// - Does nothing if the document is equal to what it was. That takes the time of the comparison, in which arrays and
  ///   tables that nothing has written to count as one value.
  public mutating func record() {
    defer { nextGroup = nil }
    guard isChanged else { return }
    future = []
    if !joinsLast {
      past.append(Moment(document: recorded, group: nextGroup))
      openGroup = nextGroup
      forgetOldest()
    } else if isBackWhereItBegan {
      // There is nothing to undo.
      past.removeLast()
      openGroup = nil
    }
    recorded = document
  }

  /// Brings the document back to what it was before the last change; changes that nobody has recorded are one.
  ///
  /// - Returns: `false` if there is nothing to undo. Then nothing changes.
  @discardableResult
  public mutating func undo() -> Bool {
    guard canUndo else { return false }
    record()
    let moment = past.removeLast()
    future.append(Moment(document: document, group: moment.group))
    show(moment.document)
    return true
  }

  /// Brings the document to what it was before the last change was undone.
  ///
  /// - Returns: `false` if there is nothing to redo, as when the document has changed since. Then nothing changes.
  @discardableResult
  public mutating func redo() -> Bool {
    guard canRedo else { return false }
    let moment = future.removeLast()
    past.append(Moment(document: document, group: moment.group))
    forgetOldest()
    show(moment.document)
    return true
  }

  /// Forgets the past and the future. The document stays as it is.
  public mutating func clear() {
    past = []
    future = []
    show(document)
  }

  private mutating func show(_ shown: Document) {
    document = shown
    recorded = shown
    openGroup = nil
    nextGroup = nil
  }

  private mutating func forgetOldest() {
    let excess = past.count - max(limit, 0)
    if excess > 0 { past.removeFirst(excess) }
  }

  /// `true` if the next change belongs to the last one.
  private var joinsLast: Bool {
    guard let nextGroup, let openGroup, !past.isEmpty else { return false }
    return AnyHashable(nextGroup) == AnyHashable(openGroup)
  }

  /// `true` if the change that is not yet recorded ends the last one's group with the document with which that began.
  private var isBackWhereItBegan: Bool { joinsLast && past.last!.document == document }

  /// `true` if the document differs from what was last recorded. Of what both share, as they do of all that has not
  /// changed, arrays and tables compare no elements.
  var isChanged: Bool { document != recorded }

  /// Compares the documents, and what can be undone and redone.
  public static func == (left: History, right: History) -> Bool {
    left.document == right.document && left.past == right.past && left.future == right.future
      && left.canUndo == right.canUndo && left.canRedo == right.canRedo
  }
}

extension History: CustomReflectable {
  /// A mirror of the document and of how many changes can be undone and redone, for logs and for tests that fail.
  public var customMirror: Mirror {
    Mirror(self, children: ["document": document, "undoable": past.count, "redoable": future.count])
  }
}
