import BoardCore
import Foundation

/// The terminal of the process, which the board fills while it is entered.
@MainActor
final class Terminal {
  /// `true` if a person sits at standard input and output, before a terminal that can move its cursor.
  static var isThere: Bool {
    let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !name.isEmpty && name != "dumb"
  }

  /// The sequence that shows another screen, beside the one of before.
  private static let otherScreen = "\u{1B}[?1049h"

  /// The sequences of no line wrapping, and of marks around what is pasted.
  private static let modes = "\u{1B}[?7l\u{1B}[?2004h"

  /// `true` unless the person wants no colors; see no-color.org.
  private let hasColors = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  private var isEntered = false

  /// The frame that is shown; nil if anything may be.
  private var shown: Frame?

  /// `false` once nothing can be written any more.
  private(set) var isOpen = true

  var size: Size {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Size(columns: Int(size.ws_col), rows: Int(size.ws_row)) : Size(columns: 80, rows: 24)
  }

  /// Takes the terminal: keys come as they are pressed. To take it again repairs what others have done to it.
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

  /// Gives the terminal back as it was.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    TerminalRestorer.restore()
  }

  /// Draws a frame: what is different from the one that is shown.
  func draw(_ frame: Frame) {
    guard isEntered, frame != shown else { return }
    write(frame.drawing(over: shown, hasColors: hasColors))
    shown = frame
  }

  /// Draws all of the next frame, whatever is shown.
  func forget() {
    shown = nil
  }

  private func write(_ text: String) {
    if !StandardStreams.write(text, to: STDOUT_FILENO) { isOpen = false }
  }
}
