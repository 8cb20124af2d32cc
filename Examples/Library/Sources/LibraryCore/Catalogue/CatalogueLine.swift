import Foundation

/// A line of the catalog, as far as it was read.
struct CatalogueLine: Sendable {
  /// The maximum number of bytes of a line.
  static let longest = 1 << 20

  private(set) var text = Data()
  private var isTooLong = false

  /// Adds the next part.
  mutating func append(_ part: Data) {
    isTooLong = isTooLong || text.count + part.count > CatalogueLine.longest
    if isTooLong { text = Data() } else { text += part }
  }

  /// The book in the whole line, or the reason why there is none; nil if the line is blank.
  var entry: Result<CatalogueEntry, RowError>? {
    guard !isTooLong else { return .failure(.tooLong) }
    // The carriage return at the end of lines on other systems is also white space.
    guard !text.allSatisfy(CatalogueLine.whiteSpace.contains) else { return nil }
    return Result { () throws(RowError) in try CatalogueEntry(line: text) }
  }

  private static let whiteSpace: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
}
