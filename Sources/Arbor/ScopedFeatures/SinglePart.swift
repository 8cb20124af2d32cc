/// One part of a larger state that may be missing.
@usableFromInline
struct SinglePart<Whole: Sendable, WholeAction: Sendable, Part: Sendable, PartAction: Sendable>: ScopedParts {
  @usableFromInline
  enum Access: Sendable {
    case required(WritablePart<Whole, Part>)
    case optional(WritablePart<Whole, Part?>)

    /// The value of a case of an enum.
    case enumCase(embed: @Sendable (Part) -> Whole, extract: @Sendable (Whole) -> Part?)
  }

  @usableFromInline let access: Access
  @usableFromInline let embed: @Sendable (PartAction) -> WholeAction
  @usableFromInline let extract: @Sendable (WholeAction) -> PartAction?
  @usableFromInline let place: ScopePlace
  @usableFromInline let isPairKnown: Bool

  @inlinable
  init(
    _ access: Access,
    action embed: @escaping @Sendable (PartAction) -> WholeAction,
    extract: @escaping @Sendable (WholeAction) -> PartAction?,
    at place: ScopePlace,
    isPairKnown: Bool = false
  ) {
    self.access = access
    self.embed = embed
    self.extract = extract
    self.place = place
    self.isPairKnown = isPairKnown
  }

  @usableFromInline var mayBeMissing: Bool {
    if case .required = access { false } else { true }
  }

  @usableFromInline var onlyID: Void? { () }

  @inlinable
  static func idAndAction(of action: PartAction) -> (id: Void, action: PartAction) { ((), action) }

  @inlinable
  func embed(_ action: PartAction, _: Void) -> WholeAction { embed(action) }

  @inlinable
  func change(_: Void, of whole: inout Whole, _ body: (inout Part) -> Void) -> ScopedChange {
    switch access {
    case .required(let part):
      part.change(&whole, body)
      return .part
    case .optional(let part):
      // Not assigned if it is missing: a setter may have side effects.
      guard !part.isAssigned || contains((), in: &whole) else { return .missing }
      return part.change(&whole) { part in
        guard part != nil else { return .missing }
        body(&part!)
        return .part
      }
    case .enumCase(let embed, let extract):
      return withUnsafeMutablePointer(to: &whole) { whole in
        guard var part = extract(whole.pointee) else { return .missing }
        // Released first, so that the part is the only owner of its content, and is changed without a copy.
        whole.deinitialize(count: 1)
        body(&part)
        whole.initialize(to: embed(part))
        return .part
      }
    }
  }

  @inlinable
  func version(of _: UnsafePointer<Whole>) -> Bool? { nil }

  @inlinable
  static func copies(because _: Bool) -> Int { 0 }

  @inlinable
  func position(of _: Void, in _: UnsafePointer<Whole>) -> Int? { nil }

  @inlinable
  func read(_: Void, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    switch access {
    case .required(let part): part.read(whole, body)
    case .optional(let part): part.read(whole) { if let part = $0.pointee { withUnsafePointer(to: part, body) } }
    case .enumCase(_, let extract): if let part = extract(whole.pointee) { withUnsafePointer(to: part, body) }
    }
  }

  @inlinable
  func readEach(of whole: UnsafePointer<Whole>, _ body: (Void, UnsafePointer<Part>) -> Void) {
    read((), of: whole) { body((), $0) }
  }

  @inlinable
  func key(_: Void, in outer: ElementKey?) -> ElementKey? { outer }

  @inlinable
  func split(_ key: ElementKey?) -> (id: Void, outer: ElementKey?) { ((), key) }

  @inlinable
  func place(_: Void) -> ScopePlace { place }
}
