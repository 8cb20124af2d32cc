/// A reader of the part of a value at a key path.
///
/// - A stored property of a struct is read directly from memory. To read it through the key path takes ten times as
///   long, because key paths are interpreted.
@usableFromInline
package struct PartReader<Whole, Part>: Sendable {
  private let path: any KeyPath<Whole, Part> & Sendable

  /// The offset of the part in the value, in bytes; nil if the part is computed, or stored in an object.
  @usableFromInline let offset: Int?

  @usableFromInline
  package init(_ path: any KeyPath<Whole, Part> & Sendable) {
    self.path = path
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  @inlinable
  package func callAsFunction(_ whole: Whole) -> Part {
    guard let offset else { return readByPath(whole) }
    return withUnsafeBytes(of: whole) { bytes in
      bytes.baseAddress.unsafelyUnwrapped.advanced(by: offset).assumingMemoryBound(to: Part.self).pointee
    }
  }

  @usableFromInline
  func readByPath(_ whole: Whole) -> Part {
    whole[keyPath: path]
  }
}
