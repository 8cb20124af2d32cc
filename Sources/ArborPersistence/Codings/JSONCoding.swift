public import Foundation

/// JSON, with sorted keys, so that equal values have equal bytes.
///
/// - Numbers that JSON cannot write (infinity, NaN) are an error, as `JSONEncoder` says; dates are seconds since 1970.
public struct JSONCoding: StorageCoding {
  /// The name that is kept with each value: `json`.
  public var name: String { "json" }

  /// Makes the coding.
  public init() {}

  /// Returns the JSON of a value, as UTF-8.
  public func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    return try encoder.encode(value)
  }

  /// Returns the value of JSON in UTF-8.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return try decoder.decode(type, from: data)
  }
}

extension StorageCoding where Self == JSONCoding {
  /// JSON; see ``JSONCoding``.
  public static var json: JSONCoding { JSONCoding() }
}
