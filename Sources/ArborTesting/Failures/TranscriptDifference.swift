/// The place at which a text begins to differ from the one that a transcript's file keeps, with an excerpt of both.
///
/// - `-` is what the file has, `+` what the text has; each line with its number.
/// - Short: a few lines before and after the difference, the first lines of it, and a part of long lines. `…` stands
///   for what is left out of the difference or of a line.
/// - Control characters are written out, so that no difference is invisible for them.
package struct TranscriptDifference: Sendable, Hashable {
  /// The number of the first line that differs, from 1.
  package let line: Int

  /// The excerpt of both texts to show.
  package let lines: [String]

  private static let context = 2
  private static let limit = 6

  /// Compares two texts, byte by byte, but for one line's end at their ends; nil if nothing differs.
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
  /// All of its lines.
  package var description: String { lines.joined(separator: "\n") }
}
