import Arbor
import ArborPersistence

/// The state of a program, with two parts that are stored and a selection that isn't.
struct Notebook: Equatable, Sendable {
  struct Settings: Codable, Equatable, Sendable {
    var theme = "light"
    var size = 12.0
  }

  var settings = Settings()
  var notes: [String] = []
  var selection: Int?
}

enum NotebookAction: Codable, Equatable, Sendable {
  case add(String)
  case theme(String)
  case size(Double)
  case select(Int?)
}

/// The parts of a notebook, and its reducer.
enum Notebooks {
  static let settings = Persisted(\Notebook.settings, as: "settings")
  static let notes = Persisted(\Notebook.notes, as: "notes")
  static let all = [settings, notes]

  static let feature = Feature<Notebook, NotebookAction> { state, action in
    switch action {
    case .add(let text): state.notes.append(text)
    case .theme(let name): state.settings.theme = name
    case .size(let size): state.settings.size = size
    case .select(let index): state.selection = index
    }
  }
}

/// A storage, and a store whose parts it saves.
struct OpenNotebook {
  let storage: Storage
  let store: StoreFactory<Notebook, NotebookAction>
  let report: LoadReport

  init(_ storage: Storage, _ parts: [Persisted<Notebook>] = Notebooks.all, options: LoadOptions = []) async throws {
    self.storage = storage
    let (state, report) = try await storage.load(into: Notebook(), parts, options: options)
    self.report = report
    store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(parts)])
    )
  }

  init(in folder: any FileFolder, _ parts: [Persisted<Notebook>] = Notebooks.all, options: LoadOptions = [])
    async throws
  {
    try await self.init(Storage(folder, durability: .full), parts, options: options)
  }

  /// Dispatches actions and saves their changes.
  func save(_ actions: NotebookAction...) async throws {
    for action in actions { store.dispatch(action) }
    try await storage.flush()
  }
}

extension LoadReport {
  /// The outcomes as words.
  var outcomes: [String: String] {
    parts.mapValues { outcome in
      switch outcome {
      case .fresh: "fresh"
      case .loaded: "loaded"
      case .migrated(let version): "migrated from \(version)"
      case .damaged(let error, _): "damaged: \(error)"
      case .newer(let version): "newer: \(version)"
      }
    }
  }
}
