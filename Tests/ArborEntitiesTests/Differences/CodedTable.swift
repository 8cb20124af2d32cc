import Arbor
import ArborEntities
import Foundation

extension EntityTable where Element: Codable {
  /// Returns the table after encoding and decoding, which has other slots.
  func recoded() throws -> EntityTable {
    try JSONDecoder().decode(EntityTable.self, from: JSONEncoder().encode(self))
  }

  /// Returns the difference from an older version after encoding and decoding.
  func recodedDifference(from older: EntityTable) throws -> CodableEntityDifference<Element>? {
    guard let difference = codableDifference(from: older) else { return nil }
    return try JSONDecoder().decode(
      CodableEntityDifference<Element>.self,
      from: JSONEncoder().encode(difference)
    )
  }

  /// Returns the older version, encoded and decoded, with the difference applied; `nil` if there is no difference.
  func remade(from older: EntityTable) throws -> EntityTable? {
    guard let difference = try recodedDifference(from: older) else { return nil }
    var table = try older.recoded()
    try table.apply(difference)
    table.checkInvariants()
    return table
  }

  /// Returns the difference from an older version as text; `nil` if there is none.
  func differenceText(from older: EntityTable) throws -> String? {
    guard let difference = codableDifference(from: older) else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(difference), as: UTF8.self)
  }

  /// Applies a difference given as text.
  mutating func apply(text: String) throws {
    try apply(JSONDecoder().decode(CodableEntityDifference<Element>.self, from: Data(text.utf8)))
  }
}
