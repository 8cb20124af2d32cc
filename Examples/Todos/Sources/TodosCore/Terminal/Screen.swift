import Arbor

/// Prints what each action leaves to print.
struct Screen: Sendable {
  var isTerminal = Terminal.isOutput
  var write: @Sendable (_ text: String) -> Void = { Terminal.write($0) }
  var complain: @Sendable (_ sentence: String) -> Void = { Terminal.complain($0) }

  /// An observer of the whole state, which ends itself at the end of the program.
  ///
  /// - It need not remember what it has printed: each action is a step, and each step calls an observer exactly once.
  func observer() -> Observer<AppState> {
    Observer { state in
      show(state)
      return state.output == .end ? .dead : .active
    }
  }

  private func show(_ state: AppState) {
    switch state.output {
    case .nothing, .end: break
    case .line(let line): print(line)
    case .list: print(Screen.text(of: state.list, through: state.filter, state.statistics))
    case .statistics:
      let counts = state.statistics
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

  private static func text(of list: ListState, through filter: Filter, _ statistics: Statistics) -> String {
    var lines = list.todos.filter(filter.admits).map { todo in
      "[\(todo.isDone ? "x" : " ")] \(todo.id) \(todo.text)"
    }
    lines.append("\(statistics.done) of \(statistics.items) done")
    return lines.joined(separator: "\n")
  }
}
