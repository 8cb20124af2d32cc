public import Foundation
public import struct Foundation.Data

/// A conversion of values to bytes and back: JSON by default, a compact binary form, or your own.
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
/// - Both functions are called on queues of the storage. If actions are written ahead, they are also called on the
///   queue of the tree. Several calls may run at the same time.
/// - Neither function may wait for a store or a storage, which may be waiting for that very function.
/// - The name is stored with each value. A value of another coding is reported, and never passed to a coding that could
///   misread it. If you change the form of a coding, change its name. The JSON and the binary form of this module can
///   always be read, regardless of the declared coding.
/// - Errors of encoding are reported as ``StorageError/cannotEncode(_:path:reason:)``. Errors of decoding are listed in
///   the ``LoadReport``, and the bytes are kept aside.
public protocol StorageCoding: Sendable {
  /// The name that is stored with each value; by default the name of the type.
  var name: String { get }

  /// Returns the bytes of a value.
  ///
  /// - Parameter value: The value.
  /// - Throws: Any error, if the value can't be encoded. Nothing of the value is saved in this case.
  func encode(_ value: some Encodable) throws -> Data

  /// Returns the value that is encoded in bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them.
  /// - Throws: Any error, if the bytes don't encode such a value.
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
/// - The checksums of the files cover the transformed bytes.
/// - The name includes the transformation, as in `json+sealed`, so bytes are never passed to a coding without it. If
///   you replace the transformation, stored values can't be read, and are kept aside.
public struct TransformedCoding: StorageCoding {
  /// The name that is stored with each value.
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
  /// - Throws: The errors of the coding and of the transformation.
  public func encode(_ value: some Encodable) throws -> Data { try transform(coding.encode(value)) }

  /// Returns the value that is encoded in transformed bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them.
  /// - Throws: The errors of the coding and of the inverse transformation.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try coding.decode(type, from: undo(data))
  }
}

extension StorageCoding {
  /// Makes a coding that transforms the bytes of this one.
  ///
  /// - Parameters:
  ///   - name: The name of the transformation, which is stored with each value.
  ///   - transform: Transforms the bytes of a value. Called on queues of the storage.
  ///   - undo: Returns the bytes of a value from its transformed bytes. If it throws, the value can't be read.
  public func transformed(
    as name: String,
    by transform: @escaping @Sendable (_ data: Data) throws -> Data,
    undoing undo: @escaping @Sendable (_ data: Data) throws -> Data
  ) -> TransformedCoding {
    TransformedCoding(self, name, transform, undo)
  }
}

/// A coding that writes JSON with sorted keys, so that equal values have equal bytes.
///
/// ```swift
/// let todos = Persisted(\AppState.todos, as: "todos", coding: JSONCoding(userInfo: [localeKey: "en"]))
/// ```
///
/// - Sets, and dictionaries whose keys are neither strings nor integers, are written in the order of their iteration,
///   which can differ each time.
/// - Numbers that JSON can't represent (infinity, NaN) are an error, as in `JSONEncoder`. Dates are written as seconds
///   since 2001, which preserves them exactly.
/// - Values can be at most 512 levels deep; each `Codable` value and each container is one level. Deeper values are an
///   error in both directions. Values of more than 64 levels are coded on a thread with a larger stack, which doesn't
///   see task-local values.
/// - The coding calls a value's `encode(to:)` an additional time before encoding, with an empty coding path, to measure
///   its depth.
public struct JSONCoding: StorageCoding {
  /// The name that is stored with each value: `json`.
  public var name: String { "json" }

  // Used by several threads at once, which both types allow: they have no state except their options.
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Makes the coding.
  ///
  /// - Parameter userInfo: The `userInfo` of the encoder and the decoder, for your types that read it.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    encoder.userInfo = userInfo
    decoder.userInfo = userInfo
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns the JSON of a value, as UTF-8.
  ///
  /// - Parameter value: The value, at most 512 levels deep.
  /// - Throws: `EncodingError` with the path, if the value is too deep or can't be represented in JSON, such as
  ///   infinity.
  public func encode(_ value: some Encodable) throws -> Data {
    try JSONDepth.encode(value, encoder.userInfo) { try encoder.encode(value) }
  }

  /// Returns the value that is encoded in JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The JSON, as UTF-8.
  /// - Throws: `DecodingError` with the path, if the bytes aren't JSON of such a value, or are nested too deeply.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDepth.decode(data) { try decoder.decode(type, from: data) }
  }
}

extension StorageCoding where Self == JSONCoding {
  /// JSON; see ``JSONCoding``.
  public static var json: JSONCoding { JSONCoding() }
}

/// A compact and fast binary coding whose types can evolve as with JSON.
///
/// - Fields are found by their names: you can add an optional field, remove a field, or reorder fields, and stored
///   values can still be read. Each name is written once per value, regardless of the number of objects that use it.
/// - An integer of any width can be decoded as any integer type that it fits, and as `Double` if that represents it
///   exactly. `Double` and `Float` preserve each bit, even of infinities and NaN. `Data` and `[UInt8]` are written as
///   bytes.
/// - Equal values have equal bytes: dictionaries whose keys are strings or integers are sorted. Sets and other
///   dictionaries are written in the order of their iteration, which can differ each time.
/// - Any bytes can be decoded safely: damaged ones result in a `DecodingError` or in another value, and need at most a
///   multiple of their size in memory. The coding doesn't detect damage, so pass it the bytes of an intact frame.
/// - Values can be at most 512 levels deep; deeper values are an error in both directions. Values of more than 64
///   levels are coded a second time, on a thread with a larger stack, which doesn't see task-local values.
/// - A container or decoder throws an error if it is used after the call.
public struct BinaryCoding: StorageCoding {
  /// The name that is stored with each value: `binary`.
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

  /// Returns the value that is encoded in bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The bytes, as ``encode(_:)`` returns them. Any other bytes result in an error or in another value.
  /// - Throws: `DecodingError` if the bytes don't encode such a value, and the errors of the value itself.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try BinaryReader.decode(type, from: data)
  }
}

extension StorageCoding where Self == BinaryCoding {
  /// A compact and fast binary coding; see ``BinaryCoding``.
  public static var binary: BinaryCoding { BinaryCoding() }
}
