/// Changes the part of a whole to which a key path leads; the part may be there at times only.
///
/// - A stored part of a struct is changed at its place in memory, as ``PartReader`` reads it. Any other is read, and assigned only
///   if the change has taken place: to assign it may do anything.
@usableFromInline
struct PartWriter<Whole, Part>: Sendable {
  private enum Path: Sendable {
    case always(any WritableKeyPath<Whole, Part> & Sendable)
    case optional(any WritableKeyPath<Whole, Part?> & Sendable)
  }

  private let path: Path

  /// How far into the whole the part begins, in bytes; nil if it is computed, or elsewhere.
  private let offset: Int?

  @usableFromInline
  init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self.path = .always(path)
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  @usableFromInline
  init(optional path: any WritableKeyPath<Whole, Part?> & Sendable) {
    self.path = .optional(path)
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  /// `true` if the part is not always there.
  @usableFromInline var isOptional: Bool {
    if case .optional = path { true } else { false }
  }

  /// Makes a change of the part.
  ///
  /// - Parameter change: Is called with nil where there is no part.
  @usableFromInline
  func write(_ whole: UnsafeMutableRawPointer?, _ change: StateWrite) -> Bool {
    guard let whole else { return change(nil) }
    switch path {
    case .always(let path):
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
