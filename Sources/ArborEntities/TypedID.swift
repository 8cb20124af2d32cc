public import Arbor

/// An id that belongs to one type of records, so that you cannot confuse the id of an author with the id of a book.
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
/// - It is hashed, compared, encoded and written as a literal like its raw value.
public struct TypedID<Owner, Raw: Hashable & Sendable>: Sendable {
  /// The raw value of the id.
  public let rawValue: Raw

  /// Makes an id from a raw value.
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
  /// Makes an id from a raw value.
  @inlinable
  public init(rawValue: Raw) {
    self.init(rawValue)
  }
}

extension TypedID: TypedRawID {
  package var anyRawValue: Any { rawValue }
  package var unmirroredContent: Any { rawValue }
}

/// A typed id is confidential if its raw value is.
extension TypedID: Confidential where Raw: Confidential {}

extension TypedID: Comparable where Raw: Comparable {
  /// `true` if the first raw value is less than the second.
  @inlinable
  public static func < (left: TypedID, right: TypedID) -> Bool { left.rawValue < right.rawValue }
}

extension TypedID: CustomStringConvertible {
  /// The raw value as text, for users: `"Order \(order.id)"` is "Order 7".
  public var description: String { "\(rawValue)" }
}

extension TypedID: DebugShown {
  /// The owner's name and the raw value, for programmers: `Author(7)`. Logs, differences and collections show ids like
  /// this.
  public var debugDescription: String { "\(Owner.self)(\(rawValue))" }
}

extension TypedID: CustomReflectable {
  /// A mirror without children, so that the id is dumped as its debug description.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TypedID: Encodable where Raw: Encodable {
  /// Encodes only the raw value.
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
  /// The coding key of the raw value, so that dictionaries by id are encoded like dictionaries by raw value.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Makes an id from the coding key of a raw value.
  ///
  /// - Parameter codingKey: The coding key. If no raw value has this key, the initializer returns nil.
  public init?(codingKey: some CodingKey) {
    guard let rawValue = Raw(codingKey: codingKey) else { return nil }
    self.init(rawValue)
  }
}

extension TypedID: ExpressibleByIntegerLiteral where Raw: ExpressibleByIntegerLiteral {
  /// Makes an id from an integer literal.
  @inlinable
  public init(integerLiteral value: Raw.IntegerLiteralType) {
    self.init(Raw(integerLiteral: value))
  }
}

extension TypedID: ExpressibleByUnicodeScalarLiteral where Raw: ExpressibleByUnicodeScalarLiteral {
  /// Makes an id from a literal of one Unicode scalar.
  @inlinable
  public init(unicodeScalarLiteral value: Raw.UnicodeScalarLiteralType) {
    self.init(Raw(unicodeScalarLiteral: value))
  }
}

extension TypedID: ExpressibleByExtendedGraphemeClusterLiteral where Raw: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Makes an id from a literal of one character.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: Raw.ExtendedGraphemeClusterLiteralType) {
    self.init(Raw(extendedGraphemeClusterLiteral: value))
  }
}

extension TypedID: ExpressibleByStringLiteral where Raw: ExpressibleByStringLiteral {
  /// Makes an id from a string literal.
  @inlinable
  public init(stringLiteral value: Raw.StringLiteralType) {
    self.init(Raw(stringLiteral: value))
  }
}

extension TypedID: ExpressibleByStringInterpolation where Raw: ExpressibleByStringInterpolation {
  /// Makes an id from a string literal with interpolated values.
  ///
  /// - Parameter stringInterpolation: The text and the values of the literal, in the form of the raw value's type.
  @inlinable
  public init(stringInterpolation: Raw.StringInterpolation) {
    self.init(Raw(stringInterpolation: stringInterpolation))
  }
}
