/// The part of a whole that a mutation of the whole was made for, and the mutation of that part.
///
/// - That mutation also has a target if it was made for a part of the part. So the way from the whole down to the
///   changed part is a list of targets, one for each step.
/// - An optional and its value are two steps, and so are a collection and its element. So the mutation always belongs
///   to a state that exists at its place; a mutation whose part is missing does nothing by itself.
@usableFromInline
package final class MutationTarget: Sendable {
  /// The place of the part in the whole. If ``whole`` isn't nil, it is a place in the same state as ``whole``.
  let place: PartPlace

  /// The place of the whole in an enclosing state; nil if ``place`` is a place in the whole itself.
  let whole: PartPlace?

  private let makeMutation: @Sendable () -> any PartMutation

  /// - Parameter mutation: Makes the mutation of the part. Called each time the mutation is requested.
  @usableFromInline
  init(_ place: PartPlace, in whole: PartPlace? = nil, of mutation: @escaping @Sendable () -> any PartMutation) {
    self.place = place
    self.whole = whole
    makeMutation = mutation
  }

  /// The mutation of the part.
  var mutation: any PartMutation { makeMutation() }

  /// The target of this target's mutation, relative to the same whole; nil if there is none.
  var next: MutationTarget? {
    guard let next = mutation.target, next.whole == nil, let place = place.appending(next.place) else { return nil }
    return MutationTarget(place, in: whole, of: next.makeMutation)
  }

  /// Returns the same target, in the mutation of a part that contains it.
  ///
  /// - Parameter part: The place of that part, in the same state as ``place``.
  func inside(_ part: PartPlace) -> MutationTarget { MutationTarget(place, in: part, of: makeMutation) }
}

/// A mutation of a part of any type.
@usableFromInline
protocol PartMutation: Sendable {
  /// The part of the part that the mutation was made for; nil if it was made for the part itself.
  var target: MutationTarget? { get }

  /// Applies the change to the part, if there is one. Returns `true` if it succeeded.
  func write(to part: UnsafeMutableRawPointer?) -> Bool
}

/// The place of a part in a state: its key path, and its bytes if it is stored in the state itself.
@usableFromInline
struct PartPlace: Sendable {
  private enum Path: Sendable {
    case keyPath(any AnyKeyPath & Sendable)

    /// The value of an optional state. Its key path is only made when it is needed, because that takes long.
    case value(@Sendable () -> any AnyKeyPath & Sendable)
  }

  private let path: Path

  /// Nil if the part is computed, stored in an object, or has no bytes.
  let bytes: Range<Int>?

  private init(_ path: Path, _ bytes: Range<Int>?) {
    self.path = path
    self.bytes = bytes
  }

  @usableFromInline
  init<Whole, Part>(_ part: WritablePart<Whole, Part>) {
    let size = MemoryLayout<Part>.size
    self.init(.keyPath(part.path), size == 0 ? nil : part.offset.map { $0..<$0 + size })
  }

  /// Returns the place of the value of an optional.
  static func value<Wrapped>(of _: Wrapped?.Type) -> PartPlace {
    PartPlace(.value { \Wrapped?.self! }, nil)
  }

  private var keyPath: any AnyKeyPath & Sendable {
    switch path {
    case .keyPath(let path): path
    case .value(let makePath): makePath()
    }
  }

  /// Returns the place, in this state, of a part of this part; nil if the key path doesn't begin there.
  func appending(_ part: PartPlace) -> PartPlace? {
    guard let path = appended(part.keyPath, to: keyPath) else { return nil }
    guard let bytes, let inner = part.bytes else { return PartPlace(.keyPath(path), nil) }
    return PartPlace(.keyPath(path), inner.lowerBound + bytes.lowerBound..<inner.upperBound + bytes.lowerBound)
  }

  /// Returns `true` if both are the place of the same part. If the bytes are known, key paths don't need to be
  /// compared.
  func isSame(as other: PartPlace) -> Bool {
    guard bytes == other.bytes else { return false }
    if bytes != nil { return valueType == other.valueType }
    if case .value = path, case .value = other.path { return true }
    return keyPath as AnyKeyPath == other.keyPath as AnyKeyPath
  }

  /// Returns `true` if the other part is known to be a part of this one, because both are stored in the state itself.
  func contains(_ other: PartPlace) -> Bool {
    guard let bytes, let inner = other.bytes, bytes.contains(inner) else { return false }
    // A struct with a single field has the same bytes as the field. Only the text of a key path shows which properties
    // it leads through.
    return bytes != inner
      || valueType != other.valueType && String(reflecting: other.keyPath).hasPrefix(String(reflecting: keyPath) + ".")
  }

  /// Returns `true` if the two are known to have nothing in common.
  func isApart(from other: PartPlace) -> Bool {
    guard let bytes, let others = other.bytes else { return false }
    return !bytes.overlaps(others)
  }

  private var valueType: Any.Type { type(of: keyPath as AnyKeyPath).valueType }
}
