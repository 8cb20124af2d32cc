import Arbor
import Foundation

/// The whole program: opens the file, makes the store, and obeys commands until `quit` or the end of the input.
public enum Program {
  /// Runs the program with its arguments, and returns its exit status.
  public static func run(arguments: [String]) async -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      Terminal.write("\(usage)\n\(Command.overview)\n")
      return 0
    }
    guard arguments.count < 2, arguments.first?.hasPrefix("-") != true else {
      Terminal.complain(usage)
      return 2
    }
    do {
      let journal = try Journal(path: arguments.first ?? "todos.jsonl")
      let list = try journal.replay { note in Terminal.complain("todos: \(note)") }
      let factory = StoreFactory(
        initialState: AppState(list: list),
        interceptor: interceptor(saving: journal),
        reducer: appReducer
      )
      Screen().follow(factory.rootStore())
      var session = Session(factory: factory)
      await session.run()
      return 0
    } catch {
      Terminal.complain("todos: \(error)")
      return 2
    }
  }

  private static let usage = "usage: todos [FILE] (without one: todos.jsonl)"

  /// The side effects: changes go to the file, and an import reads one.
  private static func interceptor(
    saving journal: Journal
  ) -> @Sendable (AppAction, @escaping @Sendable (AppAction) -> Void) -> Void {
    { action, dispatch in
      switch action {
      case .list(let action): save(action, in: journal)
      case .importing(let action): Importer.intercept(action, dispatch: dispatch)
      case .filter, .statistics, .editor, .help, .reject, .quit: break
      }
    }
  }

  /// Writes a change before it is reduced, and so before it is answered: interceptors run before reducers, and those
  /// before observers.
  private static func save(_ action: ListAction, in journal: Journal) {
    do {
      try journal.append(action)
    } catch {
      // What is not in the file must reach neither the state nor the screen, so there is nothing to go on with.
      Terminal.complain("todos: \(error)")
      exit(2)
    }
  }
}
