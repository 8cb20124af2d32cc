/// The place where a text begins to differ from a transcript's file, with an excerpt of both.
///
/// - `-` marks lines of the file, `+` lines of the text. Each line has its number.
/// - It is short: a few lines before and after the difference, its first lines, and a part of long lines. `…` stands
///   for omitted lines or parts of lines.
/// - Control characters are escaped, so that they cannot hide a difference.
package struct TranscriptDifference: Sendable, Hashable {
  /// The number of the first line that differs, counted from 1.
  package let line: Int

  /// The excerpt of both texts to show.
  package let lines: [String]

  private static let context = 2
  private static let limit = 6

  /// Compares two texts byte by byte, except for a line break at their ends; nil if they are equal.
  init?(from kept: String, to text: String) {
    let (old, new) = (TranscriptLines(kept), TranscriptLines(text))
    let prefix = old.commonPrefix(with: new)
    guard prefix < old.count || prefix < new.count else { return nil }
    let suffix = old.commonSuffix(with: new, after: prefix)
    let column = old.commonPrefix(with: new, inLine: prefix)
    line = prefix + 1
    lines =
      old.shown(" ", max(0, prefix - Self.context)..<prefix)
      + old.shown("-", prefix..<(old.count - suffix), limit: Self.limit, from: column)
      + new.shown("+", prefix..<(new.count - suffix), limit: Self.limit, from: column)
      + old.shown(" ", (old.count - suffix)..<min(old.count, old.count - suffix + Self.context))
  }
}

extension TranscriptDifference: CustomStringConvertible {
  /// All its lines.
  package var description: String { lines.joined(separator: "\n") }
}

/// The lines of a text. They are equal if their bytes are.
private struct TranscriptLines {
  private typealias Line = ArraySlice<UInt8>

  private static let width = 160

  private let lines: [Line]

  /// Splits a text into lines. A line break at its end does not count.
  init(_ text: String) {
    let end = UInt8(ascii: "\n")
    var bytes = Array(text.utf8)[...]
    if bytes.last == end { bytes.removeLast() }
    lines = bytes.isEmpty ? [] : bytes.split(separator: end, omittingEmptySubsequences: false)
  }

  var count: Int { lines.count }

  /// The number of common lines at the beginning.
  func commonPrefix(with other: TranscriptLines) -> Int {
    zip(lines, other.lines).prefix { $0 == $1 }.count
  }

  /// The number of common lines at the end, not counting those at the beginning.
  func commonSuffix(with other: TranscriptLines, after prefix: Int) -> Int {
    zip(lines[prefix...].reversed(), other.lines[prefix...].reversed()).prefix { $0 == $1 }.count
  }

  /// The number of common characters at the beginning of a line.
  func commonPrefix(with other: TranscriptLines, inLine index: Int) -> Int {
    guard index < count, index < other.count else { return 0 }
    return zip(text(index), other.text(index)).prefix { $0 == $1 }.count
  }

  /// Returns a range of lines with their numbers.
  ///
  /// - Parameters:
  ///   - mark: The text at the beginning of each line.
  ///   - limit: The maximum number of lines. A last line gives the number of the others.
  ///   - column: A character that must be visible in the first line, no matter how long the line is.
  func shown(_ mark: String, _ range: Range<Int>, limit: Int = .max, from column: Int = 0) -> [String] {
    let seen = range.prefix(limit)
    let shown = seen.map { index in
      "\(mark) \(index + 1): \(excerpt(text(index), from: index == range.lowerBound ? column : 0))"
    }
    return shown + (seen.count < range.count ? ["\(mark) … \(range.count - seen.count) more"] : [])
  }

  private func text(_ index: Int) -> String {
    ActionText.oneLine(String(decoding: lines[index], as: UTF8.self))
  }

  private func excerpt(_ text: String, from column: Int) -> String {
    guard text.count > Self.width else { return text }
    let start = column < Self.width ? 0 : column - Self.width / 4
    let part = text.dropFirst(start).prefix(Self.width)
    return (start > 0 ? "…" : "") + part + (start + part.count < text.count ? "…" : "")
  }
}
