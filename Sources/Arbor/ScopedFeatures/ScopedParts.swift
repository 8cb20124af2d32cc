/// The parts of a larger state to which a feature is scoped, and the actions that reach them.
///
/// - Made for each place in which the feature works, and used on the tree's queue unless stated otherwise.
@usableFromInline
package protocol ScopedParts<Part, PartAction>: Sendable {
  associatedtype Whole: Sendable
  associatedtype WholeAction: Sendable
  associatedtype Part: Sendable
  associatedtype PartAction: Sendable

  /// The id of an element; `Void` if there is one part.
  associatedtype ID: Sendable

  /// `true` if a part may be missing.
  var mayBeMissing: Bool { get }

  /// `true` if ``embed(_:_:)`` and ``extract`` are the library's own, and so match.
  var isPairKnown: Bool { get }

  /// The id of the part if there is one; nil for elements.
  var onlyID: ID? { get }

  /// An action of the whole, as far as it concerns a part: the part's action, with the id of the part if there are
  /// several.
  associatedtype Extract: Sendable

  /// Finds the action of a part that an action of the whole contains; nil if it contains none. A closure, so that code
  /// that calls it for each action doesn't need to capture more of the parts.
  var extract: @Sendable (WholeAction) -> Extract? { get }

  /// Returns the id of the part and the part's action.
  static func idAndAction(of extract: Extract) -> (id: ID, action: PartAction)

  /// Wraps an action of a part in an action of the whole. May be called from any thread.
  func embed(_ action: PartAction, _ id: ID) -> WholeAction

  /// Changes a part in place. If the part is missing, the body isn't called.
  func change(_ id: ID, of whole: inout Whole, _ body: (inout Part) -> Void) -> ScopedChange

  /// The version of the collection that contains the parts.
  ///
  /// - While it is equal, no element has changed, been inserted or been removed. It may keep the collection, which the
  ///   next change then copies.
  associatedtype Version: Equatable & Sendable

  /// Returns the version of the collection; nil if there is no collection. Called on the tree's queue.
  func version(of whole: UnsafePointer<Whole>) -> Version?

  /// Returns the number of elements that the next change to the collection copies because a version is kept.
  static func copies(because version: Version) -> Int

  /// Returns the ids of the elements in which two versions may differ; nil if finding them takes as long as comparing
  /// all elements. Called on the tree's queue.
  static func changes(from old: Version, to new: Version) -> [ID]?

  /// Returns the position of an element in the collection; nil if there is none with the id. Called on the tree's
  /// queue.
  func position(of id: ID, in whole: UnsafePointer<Whole>) -> Int?

  /// Calls a body with a part. Doesn't call it if the part is missing. May be called from any thread.
  func read(_ id: ID, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void)

  /// Calls a body with each of some parts that exists, and with the position of its id among the given ones.
  ///
  /// - Called on the tree's queue.
  func read(_ ids: [ID], of whole: UnsafePointer<Whole>, _ body: (_ position: Int, UnsafePointer<Part>) -> Void)

  /// Calls a body with each part that exists.
  func readEach(of whole: UnsafePointer<Whole>, _ body: (ID, UnsafePointer<Part>) -> Void)

  /// Returns the key of an element, from the key of the element that contains the whole.
  func key(_ id: ID, in outer: ElementKey?) -> ElementKey?

  /// Splits a key that ``key(_:in:)`` made.
  func split(_ key: ElementKey?) -> (id: ID, outer: ElementKey?)

  /// Returns the place of a part in the whole.
  func place(_ id: ID) -> ScopePlace
}

/// The effect of a change to a part on a larger state.
@usableFromInline
package enum ScopedChange: Sendable {
  /// The part is missing: nothing was changed.
  case missing

  /// Only the part was changed.
  case part

  /// The part was changed, and others may have changed with it.
  case whole
}

extension ScopedParts {
  @inlinable
  package static func changes(from _: Version, to _: Version) -> [ID]? { nil }

  /// Returns a part of a state; nil if it is missing. May be called from any thread.
  @inlinable
  func part(_ id: ID, of whole: Whole) -> Part? {
    var result: Part?
    withUnsafePointer(to: whole) { whole in read(id, of: whole) { result = $0.pointee } }
    return result
  }

  /// Returns `true` if a part exists. May be called from any thread.
  @inlinable
  package func contains(_ id: ID, in whole: inout Whole) -> Bool {
    var isThere = false
    withUnsafeMutablePointer(to: &whole) { whole in read(id, of: UnsafePointer(whole)) { _ in isThere = true } }
    return isThere
  }

  /// Returns some elements in the order of the collection, without duplicates.
  @inlinable
  func inOrder(_ keys: [ElementKey], of whole: UnsafePointer<Whole>) -> [ElementKey] {
    guard keys.count > 1 else { return keys }
    var found: [(position: Int, key: ElementKey)] = []
    for key in Set(keys) {
      if let position = position(of: split(key).id, in: whole) { found.append((position, key)) }
    }
    return found.sorted { $0.position < $1.position }.map(\.key)
  }

  @inlinable
  package func read(
    _ ids: [ID],
    of whole: UnsafePointer<Whole>,
    _ body: (_ position: Int, UnsafePointer<Part>) -> Void
  ) {
    for (position, id) in ids.enumerated() { read(id, of: whole) { body(position, $0) } }
  }
}

/// The elements of a collection in a larger state, found by their ids.
@usableFromInline
package protocol ScopedElements<Elements>: ScopedParts
where Part: Identifiable, ID == Part.ID, Extract == (Part.ID, PartAction) {
  associatedtype Elements

  var elements: WritablePart<Whole, Elements> { get }

  /// Wraps an id and an action of its element in an action of the whole. May be called from any thread.
  var embedElement: @Sendable (Part.ID, PartAction) -> WholeAction { get }
}

extension ScopedElements {
  @inlinable package var mayBeMissing: Bool { true }
  @inlinable package var onlyID: Part.ID? { nil }
  @inlinable package var isPairKnown: Bool { false }

  @inlinable
  package static func idAndAction(of extract: (Part.ID, PartAction)) -> (id: Part.ID, action: PartAction) { extract }

  @inlinable
  package func embed(_ action: PartAction, _ id: Part.ID) -> WholeAction { embedElement(id, action) }

  @inlinable
  package func key(_ id: Part.ID, in outer: ElementKey?) -> ElementKey? { ElementKey(id, in: outer) }

  @inlinable
  package func split(_ key: ElementKey?) -> (id: Part.ID, outer: ElementKey?) {
    key.unsafelyUnwrapped.split(as: Part.ID.self)
  }

  @inlinable
  package func place(_ id: Part.ID) -> ScopePlace { .element(ElementPlace(id, in: elements.path)) }
}
