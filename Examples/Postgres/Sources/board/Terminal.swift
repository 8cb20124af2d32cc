import BoardCore
import Foundation

/// The terminal of the process, which the board fills after ``enter()``.
@MainActor
final class Terminal {
  /// `true` if standard input and output are a terminal that can move its cursor.
  static var isThere: Bool {
    let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !name.isEmpty && name != "dumb"
  }

  /// The sequence that shows the alternate screen.
  private static let otherScreen = "\u{1B}[?1049h"

  /// The sequences that turn off line wrapping, and turn on marks around pasted text.
  private static let modes = "\u{1B}[?7l\u{1B}[?2004h"

  /// `true` unless the user has turned colors off; see no-color.org.
  private let hasColors = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  private var isEntered = false

  /// The shown frame; nil if it is unknown.
  private var shown: Frame?

  /// `false` after a write has failed.
  private(set) var isOpen = true

  var size: Size {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Size(columns: Int(size.ws_col), rows: Int(size.ws_row)) : Size(columns: 80, rows: 24)
  }

  /// Takes over the terminal: keys arrive when they are pressed. Call it again to repair changes made by other programs.
  func enter() {
    var settings = termios()
    if !isEntered {
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      TerminalRestorer.arm(settings)
      isEntered = true
      write(Self.otherScreen)
    }
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    write(Self.modes)
    shown = nil
  }

  /// Restores the terminal.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    TerminalRestorer.restore()
  }

  /// Draws the differences between a frame and the shown one.
  func draw(_ frame: Frame) {
    guard isEntered, frame != shown else { return }
    write(frame.drawing(over: shown, hasColors: hasColors))
    shown = frame
  }

  /// Makes the next drawing draw the whole frame, regardless of the shown one.
  func forget() {
    shown = nil
  }

  private func write(_ text: String) {
    if !StandardStreams.write(text, to: STDOUT_FILENO) { isOpen = false }
  }
}
