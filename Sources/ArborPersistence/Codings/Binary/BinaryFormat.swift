/// The binary format of a value in ``BinaryCoding``.
///
/// | bytes | |
/// |---|---|
/// | 1 | the version: 1 |
/// | count | the length of the table of shapes |
/// | | the table of shapes |
/// | | the value |
///
/// The table of shapes:
///
/// | bytes | |
/// |---|---|
/// | count | the number of shapes |
/// | | for each shape: the count of its keys, and the keys |
///
/// A key begins with a count. If the name is new, the count is twice the length of its UTF-8, which follows. If the
/// name occurred before, the count is twice the number of that name, plus 1.
///
/// A value begins with a tag:
///
/// | tag | value | bytes that follow |
/// |---|---|---|
/// | 00–7F | the integer of the tag | |
/// | 80–BF | an object of shape 0–63 | the values of its keys |
/// | C0–DF | a string of 0–31 bytes | its UTF-8 |
/// | E0 | null | |
/// | E1 | the value of a key that is missing in the object | |
/// | E2, E3 | false, true | |
/// | E4–E8 | an integer of 0 or more | 1, 2, 4, 8 or 16 bytes |
/// | E9–ED | an integer below 0 | the complement of its bits, in 1, 2, 4, 8 or 16 bytes |
/// | EE | a `Float` | its bits, in 4 bytes |
/// | EF | a `Double` | its bits, in 8 bytes |
/// | F0 | a string | the count of its bytes, and its UTF-8 |
/// | F1 | bytes | their count, and the bytes |
/// | F2 | an array | the count of its elements, and the elements |
/// | F3 | a dictionary | the count of its entries; for each a string and a value |
/// | F4 | an object | the number of its shape, a count; the values of its keys |
///
/// - All numbers are little-endian. A count is written in groups of seven bits, the lowest first. The top bit of a byte
///   is set if another byte follows.
/// - Each value is at least one byte long, so a count can be checked against the number of remaining bytes.
enum BinaryFormat {
  static let version: UInt8 = 1

  /// The greatest depth of a value. Each `Codable` value and each container is one level.
  static let depthLimit = 512

  /// The greatest depth for which the smallest stacks, of half a megabyte, are large enough.
  static let depthLimitOfAnyStack = 64
}

/// The first byte of a value; see ``BinaryFormat``.
enum BinaryTag {
  static let firstShape: UInt8 = 0x80
  static let shortShapes = 64
  static let shortString: UInt8 = 0xC0
  static let shortStrings = 32
  static let null: UInt8 = 0xE0
  static let absent: UInt8 = 0xE1
  static let `false`: UInt8 = 0xE2
  static let `true`: UInt8 = 0xE3
  static let integer: UInt8 = 0xE4
  static let negative: UInt8 = 0xE9
  static let float: UInt8 = 0xEE
  static let double: UInt8 = 0xEF
  static let string: UInt8 = 0xF0
  static let bytes: UInt8 = 0xF1
  static let array: UInt8 = 0xF2
  static let dictionary: UInt8 = 0xF3
  static let object: UInt8 = 0xF4
}

extension BinaryTag {
  /// A kind of value, with its name in error messages.
  enum Kind: String {
    case null
    case absent = "nothing"
    case bool = "a Boolean"
    case number = "a number"
    case string = "a string"
    case bytes = "bytes"
    case array = "an array"
    case object = "an object"
    case unknown = "an unknown value"
  }

  static func kind(of tag: UInt8) -> Kind {
    switch tag {
    case firstShape..<shortString, dictionary, object: .object
    case shortString..<null, string: .string
    case null: .null
    case absent: .absent
    case `true`, `false`: .bool
    case bytes: .bytes
    case array: .array
    case 0..<firstShape, integer..<string: .number
    default: .unknown
    }
  }
}
