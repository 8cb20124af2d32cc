import Arbor

/// Prints the messages of a store.
struct Screen: Sendable {
  var isTerminal = Terminal.isOutput
  var write: @Sendable (_ text: String) -> Void = { Terminal.write($0) }
  var complain: @Sendable (_ sentence: String) -> Void = { Terminal.complain($0) }

  /// Prints each message from now on, as long as the store lives.
  func follow(_ store: Store<AppState, AppAction>) {
    store.observe(activities: Message.self) { message in show(message, of: store) }.storeWhileSourceActive()
  }

  private func show(_ message: Message, of store: Store<AppState, AppAction>) {
    switch message {
    case .line(let line): print([line])
    case .list:
      guard let shown = store.select(AppState.shown), let counts = store.select(AppState.statistics) else { return }
      let lines = shown.map { todo in "[\(todo.isDone ? "x" : " ")] \(todo.id) \(todo.text)" }
      print(lines + ["\(counts.done) of \(counts.items) done"])
    case .statistics:
      guard let counts = store.select(AppState.statistics) else { return }
      print(["\(counts.items) items, \(counts.done) done, \(counts.active) active"])
    case .progress(let lines):
      if isTerminal { write("\(Screen.clearLine)importing: \(lines) lines") }
    case .help: print(Command.overview.split(separator: "\n").map(String.init))
    case .error(let reason):
      if isTerminal { write(Screen.clearLine) }
      complain("error: \(reason)")
    }
  }

  /// Prints lines above the progress of an import, if there is one.
  private func print(_ lines: [String]) {
    write((isTerminal ? Screen.clearLine : "") + lines.map { "\($0.escaped)\n" }.joined())
  }

  private static let clearLine = "\r\u{1B}[K"
}
