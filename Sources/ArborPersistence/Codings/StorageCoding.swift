public import Foundation
public import struct Foundation.Data

/// A way to turn values into bytes and back: by default JSON; a compact binary form, or any other.
///
/// ```swift
/// struct PropertyListCoding: StorageCoding {
///   func encode(_ value: some Encodable) throws -> Data { try PropertyListEncoder().encode(value) }
///
///   func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
///     try PropertyListDecoder().decode(type, from: data)
///   }
/// }
/// ```
///
/// - Both functions are called on queues of the storage, and where actions are written ahead on that of the tree; several
///   calls may run at the same time.
/// - Neither may wait for a store or a storage: they may wait for what the function is to return.
/// - The name is kept with each value: a value of another coding is told, and never handed to a coding that would take
///   it for its own. Give a coding another name when its form changes. What JSON and the binary form of this module have
///   written is read whatever coding is declared.
/// - Errors of encoding are ``StorageError/cannotEncode(_:path:reason:)``; errors of decoding are told in the
///   ``LoadReport``, and the bytes are kept aside.
public protocol StorageCoding: Sendable {
  /// The name that is kept with each value; by default that of the type.
  var name: String { get }

  /// Returns the bytes of a value.
  ///
  /// - Parameter value: The value.
  /// - Throws: Any error, if the value cannot be encoded. Nothing of it is saved then.
  func encode(_ value: some Encodable) throws -> Data

  /// Returns the value of bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them.
  /// - Throws: Any error, if the bytes are none of such a value.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension StorageCoding {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}

/// A coding whose bytes are transformed: encrypted, compressed, or both.
///
/// ```swift
/// let sealed = JSONCoding().transformed(as: "sealed", by: { try seal($0, key) }, undoing: { try open($0, key) })
/// let notes = Persisted(\AppState.notes, as: "notes", coding: sealed)
/// ```
///
/// - The checksums of the files are those of the transformed bytes.
/// - The name has the transformation in it, as `json+sealed`: bytes are never handed to a coding without it. Where it was
///   exchanged, what is stored cannot be read, and is kept aside.
public struct TransformedCoding: StorageCoding {
  /// The name that is kept with each value.
  public let name: String

  private let coding: any StorageCoding
  private let transform: @Sendable (Data) throws -> Data
  private let undo: @Sendable (Data) throws -> Data

  fileprivate init(
    _ coding: any StorageCoding,
    _ name: String,
    _ transform: @escaping @Sendable (Data) throws -> Data,
    _ undo: @escaping @Sendable (Data) throws -> Data
  ) {
    self.coding = coding
    self.name = coding.name + "+" + name
    self.transform = transform
    self.undo = undo
  }

  /// Returns the transformed bytes of a value.
  ///
  /// - Parameter value: The value.
  /// - Throws: The errors of the coding, and of the transformation.
  public func encode(_ value: some Encodable) throws -> Data { try transform(coding.encode(value)) }

  /// Returns the value of transformed bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them.
  /// - Throws: The errors of the coding, and of the transformation that undoes.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try coding.decode(type, from: undo(data))
  }
}

extension StorageCoding {
  /// Makes a coding that transforms the bytes of this one.
  ///
  /// - Parameters:
  ///   - name: The name of the transformation, which is kept with each value.
  ///   - transform: Transforms the bytes of a value. Called on queues of the storage.
  ///   - undo: Makes the bytes of a value of transformed ones. Any error of it is one of reading the value.
  public func transformed(
    as name: String,
    by transform: @escaping @Sendable (_ data: Data) throws -> Data,
    undoing undo: @escaping @Sendable (_ data: Data) throws -> Data
  ) -> TransformedCoding {
    TransformedCoding(self, name, transform, undo)
  }
}

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
    try BinaryNode.encode(value)
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
