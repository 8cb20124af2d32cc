import Arbor
import Foundation

/// The whole program: opens the file, makes the store, and obeys commands until `quit` or the end of the input.
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
      let journal = try Journal(path: options.file)
      let list = try journal.replay { note in Terminal.complain("todos: \(note)") }
      let observation = Observation(options)
      let factory = StoreFactory(
        initialState: AppState(list: list),
        feature: Feature<AppState, AppAction>.combined(
          Feature(interceptors: [saving(in: journal), answering], reducer: nil),
          appFeature(readTexts: Importer.readTexts)
        ),
        monitors: observation.monitors
      )
      Screen().follow(factory.rootStore())
      var session = Session(factory: factory)
      await session.run()
      observation.finish()
      return 0
    } catch {
      Terminal.complain("todos: \(error)")
      return 2
    }
  }

  /// Answers each action, once it was reduced: messages go behind what is waiting.
  private static let answering = Interceptor<AppState, AppAction> { action, context in
    // An import that has ended meanwhile is not cancelled any more.
    if case .importing(.cancel) = action, context.state.importing == .idle { return .drop }
    if let message = Message(answering: action) { context.emit(message) }
    return .pass
  }

  /// Writes each change to the file before it is reduced, and so before it is answered.
  private static func saving(in journal: Journal) -> Interceptor<AppState, AppAction> {
    Interceptor { action, _ in
      if case .list(let change) = action { save(change, in: journal) }
      return .pass
    }
  }

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
