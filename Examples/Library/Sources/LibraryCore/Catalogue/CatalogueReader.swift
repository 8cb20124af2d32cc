import Foundation

/// Reads a catalog piece by piece: JSON lines, one object per line.
///
/// - The time is linear in the length of the file. Lines longer than ``CatalogueLine/longest`` are not kept, so that
///   the memory is bounded for any file.
/// - It is a value, so that code that reads a piece on another thread returns the reader for the next piece.
struct CatalogueReader: Sendable {
  /// The length of the file in bytes; nil if it isn't a regular file, but a pipe or a terminal.
  let length: Int?

  private(set) var bytes = 0
  private var lines = 0
  private var isAtEnd = false

  /// The line whose end has not been read.
  private(set) var line = CatalogueLine()
  private let file: FileHandle

  /// Opens a catalog: a file, or standard input for `-`.
  init(path: String) throws {
    file = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var status = stat()
    let isRegular = fstat(file.fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    length = isRegular ? Int(status.st_size) : nil
  }

  /// The rows of the next piece, about a thousand or possibly none; nil at the end.
  mutating func next() throws -> [CatalogueRow]? {
    guard !isAtEnd else { return nil }
    let piece = try file.read(upToCount: CatalogueReader.pieceLength) ?? Data()
    bytes += piece.count
    isAtEnd = piece.isEmpty
    var rows: [CatalogueRow] = []
    func endLine() {
      lines += 1
      if let entry = line.entry { rows.append(CatalogueRow(line: lines, entry: entry)) }
      line = CatalogueLine()
    }
    let parts = piece.split(separator: CatalogueReader.newline, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { endLine() }
      line.append(part)
    }
    if isAtEnd { endLine() }
    return rows
  }

  private static let pieceLength = 1 << 17
  private static let newline = UInt8(ascii: "\n")
}
