/// A value that is compared in constant time, by a stamp that every change replaces.
///
/// ```swift
/// struct AppState: Equatable {
///   @Stamped var items: [Item] = []
/// }
/// store.observe(removeDuplicates: .equatable) { state in … }  // however many items there are
/// store.observe(removeDuplicates: .by(\.$items)) { state in … }
/// ```
///
/// - The wrapper is compared by its stamp, either as `$items` or as a part of the whole state. The key path `\.items`
///   leads to the value, which is compared by value.
/// - Two equal wrappers hold the same value: one is a copy of the other, and neither has changed since. Two copies that
///   were changed separately are never equal, even if their values are.
/// - Any access that may change the value gives the wrapper a new stamp, even if the value stays equal: an assignment,
///   passing it `inout`, or a mutating method.
/// - A stamp is unique in the process and isn't encoded: two values decoded from the same data aren't equal.
/// - A test store compares the values instead of the stamps.
/// - A change is made in place and costs one additional atomic increment. The value is only copied if it is shared.
@propertyWrapper
public struct Stamped<Value> {
  private var value: Value
  @usableFromInline private(set) var identity = Identity()

  /// Makes a wrapper of a value, with a new stamp.
  ///
  /// - Parameter wrappedValue: The value to wrap.
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// The wrapped value; any access that may change it makes a new stamp.
  public var wrappedValue: Value {
    get { value }
    _modify {
      // In a `defer`, so that a change that throws also makes a new stamp.
      defer { identity = Identity() }
      yield &value
    }
  }

  /// The wrapper itself, which is equal to its copies as long as none of them is changed.
  public var projectedValue: Stamped { self }

  /// The number by which wrappers are compared. It is greater than every number taken earlier.
  package var stamp: UInt64 { identity.number }
}

extension Stamped: Sendable where Value: Sendable {}

extension Stamped: Hashable {
  /// Returns `true` if both have the same stamp, and so the same value. Only test stores compare the values.
  @inlinable
  public static func == (left: Stamped, right: Stamped) -> Bool {
    left.identity.number == right.identity.number || StampedContents.isComparing && left.hasEqualContents(to: right)
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
  /// Encodes the value, without the stamp.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Stamped: Decodable where Value: Decodable {
  /// Decodes a value, with a new stamp.
  public init(from decoder: any Decoder) throws {
    try self.init(wrappedValue: decoder.singleValueContainer().decode(Value.self))
  }
}

extension Stamped: CustomStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: value) }
}

extension Stamped: CustomReflectable {
  /// The mirror of the value, without the stamp.
  public var customMirror: Mirror { Mirror(reflecting: value) }
}

extension Stamped: MirroredOtherwise {
  package var unmirroredContent: Any { value }
}

/// A comparison of ``Stamped`` wrappers by their values instead of their stamps while a body runs, for tests.
///
/// - A user-written `==` of a state then works even for states that were decoded or changed separately in the same way.
/// - It applies on the thread that runs the body. Everywhere else, stamps decide: if stamps differ, the comparison
///   costs the reading of one number.
/// - The hash of a wrapper is always the hash of its stamp, even in sets and as a key.
@usableFromInline
package enum StampedContents {
  @TaskLocal private static var areEqual: (@Sendable (Any, Any) -> Bool)?

  /// The number of bodies that are running.
  private static let running = AtomicNumber(0)

  /// Runs a body in which wrappers with different stamps are compared by their values.
  ///
  /// - Parameter areEqual: Returns `true` if two values are equal whose wrappers have different stamps.
  package static func compared<Result>(
    by areEqual: @escaping @Sendable (_ left: Any, _ right: Any) -> Bool,
    _ body: () throws -> Result
  ) rethrows -> Result {
    running.add(1)
    defer { running.subtract(1) }
    return try $areEqual.withValue(areEqual, operation: body)
  }

  /// `true` while a body runs on any thread.
  @usableFromInline
  static var isComparing: Bool {
    // Safe, because the getter only reads a number. Without the attribute, the compiler must assume that the getter may
    // release the compared values. It would then retain both for each comparison, at ten times the cost.
    @_effects(readonly) get { running.loadRelaxed() > 0 }
  }

  /// Returns `true` if two values whose wrappers have different stamps are equal in the running body; `false` outside a
  /// body.
  static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    areEqual?(left, right) ?? false
  }
}
