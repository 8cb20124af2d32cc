/// A comparison that finds duplicates: it compares each new value with the last one that a subscriber received.
///
/// ```swift
/// store.observe(removeDuplicates: .by(\.draft) && .by(\.todos.count)) { state in … }
/// ```
///
/// - Only the compared part is kept: `.by(\.count)` keeps a number, not the state that contains it. The part is
///   released when the next one is compared: on the store's queue, in the step that changed it.
public struct Equating<Value: Sendable>: Sendable {
  /// Returns `true` if two values count as equal.
  @usableFromInline let areEqual: @Sendable (_ old: Value, _ new: Value) -> Bool

  /// Makes a check that keeps the compared part of the last value.
  @usableFromInline package let makeDuplicateCheck: @Sendable () -> DuplicateCheck<Value>

  init(
    areEqual: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool,
    makeDuplicateCheck: @escaping @Sendable () -> DuplicateCheck<Value>
  ) {
    self.areEqual = areEqual
    self.makeDuplicateCheck = makeDuplicateCheck
  }

  @inlinable
  init<Part: Sendable>(
    _ project: @escaping @Sendable (Value) -> Part,
    _ areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) {
    self.areEqual = { old, new in areEqual(project(old), project(new)) }
    makeDuplicateCheck = {
      let last = LastValue<Part>()
      return DuplicateCheck { value, isNew in
        let part = project(value)
        if !isNew, let old = last.value, areEqual(old, part) { return true }
        last.value = part
        return false
      }
    }
  }

  /// Compares a part of the values.
  ///
  /// - You can pass a key path literal: `.by(\.count)`.
  /// - Parameter part: Reads the compared part from a value.
  @inlinable
  public static func by<Part: Equatable & Sendable>(_ part: @escaping @Sendable (_ value: Value) -> Part) -> Equating {
    Equating(part) { $0 == $1 }
  }

  /// Compares a ``Stamped`` part of the values by its stamp: `.by(\.$items)`.
  ///
  /// - Only the stamp is kept. So the state has the only copy of the value, and reducers change it in place.
  /// - Parameter part: Reads the wrapper of the compared part from a value.
  @inlinable
  public static func by<Part: Sendable>(_ part: @escaping @Sendable (_ value: Value) -> Stamped<Part>) -> Equating {
    Equating({ part($0).identity.number }, ==)
  }

  /// Compares values with a closure.
  ///
  /// - Parameter areEqual: Returns `true` if two values count as equal; the first is the older one.
  @inlinable
  public static func by(_ areEqual: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Equating {
    Equating({ $0 }, areEqual)
  }
}

extension Equating {
  /// A comparison that finds all values equal, so that a subscriber only receives the first.
  public static var always: Equating { Equating({ _ in }, { _, _ in true }) }

  /// A comparison that finds all values different, so that a subscriber receives each one.
  public static var never: Equating { Equating({ _ in }, { _, _ in false }) }

  /// Returns a comparison that finds values equal if both of two comparisons do.
  ///
  /// - Each of them keeps its own part.
  /// - Parameters:
  ///   - left: The comparison that is called first.
  ///   - right: The comparison that is called for values that are equal by the first.
  public static func && (left: Equating, right: Equating) -> Equating {
    let areEqual: @Sendable (Value, Value) -> Bool = { left.areEqual($0, $1) && right.areEqual($0, $1) }
    return Equating(areEqual: areEqual) {
      let (left, right) = (left.makeDuplicateCheck(), right.makeDuplicateCheck())
      return DuplicateCheck { value, isNew in
        if !isNew, left(value), right(value) { return true }
        // Both keep the part of the same value, even the one that found it equal.
        left.keep(value)
        right.keep(value)
        return false
      }
    }
  }
}

extension Equating where Value: Equatable {
  /// A comparison of whole values by `==`.
  @inlinable
  public static var equatable: Equating { Equating.by { $0 == $1 } }
}

extension Equating {
  /// Returns a comparison of tuples, element by element, such as the state of a child store that composes two states.
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

/// A check for values that equal the last one, for calls that never run at the same time.
@usableFromInline
package struct DuplicateCheck<Value: Sendable>: Sendable {
  /// Returns `true` if a value equals the last one, unless it is known to be new. Otherwise it keeps the value's
  /// compared part.
  @usableFromInline let check: @Sendable (_ value: Value, _ isNew: Bool) -> Bool

  @inlinable
  init(check: @escaping @Sendable (_ value: Value, _ isNew: Bool) -> Bool) {
    self.check = check
  }

  /// Returns `true` if a value equals the last one. Otherwise the value becomes the last one.
  @inlinable
  package func callAsFunction(_ value: Value) -> Bool { check(value, false) }

  /// Makes a value the last one, even if it equals the previous one.
  @inlinable
  package func keep(_ value: Value) { _ = check(value, true) }
}

/// A value that is kept from one call to the next, for calls that never run at the same time.
@usableFromInline
final class LastValue<Value: Sendable>: Sendable {
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) var value: Value?

  @inlinable
  init() {}
}
