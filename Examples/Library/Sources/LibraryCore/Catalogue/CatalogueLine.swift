import Foundation

/// A line of the catalogue, as much of it as was read.
struct CatalogueLine: Sendable {
  /// The bytes that a line may have.
  static let longest = 1 << 20

  private(set) var text = Data()
  private var isTooLong = false

  /// Adds what follows.
  mutating func append(_ part: Data) {
    isTooLong = isTooLong || text.count + part.count > CatalogueLine.longest
    if isTooLong { text = Data() } else { text += part }
  }

  /// The book of the whole line, or why it is none; nil if the line is blank.
  var entry: Result<CatalogueEntry, RowError>? {
    guard !isTooLong else { return .failure(.tooLong) }
    // The carriage return at the end of lines of other systems is white space, too.
    guard !text.allSatisfy(CatalogueLine.whiteSpace.contains) else { return nil }
    return Result { () throws(RowError) in try CatalogueEntry(line: text) }
  }

  private static let whiteSpace: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
}
