/// Access to one part of a larger state, in place where that is possible.
@usableFromInline
package enum FeaturePart<Whole: Sendable, Part: Sendable>: Sendable {
  /// A part that is stored in the state itself, at an offset in bytes.
  case stored(at: Int)

  /// A part that is computed, or stored in an object.
  case computed(any WritableKeyPath<Whole, Part> & Sendable)
  case optionalStored(at: Int)
  case optionalComputed(any WritableKeyPath<Whole, Part?> & Sendable)

  /// The value of a case of an enum.
  case enumCase(embed: @Sendable (Part) -> Whole, extract: @Sendable (Whole) -> Part?)

  @inlinable
  package init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self = MemoryLayout<Whole>.offset(of: path).map { .stored(at: $0) } ?? .computed(path)
  }

  @inlinable
  init(optional path: any WritableKeyPath<Whole, Part?> & Sendable) {
    self = MemoryLayout<Whole>.offset(of: path).map { .optionalStored(at: $0) } ?? .optionalComputed(path)
  }

  /// `true` if the part may be missing.
  @inlinable var isOptional: Bool {
    switch self {
    case .stored, .computed: false
    case .optionalStored, .optionalComputed, .enumCase: true
    }
  }

  /// `true` if a change assigns the part, as its setter does: it may have side effects, so nothing is changed in vain.
  @inlinable package var isAssigned: Bool {
    switch self {
    case .computed, .optionalComputed: true
    case .stored, .optionalStored, .enumCase: false
    }
  }

  /// Changes the part in place. Returns `false` if it is missing: then the body is not called.
  @inlinable
  package func change(_ whole: inout Whole, _ body: (inout Part) -> Void) -> Bool {
    switch self {
    case .stored(let offset):
      withUnsafeMutablePointer(to: &whole) { whole in
        body(&(UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self).pointee)
      }
      return true
    case .computed(let path):
      body(&whole[keyPath: path])
      return true
    case .optionalStored(let offset):
      return withUnsafeMutablePointer(to: &whole) { whole in
        FeaturePart.change(&(UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part?.self).pointee, body)
      }
    case .optionalComputed(let path):
      // Not assigned if it is missing: a setter may have side effects.
      guard whole[keyPath: path] != nil else { return false }
      return FeaturePart.change(&whole[keyPath: path], body)
    case .enumCase(let embed, let extract):
      return withUnsafeMutablePointer(to: &whole) { whole in
        guard var part = extract(whole.pointee) else { return false }
        // Released first, so that the part is the only owner of what it contains, and is changed without a copy.
        whole.deinitialize(count: 1)
        body(&part)
        whole.initialize(to: embed(part))
        return true
      }
    }
  }

  @inlinable @inline(__always)
  static func change(_ part: inout Part?, _ body: (inout Part) -> Void) -> Bool {
    guard part != nil else { return false }
    body(&part!)
    return true
  }

  /// Calls a body with the part; not at all if it is missing.
  @inlinable
  package func read(_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    switch self {
    case .stored(let offset):
      body((UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self))
    case .optionalStored(let offset):
      FeaturePart.read((UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part?.self).pointee, body)
    case .computed(let path): withUnsafePointer(to: whole.pointee[keyPath: path], body)
    case .optionalComputed(let path): FeaturePart.read(whole.pointee[keyPath: path], body)
    case .enumCase(_, let extract): FeaturePart.read(extract(whole.pointee), body)
    }
  }

  @inlinable
  static func read(_ part: Part?, _ body: (UnsafePointer<Part>) -> Void) {
    if let part { withUnsafePointer(to: part, body) }
  }
}
