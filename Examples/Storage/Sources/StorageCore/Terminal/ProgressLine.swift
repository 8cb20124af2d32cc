/// A line about the progress of reading, rewritten in place.
///
/// - It appears only on a terminal, and only if reading takes a while.
struct ProgressLine {
  /// The number of bytes that are read almost immediately.
  static let smallSize = 8 << 20

  private let isTerminal: Bool
  private let write: (String) -> Void
  private var percent: Int?

  init(isTerminal: Bool, write: @escaping (String) -> Void) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Shows how much was read.
  mutating func show(read: Int, of size: Int) {
    guard isTerminal, size > Self.smallSize else { return }
    let percent = read * 100 / size
    guard percent != self.percent else { return }
    self.percent = percent
    write("\(Self.clearing)\(Self.text(percent))")
  }

  private static func text(_ percent: Int) -> String {
    // The bytes were read, but not checked yet.
    guard percent < 100 else { return "checking" }
    return "reading \(percent < 10 ? "  " : " ")\(percent) %"
  }

  /// Clears the line.
  mutating func clear() {
    guard percent != nil else { return }
    percent = nil
    write(Self.clearing)
  }

  private static let clearing = "\r\u{1B}[K"
}
