public import Foundation

/// JSON, with sorted keys, so that equal values have equal bytes.
///
/// - Sets, and dictionaries whose keys are neither strings nor integers, are written in the order in which they are gone
///   through, which is not the same each time.
/// - Numbers that JSON cannot write (infinity, NaN) are an error, as `JSONEncoder` says. Dates are seconds since
///   2001, which keep each as it is.
public struct JSONCoding: StorageCoding {
  /// The name that is kept with each value: `json`.
  public var name: String { "json" }

  // Used by several threads at once, which both allow: they have no state but their options.
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Makes the coding.
  ///
  /// - Parameter userInfo: The `userInfo` of the coders, for types of yours that read it.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    encoder.userInfo = userInfo
    decoder.userInfo = userInfo
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns the JSON of a value, as UTF-8.
  ///
  /// - Parameter value: The value.
  /// - Throws: `EncodingError` for a value that has no JSON, such as a number that is infinite.
  public func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }

  /// Returns the value of JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The JSON, as UTF-8.
  /// - Throws: `DecodingError` if the bytes are no JSON of such a value.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder.decode(type, from: data)
  }
}

extension StorageCoding where Self == JSONCoding {
  /// JSON; see ``JSONCoding``.
  public static var json: JSONCoding { JSONCoding() }
}
