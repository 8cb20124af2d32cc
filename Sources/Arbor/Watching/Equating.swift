/// A comparison that finds values equal to the last one that a subscriber received.
///
/// - Only the compared part is kept: `.by(\.count)` keeps a number, not the state that contains it.
public struct Equating<Value: Sendable>: Sendable {
  /// Makes a function that returns `true` if a value equals the last one, and else keeps the value's compared part.
  @usableFromInline let makeDuplicateCheck: @Sendable () -> @Sendable (Value) -> Bool

  @inlinable
  init<Part: Sendable>(
    _ project: @escaping @Sendable (Value) -> Part,
    _ areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) {
    makeDuplicateCheck = {
      let last = LastValue<Part>()
      return { value in
        let part = project(value)
        if let old = last.value, areEqual(old, part) { return true }
        last.value = part
        return false
      }
    }
  }

  /// Compares a part of the values; a key path literal converts: `.by(\.count)`.
  @inlinable
  public static func by<Part: Equatable & Sendable>(_ part: @escaping @Sendable (_ value: Value) -> Part) -> Equating {
    Equating(part) { $0 == $1 }
  }

  /// Compares values with a closure that returns `true` if they count as equal.
  @inlinable
  public static func by(_ areEqual: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Equating {
    Equating({ $0 }, areEqual)
  }
}

extension Equating where Value: Equatable {
  /// Compares whole values by `==`.
  @inlinable
  public static var equatable: Equating { Equating.by { $0 == $1 } }
}

extension Equating {
  /// Compares tuples element by element, such as the state of a child store that composes two states.
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

/// A value that is kept from one call to the next, for calls that never run at the same time.
@usableFromInline
final class LastValue<Value: Sendable>: @unchecked Sendable {  // One delivery or derived value uses it, serially.
  @usableFromInline
  @exclusivity(unchecked)
  var value: Value?

  @inlinable
  init() {}
}
