public import struct Foundation.Data

/// A compact and fast binary form, which may evolve as JSON may.
///
/// - Fields are found by their names: one may be added as an optional, removed, or moved without breaking what is stored.
///   The names are written once for each value, whatever the number of objects that have them.
/// - Integers of all widths are decoded as any integer type that they fit, and as `Double` if it has them exactly. `Double`
///   and `Float` keep each bit, of infinities and NaN as well. `Data` and `[UInt8]` are bytes.
/// - Equal values have equal bytes: dictionaries with keys that are strings or integers are sorted. Sets and other
///   dictionaries are written in the order in which they are gone through, which is not the same each time.
/// - Any bytes may be decoded: damaged ones are a `DecodingError` or another value, and need no more memory than a
///   multiple of their number. It does not tell whether bytes are damaged; give it those of a frame that is whole.
/// - Values are at most 512 levels deep; deeper ones are an error both ways. Those of more than 64 are done again on a thread
///   with a larger stack, which does not see task-local values.
/// - A container or decoder that is kept beyond the call throws.
public struct BinaryCoding: StorageCoding {
  /// The name that is kept with each value: `binary`.
  public var name: String { "binary" }

  /// Makes the coding.
  public init() {}

  /// Returns the bytes of a value.
  ///
  /// - Parameter value: The value, at most 512 levels deep.
  /// - Throws: `EncodingError` for a value that is too deep, and the errors of the value itself.
  public func encode(_ value: some Encodable) throws -> Data {
    try BinaryWriter.encode(value)
  }

  /// Returns the value of bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them; any others are an error or another value.
  /// - Throws: `DecodingError` if the bytes are none of such a value, and the errors of the value itself.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try BinaryReader.decode(type, from: data)
  }
}

extension StorageCoding where Self == BinaryCoding {
  /// A compact and fast binary form; see ``BinaryCoding``.
  public static var binary: BinaryCoding { BinaryCoding() }
}
