/// Applies commits to a part of a larger state that may be missing.
@usableFromInline
package enum PartWriter<Whole, Part>: Sendable {
  case required(WritablePart<Whole, Part>)
  case optional(WritablePart<Whole, Part?>)

  /// A part that no key path leads to in one step: an element of a collection, or the value of an optional.
  case element(ElementWrite, target: MakeTarget)

  /// Applies a write to an element, like ``write(_:_:)``.
  @usableFromInline package typealias ElementWrite =
    @Sendable (_ whole: inout Whole, _ change: StateWrite) -> Bool

  /// Makes the target of a mutation of the whole, from a function that makes the mutation of the part.
  @usableFromInline package typealias MakeTarget =
    @Sendable (_ mutation: @escaping @Sendable () -> Mutation<Part>) -> MutationTarget

  /// Makes a writer of an element of a collection in the state.
  ///
  /// - Parameters:
  ///   - path: Makes the key path of the element in the collection, which identifies a mutation of it.
  ///   - update: Changes the element at its place in the collection, if the change returns that it succeeded. Returns
  ///     the result of the change; nil if there is no such element.
  @inlinable
  package static func element<Elements>(
    of elements: WritablePart<Whole, Elements>,
    at path: @escaping @Sendable () -> any WritableKeyPath<Elements, Part?> & Sendable,
    _ update: @escaping @Sendable (_ elements: inout Elements, _ change: (inout Part) -> Bool) -> Bool?
  ) -> PartWriter {
    let element = PartWriter<Elements, Part>.element { elements, change in
      update(&elements) { part in withUnsafeMutablePointer(to: &part) { change($0) } } ?? change(nil)
    } target: { mutation in
      MutationTarget(PartPlace(WritablePart(path()))) { mutation().scoped(to: .wrapped) }
    }
    return .element { whole, change in
      elements.write(&whole) { element.write($0, change) }
    } target: { mutation in
      MutationTarget(PartPlace(elements)) { mutation().scoped(to: element) }
    }
  }

  /// `true` if the part may be missing.
  @usableFromInline var isOptional: Bool {
    if case .required = self { false } else { true }
  }

  /// Returns the target of a mutation of the whole.
  ///
  /// - Parameter mutation: Makes the mutation of the part.
  @usableFromInline
  func target(of mutation: @escaping @Sendable () -> Mutation<Part>) -> MutationTarget {
    switch self {
    case .required(let part): MutationTarget(PartPlace(part)) { mutation() }
    case .optional(let part): MutationTarget(PartPlace(part)) { mutation().scoped(to: .wrapped) }
    case .element(_, let makeTarget): makeTarget(mutation)
    }
  }

  /// Applies a write to the part.
  ///
  /// - Parameter change: The write. It is called with nil if there is no part.
  /// - Returns: The result of the write: `true` if the change succeeded.
  @usableFromInline
  func write(_ whole: UnsafeMutableRawPointer?, _ change: StateWrite) -> Bool {
    guard let whole = whole?.assumingMemoryBound(to: Whole.self) else { return change(nil) }
    switch self {
    case .required(let part): return part.write(whole) { change($0) }
    case .optional(let part): return part.write(whole) { PartWriter.write(&$0.pointee, change) }
    case .element(let write, _): return write(&whole.pointee, change)
    }
  }

  fileprivate static func write(_ part: inout Part?, _ change: StateWrite) -> Bool {
    part == nil ? change(nil) : withUnsafeMutablePointer(to: &part!) { change($0) }
  }
}

extension PartWriter where Whole == Part? {
  /// The writer of the value of an optional.
  @usableFromInline static var wrapped: PartWriter {
    .element { optional, change in
      write(&optional, change)
    } target: { mutation in
      MutationTarget(.value(of: Part?.self)) { mutation() }
    }
  }
}
