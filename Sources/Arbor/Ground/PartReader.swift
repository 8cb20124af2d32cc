/// Reads the part of a value to which a key path leads.
///
/// - A stored part of a struct is read from its place in memory. Key paths find it by interpreting themselves, which takes
///   ten times as long.
@usableFromInline
package struct PartReader<Whole, Part>: Sendable {
  private let path: any KeyPath<Whole, Part> & Sendable

  /// How far into the value the part begins, in bytes; nil if it is computed, or elsewhere.
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
