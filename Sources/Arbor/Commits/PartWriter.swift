/// Changes the part of a whole to which a key path leads; the part may be optional, or an element of a collection.
///
/// - A stored part of a struct is changed at its place in memory, where ``StatePart`` reads it, too. Any other part is
///   read, changed, and assigned only if the change has taken place, because a setter may have side effects.
@usableFromInline
package struct PartWriter<Whole, Part>: Sendable {
  private enum Path: Sendable {
    case unconditional(any WritableKeyPath<Whole, Part> & Sendable)
    case optional(any WritableKeyPath<Whole, Part?> & Sendable)
    case element(ElementWrite, target: MakeTarget)
  }

  /// A write to an element of a part, which may not be there.
  @usableFromInline typealias ElementWrite =
    @Sendable (_ whole: UnsafeMutableRawPointer?, _ change: StateWrite) -> Bool

  /// Makes the target of a mutation of the whole, given how the mutation of the part is made.
  @usableFromInline typealias MakeTarget =
    @Sendable (_ mutation: @escaping @Sendable () -> Mutation<Part>) -> MutationTarget

  private let path: Path

  /// The offset of the part in the whole, in bytes; nil if the part is computed, or stored in an object.
  private let offset: Int?

  @usableFromInline
  init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self.path = .unconditional(path)
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  @usableFromInline
  init(optional path: any WritableKeyPath<Whole, Part?> & Sendable) {
    self.path = .optional(path)
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  /// Makes a writer of an element of the collection at a key path.
  ///
  /// - Parameters:
  ///   - element: Makes the key path of the element in the collection, by which a mutation of it is found.
  ///   - update: Changes the element at its place in the collection, if the change says that it has taken place. Returns
  ///     what the change says; nil if there is no such element.
  @inlinable
  package init<Elements>(
    elementOf path: any WritableKeyPath<Whole, Elements> & Sendable,
    at element: @escaping @Sendable () -> any WritableKeyPath<Elements, Part?> & Sendable,
    _ update: @escaping @Sendable (_ elements: inout Elements, _ change: (inout Part) -> Bool) -> Bool?
  ) {
    let elements = PartWriter<Whole, Elements>(path)
    let element = PartWriter<Elements, Part> { elements, change in
      guard let elements = elements?.assumingMemoryBound(to: Elements.self) else { return change(nil) }
      return update(&elements.pointee) { part in withUnsafeMutablePointer(to: &part) { change($0) } } ?? change(nil)
    } target: { mutation in
      MutationTarget(PartPlace(element(), at: nil)) { mutation().scoped(to: .wrapped) }
    }
    self.init { whole, change in
      elements.write(whole) { element.write($0, change) }
    } target: { mutation in
      elements.target { mutation().scoped(to: element) }
    }
  }

  @usableFromInline
  init(_ write: @escaping ElementWrite, target: @escaping MakeTarget) {
    path = .element(write, target: target)
    offset = nil
  }

  /// `true` if the part may not be there.
  @usableFromInline var isOptional: Bool {
    if case .unconditional = path { false } else { true }
  }

  /// The key path of the part; nil for an element of a collection.
  @usableFromInline var keyPath: (any AnyKeyPath & Sendable)? {
    switch path {
    case .unconditional(let path): path
    case .optional(let path): path
    case .element: nil
    }
  }

  /// The target of a mutation of the whole.
  ///
  /// - Parameter mutation: Makes the mutation of the part.
  @usableFromInline
  func target(of mutation: @escaping @Sendable () -> Mutation<Part>) -> MutationTarget {
    switch path {
    case .unconditional(let path): MutationTarget(PartPlace(path, at: offset)) { mutation() }
    case .optional(let path): MutationTarget(PartPlace(path, at: offset)) { mutation().scoped(to: .wrapped) }
    case .element(_, let makeTarget): makeTarget(mutation)
    }
  }

  /// Applies a write to the part.
  ///
  /// - Parameter change: The write, which is called with nil if there is no part.
  /// - Returns: The result of the write: `true` if the change has taken place.
  @usableFromInline
  func write(_ whole: UnsafeMutableRawPointer?, _ change: StateWrite) -> Bool {
    guard let whole else { return change(nil) }
    switch path {
    case .unconditional(let path):
      if let offset { return change(whole + offset) }
      return write(whole, path) { part in withUnsafeMutablePointer(to: &part) { change($0) } }
    case .optional(let path):
      if let offset { return PartWriter.write(&(whole + offset).assumingMemoryBound(to: Part?.self).pointee, change) }
      return write(whole, path) { part in PartWriter.write(&part, change) }
    case .element(let write, _): return write(whole, change)
    }
  }

  fileprivate static func write(_ part: inout Part?, _ change: StateWrite) -> Bool {
    part == nil ? change(nil) : withUnsafeMutablePointer(to: &part!) { change($0) }
  }

  private func write<Value>(
    _ whole: UnsafeMutableRawPointer,
    _ path: WritableKeyPath<Whole, Value>,
    _ change: (inout Value) -> Bool
  ) -> Bool {
    let whole = whole.assumingMemoryBound(to: Whole.self)
    var part = whole.pointee[keyPath: path]
    guard change(&part) else { return false }
    whole.pointee[keyPath: path] = part
    return true
  }
}

extension PartWriter where Whole == Part? {
  /// The writer of the value of an optional.
  @usableFromInline static var wrapped: PartWriter {
    PartWriter { optional, change in
      guard let optional = optional?.assumingMemoryBound(to: Part?.self) else { return change(nil) }
      return write(&optional.pointee, change)
    } target: { mutation in
      MutationTarget(.value(of: Part?.self)) { mutation() }
    }
  }
}
