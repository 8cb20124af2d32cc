internal import Synchronization

/// A value that is compared in constant time: by a stamp that is a new one after every change.
///
/// ```swift
/// struct AppState: Equatable {
///   @Stamped var items: [Item] = []
/// }
/// store.observe(removeDuplicates: .equatable) { state in … }  // however many items there are
/// store.observe(removeDuplicates: .by(\.$items)) { state in … }
/// ```
///
/// - It is the wrapper that is compared so: the state as a whole, or `$items`. A key path to `items` leads to the value itself.
/// - Two that are equal hold the same value: one is a copy of the other, and neither was changed since. Two copies that were
///   changed apart from each other are never equal, not even where their values are.
/// - Whoever might have changed the value gets a new stamp, also if it is the same as before: by assigning it, by passing it
///   `inout`, or by calling a mutating method.
/// - A stamp is unique in the process and is not encoded: what was decoded twice is not equal.
/// - A test store sees through stamps: there two are equal if what they hold is.
/// - A change is made in place, and costs the taking of a number more; it copies the value only where it is shared.
@propertyWrapper
public struct Stamped<Value> {
  private var value: Value
  @usableFromInline private(set) var identity = Identity()

  /// Makes one with a stamp of its own.
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// The value.
  public var wrappedValue: Value {
    get { value }
    _modify {
      // Also if the change throws.
      defer { identity = Identity() }
      yield &value
    }
  }

  /// The wrapper itself, which is equal to its copies for as long as they are not changed.
  public var projectedValue: Stamped { self }

  /// The number by which values are compared; greater than all that were taken before.
  package var stamp: UInt64 { identity.number }
}

extension Stamped: Sendable where Value: Sendable {}

extension Stamped: Hashable {
  /// `true` if both have the same stamp, and so the same value. Does not look at the values.
  @inlinable
  public static func == (left: Stamped, right: Stamped) -> Bool {
    left.identity.number == right.identity.number || StampedContents.isCompared && left.hasEqualContents(to: right)
  }

  @usableFromInline
  func hasEqualContents(to other: Stamped) -> Bool {
    StampedContents.areEqual(value, other.value)
  }

  /// Hashes the stamp.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

extension Stamped: Encodable where Value: Encodable {
  /// Encodes the value alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Stamped: Decodable where Value: Decodable {
  /// Decodes a value, which gets a stamp of its own.
  public init(from decoder: any Decoder) throws {
    try self.init(wrappedValue: decoder.singleValueContainer().decode(Value.self))
  }
}

extension Stamped: CustomStringConvertible {
  /// The value's description.
  public var description: String { String(describing: value) }
}

extension Stamped: CustomReflectable {
  /// The value's mirror: the stamp says nothing to a reader.
  public var customMirror: Mirror { Mirror(reflecting: value) }
}

/// Compares ``Stamped`` values by what they hold while a body runs, and not by their stamps alone: for the verdicts of tests.
///
/// - So `==` decides of a state, whoever wrote it, also where the state was decoded or changed twice in the same way.
/// - It holds on the thread that runs the body. Everywhere else, and at any other time, stamps decide: the cost is then that of
///   reading a number, where they differ.
/// - What stamps are hashed to is not changed: in sets and as keys they stay what they are.
@usableFromInline
package enum StampedContents {
  @TaskLocal private static var areEqual: (@Sendable (Any, Any) -> Bool)?

  /// How many bodies run at this moment.
  private static let running = Atomic<Int>(0)

  /// Runs a body.
  ///
  /// - Parameter areEqual: Tells whether two values are equal that have different stamps.
  package static func compared<Result>(
    by areEqual: @escaping @Sendable (_ left: Any, _ right: Any) -> Bool,
    _ body: () throws -> Result
  ) rethrows -> Result {
    running.add(1, ordering: .relaxed)
    defer { running.subtract(1, ordering: .relaxed) }
    return try $areEqual.withValue(areEqual, operation: body)
  }

  /// `true` while a body runs anywhere.
  @usableFromInline
  static var isCompared: Bool {
    // True to the letter: it reads a number. Without it the compiler has to think that reading releases what is compared, and
    // would retain both values for each comparison, at ten times the cost.
    @_effects(readonly) get { running.load(ordering: .relaxed) > 0 }
  }

  /// `true` if two values that have different stamps count as equal here and now.
  static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    areEqual?(left, right) ?? false
  }
}
