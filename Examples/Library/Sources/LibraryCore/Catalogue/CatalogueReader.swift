import Foundation

/// Reads a catalogue piece by piece: JSON lines, one object a line.
///
/// - A value, so that whoever reads a piece on another thread gives back the reader that goes on.
struct CatalogueReader: Sendable {
  /// How long the file is; nil if it is none, but a pipe.
  let length: Int?

  private(set) var bytes = 0
  private var lines = 0
  private var isAtEnd = false

  /// The beginning of a line whose end is still to be read.
  private var rest = Data()
  private let file: FileHandle

  /// Opens a catalogue: a file, or standard input for `-`.
  init(path: String) throws {
    file = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var status = stat()
    let isRegular = fstat(file.fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    length = isRegular ? Int(status.st_size) : nil
  }

  /// The rows of the next piece, about a thousand: maybe none, nil at the end.
  mutating func next() throws -> [CatalogueRow]? {
    guard !isAtEnd else { return nil }
    let piece = try file.read(upToCount: CatalogueReader.pieceLength) ?? Data()
    bytes += piece.count
    isAtEnd = piece.isEmpty
    guard let end = isAtEnd ? piece.endIndex : piece.lastIndex(of: CatalogueReader.newline) else {
      rest += piece
      return []
    }
    let whole = rest + piece[..<end]
    // A copy, so that the piece is not kept for the sake of its end.
    rest = isAtEnd ? Data() : Data(piece[(end + 1)...])
    return rows(of: whole)
  }

  private mutating func rows(of text: Data) -> [CatalogueRow] {
    var rows: [CatalogueRow] = []
    for line in text.split(separator: CatalogueReader.newline, omittingEmptySubsequences: false) {
      lines += 1
      // What a line ends with on other systems is white space, too.
      if line.allSatisfy(CatalogueReader.whiteSpace.contains) { continue }
      rows.append(CatalogueRow(line: lines, entry: Result { () throws(RowError) in try CatalogueEntry(line: line) }))
    }
    return rows
  }

  private static let pieceLength = 1 << 17
  private static let newline = UInt8(ascii: "\n")
  private static let whiteSpace: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
}
