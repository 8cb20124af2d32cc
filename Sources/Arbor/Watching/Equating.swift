/// How a subscriber tells that a value is the one it was given last.
///
/// - It keeps what it compares and nothing else: `.by(\.count)` keeps a number, not the state around it.
public struct Equating<Value: Sendable>: Sendable {
  /// Makes a function that remembers what it was given last, and says whether the next value equals it.
  @usableFromInline let makeMemory: @Sendable () -> @Sendable (Value) -> Bool

  @inlinable
  init<Part: Sendable>(
    _ project: @escaping @Sendable (Value) -> Part,
    _ areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) {
    makeMemory = {
      let last = LastValue<Part>()
      return { value in
        let part = project(value)
        if let old = last.value, areEqual(old, part) { return true }
        last.value = part
        return false
      }
    }
  }

  /// Values are the same if a part of them is equal; key path literals convert: `.by(\.count)`.
  @inlinable
  public static func by<Part: Equatable & Sendable>(_ part: @escaping @Sendable (_ value: Value) -> Part) -> Equating {
    Equating(part) { $0 == $1 }
  }

  /// Values are the same if a closure says so.
  @inlinable
  public static func by(_ areEqual: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Equating {
    Equating({ $0 }, areEqual)
  }
}

extension Equating where Value: Equatable {
  /// Values are the same if they are equal.
  @inlinable
  public static var equatable: Equating { Equating.by { $0 == $1 } }
}

extension Equating {
  /// Tuples are the same if all their elements are equal, as those of a child store that composes two states.
  @inlinable
  public static func equatableElements<each Element: Equatable & Sendable>() -> Equating
  where Value == (repeat each Element) {
    Equating.by { old, new in
      for (old, new) in repeat (each old, each new) {
        guard old == new else { return false }
      }
      return true
    }
  }
}

/// A value that is kept from one call to the next; calls never run at the same time.
@usableFromInline
final class LastValue<Value: Sendable>: @unchecked Sendable {  // One delivery has it, whose calls are serial.
  @usableFromInline
  @exclusivity(unchecked)
  var value: Value?

  @inlinable
  init() {}
}
