import Arbor
import ArborEntities
import ArborPersistence

/// Answers commands, one after the other.
struct Session: Sendable {
  let factory: StoreFactory<AppState, AppAction>

  /// The storage of the loans; nil if they are not stored.
  var storage: Storage?

  /// The clock of the program.
  let today: @Sendable () -> Day

  /// Runs the given commands, or reads commands from the input if there are none, until `quit` or the end.
  ///
  /// - Returns: `true` if everything succeeded; always `true` for commands that a person types.
  func run(_ commands: [String]) async -> Bool {
    var remaining = commands[...]
    var hasFailed = false
    while let line = commands.isEmpty ? Terminal.readLine(prompt: "> ") : remaining.popFirst() {
      do {
        guard let command = try Command(line) else { continue }
        guard let answer = try await answer(to: command) else { break }
        Terminal.write(lines: answer)
      } catch {
        Terminal.complain("error: \(error)")
        hasFailed = true
      }
    }
    return !hasFailed || commands.isEmpty && Terminal.isInput
  }

  /// Executes a command, and returns its output lines; nil if it ends the session.
  private func answer(to command: Command) async throws(LibraryError) -> [String]? {
    let library = factory.state.library
    switch command {
    case .find(let text): return list(library.books(matching: text).map(library.line), "found")
    case .byAuthor(let name): return list(try library.books(byAuthor: name).map(library.line), "found")
    case .loan(let book, let person, let days):
      let due = today() + days
      try await perform(.lend(book, to: person, until: due))
      return ["lent \(book.rawValue) to \(person) until \(due)"]
    case .return(let book):
      try await perform(.return(book))
      return ["returned \(book.rawValue)"]
    case .overdue(let day):
      return list(library.loans(dueBefore: day ?? today()).map(library.line), "overdue")
    case .help: return Command.overview.split(separator: "\n").map(String.init)
    case .quit: return nil
    }
  }

  private func perform(_ action: LendingAction) async throws(LibraryError) {
    await factory.dispatchAndWait(.lending(action))
    if let refusal = factory.state.refusal { throw refusal }
    do {
      try await storage?.flush()
    } catch {
      throw .notStored(error)
    }
  }

  private func list(_ lines: [String], _ what: String) -> [String] {
    lines + ["\(lines.count) \(what)"]
  }
}
