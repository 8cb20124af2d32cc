public import Arbor

/// An id that belongs to one type of records, so that the id of an author is never taken for that of a book.
///
/// ```swift
/// struct Author: Identifiable {
///   let id: TypedID<Author, Int>
/// }
/// struct Book: Identifiable {
///   let id: TypedID<Book, String>
///   var author: Author.ID
/// }
/// let author: Author.ID = 7   // "\(author)" is "7"; logs and the debugger show Author(7)
/// ```
///
/// - As its raw value in all else: it is hashed, compared, encoded and written as a literal like that.
public struct TypedID<Owner, Raw: Hashable & Sendable>: Sendable {
  /// The raw value of which the id is made.
  public let rawValue: Raw

  /// Makes an id of a raw value.
  ///
  /// - Parameter rawValue: The raw value.
  @inlinable
  public init(_ rawValue: Raw) {
    self.rawValue = rawValue
  }
}

extension TypedID: Hashable {
  /// `true` if the raw values are equal.
  @inlinable
  public static func == (left: TypedID, right: TypedID) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the raw value.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }
}

extension TypedID: RawRepresentable {
  /// Makes an id of a raw value.
  @inlinable
  public init(rawValue: Raw) {
    self.init(rawValue)
  }
}

extension TypedID: TypedRawID {
  package var anyRawValue: Any { rawValue }
  package var unmirroredContent: Any { rawValue }
}

/// As confidential as its raw value.
extension TypedID: Confidential where Raw: Confidential {}

extension TypedID: Comparable where Raw: Comparable {
  /// `true` if the one raw value is less than the other.
  @inlinable
  public static func < (left: TypedID, right: TypedID) -> Bool { left.rawValue < right.rawValue }
}

extension TypedID: CustomStringConvertible {
  /// The raw value, for texts that users see: `"Order \(order.id)"` is "Order 7".
  public var description: String { "\(rawValue)" }
}

extension TypedID: DebugShown {
  /// The owner's name with the raw value, for programmers: `Author(7)`. Logs, differences and collections show ids like this.
  public var debugDescription: String { "\(Owner.self)(\(rawValue))" }
}

extension TypedID: CustomReflectable {
  /// A mirror without children, so that the id is dumped as its debug description.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TypedID: Encodable where Raw: Encodable {
  /// Encodes the raw value alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension TypedID: Decodable where Raw: Decodable {
  /// Decodes a raw value.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(Raw.self))
  }
}

extension TypedID: CodingKeyRepresentable where Raw: CodingKeyRepresentable {
  /// The raw value's key: so dictionaries by id are encoded as those by raw value.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Makes an id of a raw value's key.
  ///
  /// - Parameter codingKey: The coding key of a raw value; if it is that of none, the initializer returns nil.
  public init?(codingKey: some CodingKey) {
    guard let rawValue = Raw(codingKey: codingKey) else { return nil }
    self.init(rawValue)
  }
}

extension TypedID: ExpressibleByIntegerLiteral where Raw: ExpressibleByIntegerLiteral {
  /// Makes an id of a literal.
  @inlinable
  public init(integerLiteral value: Raw.IntegerLiteralType) {
    self.init(Raw(integerLiteral: value))
  }
}

extension TypedID: ExpressibleByUnicodeScalarLiteral where Raw: ExpressibleByUnicodeScalarLiteral {
  /// Makes an id of a literal.
  @inlinable
  public init(unicodeScalarLiteral value: Raw.UnicodeScalarLiteralType) {
    self.init(Raw(unicodeScalarLiteral: value))
  }
}

extension TypedID: ExpressibleByExtendedGraphemeClusterLiteral where Raw: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Makes an id of a literal.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: Raw.ExtendedGraphemeClusterLiteralType) {
    self.init(Raw(extendedGraphemeClusterLiteral: value))
  }
}

extension TypedID: ExpressibleByStringLiteral where Raw: ExpressibleByStringLiteral {
  /// Makes an id of a literal.
  @inlinable
  public init(stringLiteral value: Raw.StringLiteralType) {
    self.init(Raw(stringLiteral: value))
  }
}

extension TypedID: ExpressibleByStringInterpolation where Raw: ExpressibleByStringInterpolation {
  /// Makes an id of a literal with values in it.
  ///
  /// - Parameter stringInterpolation: The text and the values of the literal, as the type of the raw value keeps them.
  @inlinable
  public init(stringInterpolation: Raw.StringInterpolation) {
    self.init(Raw(stringInterpolation: stringInterpolation))
  }
}
