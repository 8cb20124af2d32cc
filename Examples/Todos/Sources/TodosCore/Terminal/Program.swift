import Arbor
import ArborPersistence
import Foundation

/// The whole program: makes the store, whose list is stored in a folder, and executes commands until `quit` or the end
/// of the input.
public enum Program {
  /// Runs the program with its arguments, and returns its exit status.
  public static func run(arguments: [String]) async -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      Terminal.write("\(Options.usage)\n\(Command.overview)\n")
      return 0
    }
    guard let options = Options(arguments) else {
      Terminal.writeError("\(Options.usage)\n")
      return 2
    }
    do {
      tellOldFile(beside: options.folder)
      let observation = Observation(options)
      let (factory, storage) = try await makeKeptStore(
        in: options.folder,
        interceptors: [answering],
        monitors: observation.monitors
      ) { note in Terminal.complain("todos: \(options.folder): \(note)") }
      endWhenRefused(factory)
      Screen().follow(factory.rootStore())
      var session = Session(factory: factory)
      await session.run()
      // `endWhenRefused(_:)` reports an error of closing like any other problem of the storage.
      try? await storage.close()
      _ = factory.state
      observation.finish()
      return 0
    } catch {
      Terminal.complain("todos: \(error)")
      return 2
    }
  }

  /// Mentions the file of an older version of the program once: when there is no folder yet.
  private static func tellOldFile(beside folder: String) {
    let oldFile = "todos.jsonl"
    let isThere = FileManager.default.fileExists(atPath:)
    guard folder == Options.usualFolder, isThere(oldFile), !isThere(folder) else { return }
    Terminal.complain("todos: \(oldFile) was written by an older version, and this version cannot read it")
  }

  /// Answers each action after it was reduced: messages go after the waiting actions.
  private static let answering = Interceptor<AppState, AppAction> { action, context in
    // An import that has ended meanwhile is not canceled any more.
    if case .importing(.cancel) = action, context.state.importing == .idle { return .drop }
    if let message = Message(answering: action) { context.emit(message) }
    return .pass
  }

  /// Ends the program if a change could not be written.
  private static func endWhenRefused(_ factory: StoreFactory<AppState, AppAction>) {
    factory.rootStore().observe(activities: StorageError.self) { problem in
      guard case .refused(_, let reason) = problem else { return Terminal.complain("todos: \(problem)") }
      // A change that is not on the disk must reach neither the state nor the screen, so the program cannot continue.
      Terminal.complain("todos: the change was not made, because it could not be stored: \(reason ?? problem)")
      exit(2)
    }.storeWhileSourceActive()
  }
}
