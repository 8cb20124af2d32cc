public import Foundation

/// JSON, with sorted keys, so that equal values have equal bytes.
///
/// - Sets, and dictionaries whose keys are neither strings nor integers, are written in the order in which they are gone
///   through, which is not the same each time.
/// - Numbers that JSON cannot write (infinity, NaN) are an error, as `JSONEncoder` says. Dates are seconds since
///   2001, which keep each as it is.
/// - Values are at most 512 levels deep, each `Codable` value and each container in it being one; deeper ones are an error
///   both ways. Those of more than 64 are coded on a thread with a larger stack, which does not see task-local values.
/// - To find out how deep a value is, its `encode(to:)` is called once before the one that writes it, with an empty coding path.
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
  /// - Parameter value: The value, at most 512 levels deep.
  /// - Throws: `EncodingError` for a value that has no JSON, such as a number that is infinite, or is too deep, with the path.
  public func encode(_ value: some Encodable) throws -> Data {
    try JSONDepth.encode(value, encoder.userInfo) { try encoder.encode(value) }
  }

  /// Returns the value of JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The JSON, as UTF-8.
  /// - Throws: `DecodingError` if the bytes are no JSON of such a value, or are too deep, with the path.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDepth.decode(data) { try decoder.decode(type, from: data) }
  }
}

extension StorageCoding where Self == JSONCoding {
  /// JSON; see ``JSONCoding``.
  public static var json: JSONCoding { JSONCoding() }
}
