/// Changes the part of a whole to which a key path leads; the part may be there at times only.
///
/// - A stored part of a struct is changed at its place in memory, as ``PartReader`` reads it.
@usableFromInline
struct PartWriter<Whole, Part>: Sendable {
  private enum Path: Sendable {
    case always(any WritableKeyPath<Whole, Part> & Sendable)
    case atTimes(any WritableKeyPath<Whole, Part?> & Sendable)
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
    self.path = .atTimes(path)
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  /// Makes a change of the part.
  ///
  /// - Parameter change: Is called with nil where there is no part.
  @usableFromInline
  func write(_ whole: UnsafeMutableRawPointer?, _ change: Change) -> Bool {
    guard let whole else { return change(nil) }
    switch path {
    case .always(let path):
      if let offset { return change(whole + offset) }
      return withUnsafeMutablePointer(to: &whole.assumingMemoryBound(to: Whole.self).pointee[keyPath: path]) {
        change($0)
      }
    case .atTimes(let path):
      if let offset { return write(&(whole + offset).assumingMemoryBound(to: Part?.self).pointee, change) }
      let whole = whole.assumingMemoryBound(to: Whole.self)
      // Looked at first: where there is nothing, nothing is assigned.
      return whole.pointee[keyPath: path] == nil ? change(nil) : write(&whole.pointee[keyPath: path], change)
    }
  }

  private func write(_ part: inout Part?, _ change: Change) -> Bool {
    part == nil ? change(nil) : withUnsafeMutablePointer(to: &part!) { change($0) }
  }
}
