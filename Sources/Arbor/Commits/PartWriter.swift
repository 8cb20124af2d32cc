/// Changes the part of a whole to which a key path leads; the part may be optional.
///
/// - A stored part of a struct is changed at its place in memory, where ``PartReader`` reads it, too. Any other part is
///   read, changed, and assigned only if the change has taken place, because a setter may have side effects.
@usableFromInline
struct PartWriter<Whole, Part>: Sendable {
  private enum Path: Sendable {
    case unconditional(any WritableKeyPath<Whole, Part> & Sendable)
    case optional(any WritableKeyPath<Whole, Part?> & Sendable)
  }

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

  /// `true` if the part is optional.
  @usableFromInline var isOptional: Bool {
    if case .optional = path { true } else { false }
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
      if let offset { return write(&(whole + offset).assumingMemoryBound(to: Part?.self).pointee, change) }
      return write(whole, path) { part in write(&part, change) }
    }
  }

  private func write(_ part: inout Part?, _ change: StateWrite) -> Bool {
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
