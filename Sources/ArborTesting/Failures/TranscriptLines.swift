/// The lines of a text, which are equal if their bytes are.
struct TranscriptLines {
  private typealias Line = ArraySlice<UInt8>

  private static let width = 160

  private let lines: [Line]

  /// Splits a text; one line's end at its end does not count.
  init(_ text: String) {
    let end = UInt8(ascii: "\n")
    var bytes = Array(text.utf8)[...]
    if bytes.last == end { bytes.removeLast() }
    lines = bytes.isEmpty ? [] : bytes.split(separator: end, omittingEmptySubsequences: false)
  }

  var count: Int { lines.count }

  /// The number of lines at the beginning that both have.
  func commonPrefix(with other: TranscriptLines) -> Int {
    zip(lines, other.lines).prefix { $0 == $1 }.count
  }

  /// The number of lines at the end that both have, not counting those at the beginning.
  func commonSuffix(with other: TranscriptLines, after prefix: Int) -> Int {
    zip(lines[prefix...].reversed(), other.lines[prefix...].reversed()).prefix { $0 == $1 }.count
  }

  /// The number of characters at the beginning of a line that both have.
  func commonPrefix(with other: TranscriptLines, inLine index: Int) -> Int {
    guard index < count, index < other.count else { return 0 }
    return zip(text(index), other.text(index)).prefix { $0 == $1 }.count
  }

  /// A range of lines with their numbers.
  ///
  /// - Parameters:
  ///   - mark: The text at the beginning of each line.
  ///   - limit: The greatest number of lines; a last line counts the others.
  ///   - column: A character that is seen in the first line, however long that is.
  func shown(_ mark: String, _ range: Range<Int>, limit: Int = .max, from column: Int = 0) -> [String] {
    let seen = range.prefix(limit)
    let shown = seen.map { index in
      "\(mark) \(index + 1): \(excerpt(text(index), from: index == range.lowerBound ? column : 0))"
    }
    return shown + (seen.count < range.count ? ["\(mark) … \(range.count - seen.count) more"] : [])
  }

  private func text(_ index: Int) -> String {
    String(decoding: lines[index], as: UTF8.self).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  private func excerpt(_ text: String, from column: Int) -> String {
    guard text.count > Self.width else { return text }
    let start = column < Self.width ? 0 : column - Self.width / 4
    let part = text.dropFirst(start).prefix(Self.width)
    return (start > 0 ? "…" : "") + part + (start + part.count < text.count ? "…" : "")
  }
}
