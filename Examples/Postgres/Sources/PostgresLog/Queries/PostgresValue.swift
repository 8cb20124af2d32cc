internal import CPostgres
package import Foundation

/// A value of a query, in the binary form of its type.
package struct PostgresValue: Sendable {
  /// The maximum total number of bytes of actions or a snapshot. A message of the server's protocol cannot be much longer.
  static let longest = 1 << 29

  /// The identifier of a type, which is the same on all servers.
  private enum Kind: Oid {
    case bytes = 17
    case number = 20
    case text = 25
    case manyBytes = 1001
    case uuid = 2950
  }

  let type: Oid
  let bytes: [UInt8]

  private init(_ kind: Kind, _ bytes: [UInt8]) {
    type = kind.rawValue
    self.bytes = bytes
  }

  package static func text(_ text: String) -> PostgresValue { PostgresValue(.text, Array(text.utf8)) }

  package static func number(_ number: Int) -> PostgresValue { PostgresValue(.number, Int64(number).bigEndianBytes) }

  /// Makes a value from the bit pattern of an unsigned number.
  static func pattern(_ number: UInt64) -> PostgresValue { PostgresValue(.number, number.bigEndianBytes) }

  package static func uuid(_ id: UUID) -> PostgresValue {
    PostgresValue(.uuid, withUnsafeBytes(of: id.uuid) { Array($0) })
  }

  static func bytes(_ bytes: Data) -> PostgresValue { PostgresValue(.bytes, Array(bytes)) }

  /// Makes an array of bytes values.
  static func bytes(_ all: [Data]) -> PostgresValue {
    // The number of dimensions, a flag for nulls, and the type of the elements; then the dimension's length and first index.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.reduce(20) { $0 + 4 + $1.count })
    bytes += Int32(all.isEmpty ? 0 : 1).bigEndianBytes + Int32(0).bigEndianBytes + Kind.bytes.rawValue.bigEndianBytes
    if !all.isEmpty { bytes += Int32(all.count).bigEndianBytes + Int32(1).bigEndianBytes }
    for element in all {
      bytes += Int32(element.count).bigEndianBytes
      bytes += element
    }
    return PostgresValue(.manyBytes, bytes)
  }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
