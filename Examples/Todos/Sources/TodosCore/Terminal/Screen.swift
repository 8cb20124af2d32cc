import Arbor

/// Prints what each action leaves to print.
struct Screen: Sendable {
  var isTerminal = Terminal.isOutput
  var write: @Sendable (_ text: String) -> Void = { Terminal.write($0) }
  var complain: @Sendable (_ sentence: String) -> Void = { Terminal.complain($0) }

  /// Prints what is left to print in a store's state, until the end of the program.
  ///
  /// - It need not remember what it has printed: each action is a step, and each step calls an observer exactly once.
  func follow(_ store: Store<AppState, AppAction>) {
    store.scope(to: \.output).subscribe(
      observer: Observer { output in
        show(output, of: store)
        return output == .end ? .dead : .active
      }
    )
  }

  private func show(_ output: Output, of store: Store<AppState, AppAction>) {
    switch output {
    case .nothing, .end: break
    case .line(let line): print(line)
    case .list:
      guard let shown = store.select(AppState.shown), let counts = store.select(AppState.statistics) else { return }
      let lines = shown.map { todo in "[\(todo.isDone ? "x" : " ")] \(todo.id) \(todo.text)" }
      print((lines + ["\(counts.done) of \(counts.items) done"]).joined(separator: "\n"))
    case .statistics:
      guard let counts = store.select(AppState.statistics) else { return }
      print("\(counts.items) items, \(counts.done) done, \(counts.active) active")
    case .progress(let lines):
      if isTerminal { write("\(Screen.clearLine)importing: \(lines) lines") }
    case .help: print(Command.overview)
    case .error(let reason):
      if isTerminal { write(Screen.clearLine) }
      complain("error: \(reason)")
    }
  }

  /// Prints lines, over the progress of an import if there is one.
  private func print(_ text: String) {
    write("\(isTerminal ? Screen.clearLine : "")\(text)\n")
  }

  private static let clearLine = "\r\u{1B}[K"
}
