public import struct Foundation.Data

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
