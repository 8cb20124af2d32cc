import Foundation

/// Restores the terminal at the end of the program, even after a crash.
///
/// - A signal handler may only use two system calls, and memory that was allocated before.
enum TerminalRestorer {
  /// The signals of a crash.
  private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Records the terminal's settings. From then on, they are restored after a crash and at the end of the program.
  @MainActor
  static func arm(_ settings: termios) {
    RestorerMemory.settings.pointee = settings
    // Created now, because a signal handler must not create it.
    _ = RestorerMemory.leaving.count
    RestorerMemory.isArmed.pointee = 1
    guard !isInstalled else { return }
    isInstalled = true
    atexit { restoreTerminal() }
    for number in crashes {
      var action = sigaction()
      #if os(Linux)
        action.__sigaction_handler.sa_handler = restoreAndDie
      #else
        action.__sigaction_u.__sa_handler = restoreAndDie
      #endif
      sigaction(number, &action, RestorerMemory.actions + Int(number))
    }
  }

  /// Restores the terminal, unless that has already been done.
  static func restore() {
    restoreTerminal()
  }

  @MainActor private static var isInstalled = false
}

/// The memory of the signal handlers, which exists as long as the process.
private enum RestorerMemory {
  // Unsafe: written on the main actor before the terminal is taken over, and read by any code that ends the program.
  nonisolated(unsafe) static let settings = allocated(1, termios())
  nonisolated(unsafe) static let isArmed = allocated(1, sig_atomic_t(0))
  nonisolated(unsafe) static let actions = allocated(64, sigaction())

  /// The sequences that restore styles, pastes, wrapping, the cursor and the screen.
  nonisolated(unsafe) static let leaving = UnsafeBufferPointer(
    start: UnsafePointer(allocated(text.count, UInt8(0)) { $0.update(from: text, count: text.count) }),
    count: text.count
  )
  private static let text = Array("\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  private static func allocated<Value>(
    _ count: Int,
    _ value: Value,
    _ fill: (UnsafeMutablePointer<Value>) -> Void = { _ in }
  ) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: count)
    pointer.initialize(repeating: value, count: count)
    fill(pointer)
    return pointer
  }
}

private func restoreTerminal() {
  guard RestorerMemory.isArmed.pointee == 1 else { return }
  RestorerMemory.isArmed.pointee = 0
  _ = write(STDOUT_FILENO, RestorerMemory.leaving.baseAddress, RestorerMemory.leaving.count)
  tcsetattr(STDIN_FILENO, TCSANOW, RestorerMemory.settings)
}

/// Restores the terminal, and lets the signal have its default effect.
private func restoreAndDie(_ number: Int32) {
  restoreTerminal()
  sigaction(number, RestorerMemory.actions + Int(number), nil)
  raise(number)
}
