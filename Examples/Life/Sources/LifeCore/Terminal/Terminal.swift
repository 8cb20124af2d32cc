import Foundation

/// The terminal of the process, while a game is played in it.
///
/// - Use it from one thread.
final class Terminal {
  /// `true` if standard input and output are a terminal.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// `true` after a signal has requested the end of the process.
  static var isInterrupted: Bool { interruption != 0 }

  private var before = termios()
  private var shown: [String] = []

  /// `false` after the terminal is gone.
  private(set) var isOpen = true

  /// Takes over the terminal: another screen, single keys, and no cursor.
  init() {
    tcgetattr(STDIN_FILENO, &before)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number) { interruption = $0 } }
    var settings = before
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
  }

  /// Restores the terminal.
  func leave() {
    write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  var size: Size {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Size(columns: Int(size.ws_col), rows: Int(size.ws_row)) : Size(columns: 80, rows: 24)
  }

  /// The bytes received since the last call.
  func readBytes() -> [UInt8] {
    var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count == 0 { isOpen = false }
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Shows lines: writes those that differ from the shown ones.
  func show(_ lines: [String]) {
    if lines.count != shown.count { (shown, clearing) = ([], "\u{1B}[2J") }
    var text = clearing
    for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    (shown, clearing) = (lines, "")
    // A terminal that supports these marks shows the whole frame at once.
    if !text.isEmpty { write("\u{1B}[?2026h\(text)\u{1B}[?2026l") }
  }

  private var clearing = ""

  private func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      isOpen = false
    }
  }
}

/// The signal that has requested the end of the process; 0 if there is none. The signal's handler writes it, and it is
/// read once per frame.
private nonisolated(unsafe) var interruption: sig_atomic_t = 0
