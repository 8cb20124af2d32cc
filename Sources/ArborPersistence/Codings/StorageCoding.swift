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
