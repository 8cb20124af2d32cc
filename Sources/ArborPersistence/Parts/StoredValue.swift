internal import Arbor

internal import struct Foundation.Data

/// A stored value, with the coding that can read it.
struct StoredValue: Sendable {
  let bytes: [UInt8]
  let differences: [[UInt8]]
  let coding: any StorageCoding

  init(bytes: [UInt8], differences: [[UInt8]], coding: any StorageCoding) {
    (self.bytes, self.differences, self.coding) = (bytes, differences, coding)
  }

  /// - Parameter declared: The coding of new values: that of the stored ones, unless it was exchanged.
  /// - Throws: ``StoredValueError/Reason/unknownCoding(_:)``.
  init(
    bytes: [UInt8],
    differences: [[UInt8]],
    coding name: String,
    declared: any StorageCoding
  ) throws(StoredValueError.Reason) {
    guard let coding = [declared, .json, .binary].first(where: { $0.name == name }) else {
      throw .unknownCoding(name)
    }
    self.init(bytes: bytes, differences: differences, coding: coding)
  }

  /// Decodes the value and applies what has changed in it since.
  ///
  /// - Parameter initial: The value whose properties are taken where the stored one lacks them; nil if there is none.
  /// - Returns: The value, and the paths of what it lacked.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    over initial: (any Encodable)? = nil
  ) throws -> (value: Value, filled: Set<String>) {
    var filled: Set<String> = []
    func read<Part: Decodable>(_ type: Part.Type, _ bytes: [UInt8], over initial: (any Encodable)?) throws -> Part {
      do {
        return try coding.decode(type, from: Data(bytes))
      } catch DecodingError.keyNotFound {
        let (part, paths) = try Filling.decode(type, from: Data(bytes), coding, over: initial)
        filled.formUnion(paths)
        return part
      }
    }
    let value = try read(type, bytes, over: initial)
    guard !differences.isEmpty else { return (value, filled) }
    guard let type = type as? any DifferenceCodable.Type else { throw StoredValueError.Reason.unknownDifferences }
    func apply<Table: DifferenceCodable>(_: Table.Type) throws -> Table {
      var table = value as! Table
      for bytes in differences { try table.apply(read(Table.Difference.self, bytes, over: nil)) }
      return table
    }
    return (try apply(type) as! Value, filled)
  }
}
