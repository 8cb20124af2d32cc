internal import ArborSync
internal import Foundation

extension LogSnapshot {
  /// Reads the snapshot in the first row.
  init(_ rows: PostgresRows, position: Int) throws(LogError) {
    guard
      let text = rows.text(2), let numbers = try? JSONDecoder().decode([LogClient: Int].self, from: Data(text.utf8)),
      let version = rows.number(3), let bytes = rows.data(4)
    else { throw .refused("the snapshot at position \(position) has an unknown format") }
    self.init(position: position, numbers: numbers, version: version, bytes: bytes)
  }

  /// Returns the numbers as JSON.
  func numbersText() throws(LogError) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(numbers), as: UTF8.self)
    } catch {
      throw .refused("the numbers of the snapshot cannot be encoded: \(error)")
    }
  }
}
