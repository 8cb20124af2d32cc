/// The part of a state at a key path, which is read in place if possible.
///
/// - A stored property of a struct is used directly in memory. Using it through the key path takes ten times as long,
///   because key paths are interpreted.
@usableFromInline
package struct StatePart<Whole, Part>: Sendable {
  @usableFromInline let path: any KeyPath<Whole, Part> & Sendable

  /// The offset of the part in the state, in bytes; nil if the part is computed, or stored in an object.
  @usableFromInline let offset: Int?

  @usableFromInline
  package init(_ path: any KeyPath<Whole, Part> & Sendable) {
    self.init(path, at: MemoryLayout<Whole>.offset(of: path))
  }

  @inlinable
  init(_ path: any KeyPath<Whole, Part> & Sendable, at offset: Int?) {
    self.path = path
    self.offset = offset
  }

  @inlinable
  package func callAsFunction(_ whole: Whole) -> Part {
    guard let offset else { return whole[keyPath: path] }
    return withUnsafePointer(to: whole) { whole in
      (UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self).pointee
    }
  }

  /// Calls a body with the part.
  @inlinable
  package func read(_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    guard let offset else { return withUnsafePointer(to: whole.pointee[keyPath: path], body) }
    body((UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self))
  }
}

/// The part of a state at a key path, which is read and changed in place if possible.
@usableFromInline
package struct WritablePart<Whole, Part>: Sendable {
  @usableFromInline package let path: any WritableKeyPath<Whole, Part> & Sendable

  /// The offset of the part in the state, in bytes; nil if the part is computed, or stored in an object.
  @usableFromInline package let offset: Int?

  @usableFromInline
  package init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self.path = path
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  /// The part for reading.
  @inlinable package var reader: StatePart<Whole, Part> { StatePart(path, at: offset) }

  /// `true` if a change assigns the part through its setter. A setter may have side effects, so nothing is assigned
  /// without need.
  @inlinable package var isAssigned: Bool { offset == nil }

  /// Calls a body with the part.
  @inlinable
  package func read(_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    reader.read(whole, body)
  }

  /// Changes the part: in place if possible, otherwise through its setter, even if the body changes nothing.
  @inlinable
  package func change<Result>(_ whole: inout Whole, _ body: (inout Part) -> Result) -> Result {
    guard let offset else { return body(&whole[keyPath: path]) }
    return withUnsafeMutablePointer(to: &whole) { whole in
      body(&(UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self).pointee)
    }
  }

  /// Makes a change to the part that may fail, and returns `true` if it succeeded.
  ///
  /// - A part that a change assigns is read, changed, and only assigned if the change succeeded.
  @inlinable @inline(__always)
  package func write(_ whole: UnsafeMutablePointer<Whole>, _ change: (UnsafeMutablePointer<Part>) -> Bool) -> Bool {
    if let offset { return change((UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self)) }
    var part = whole.pointee[keyPath: path]
    guard withUnsafeMutablePointer(to: &part, change) else { return false }
    whole.pointee[keyPath: path] = part
    return true
  }
}
