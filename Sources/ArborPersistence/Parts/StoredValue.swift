internal import Arbor

internal import struct Foundation.Data

/// A stored value of any version, with the coding that can read it.
package struct StoredValue: Sendable {
  let version: Int
  let bytes: [UInt8]
  let differences: [[UInt8]]
  let coding: any StorageCoding

  /// - Parameter declared: The coding of new values: that of the stored ones, unless it was exchanged.
  /// - Throws: ``StoredValueError/unknownCoding(_:)``.
  package init(
    version: Int,
    bytes: [UInt8],
    differences: [[UInt8]] = [],
    coding name: String,
    declared: any StorageCoding
  ) throws(StoredValueError) {
    guard let coding = [declared, .json, .binary].first(where: { $0.name == name }) else {
      throw .unknownCoding(name)
    }
    (self.version, self.bytes, self.differences, self.coding) = (version, bytes, differences, coding)
  }

  /// Decodes the value and applies what has changed in it since.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try coding.decode(type, from: Data(bytes))
    guard !differences.isEmpty else { return value }
    guard let type = type as? any DifferenceCodable.Type else { throw StoredValueError.unknownDifferences }
    func apply<Table: DifferenceCodable>(_: Table.Type) throws -> Table {
      var table = value as! Table
      for bytes in differences { try table.apply(coding.decode(Table.Difference.self, from: Data(bytes))) }
      return table
    }
    return try apply(type) as! Value
  }
}

/// The reason why a stored value cannot be read, apart from what decoding says.
public enum StoredValueError: Error, Hashable, Sendable {
  /// There is no migration from the stored version.
  case noMigration(from: Int, to: Int)

  /// It was written by a coding of another name than the declared one, and is neither JSON nor binary.
  case unknownCoding(String)

  /// It was written as what differs from another value, which its type cannot read.
  case unknownDifferences
}

extension StoredValueError: CustomStringConvertible {
  /// The reason, as one sentence.
  public var description: String {
    switch self {
    case .noMigration(let old, let new): "there is no migration from version \(old) to version \(new)"
    case .unknownCoding(let name): "it was written by the coding \"\(name)\", which is not the declared one"
    case .unknownDifferences: "it was written as what has changed in a table, and the declared type is none"
    }
  }
}
