extension BinaryTag {
  /// A kind of values, in words.
  enum Kind: String {
    case null
    case absent = "nothing"
    case bool = "a truth value"
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
