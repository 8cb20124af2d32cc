import Arbor
import ArborPersistence
import Foundation

/// The state of a program that stores two parts.
struct Notebook: Sendable {
  struct Settings: Codable, Equatable, Sendable {
    var theme = "light"
  }

  var settings = Settings()
  var notes: [String] = []
}

enum NotebookAction: Codable, Sendable {
  case add(String)
  case theme(String)
}

/// The parts of a notebook, and its reducer.
enum Notebooks {
  static let settings = Persisted(\Notebook.settings, as: "settings", version: 3)
  static let notes = Persisted(\Notebook.notes, as: "notes")

  static let feature = Feature<Notebook, NotebookAction> { state, action in
    switch action {
    case .add(let note): state.notes.append(note)
    case .theme(let name): state.settings.theme = name
    }
  }

  /// Saves parts, each after the next of the actions, and releases the folder.
  static func save(
    _ parts: [Persisted<Notebook>] = [settings, notes],
    _ actions: NotebookAction...,
    in folder: TemporaryFolder
  ) async throws {
    let storage = try Storage(at: folder.url)
    let (state, _) = try await storage.load(into: Notebook(), parts)
    let store = StoreFactory(
      initialState: state,
      feature: feature,
      settings: TreeSettings(monitors: [storage.saving(parts)])
    )
    for action in actions {
      store.dispatch(action)
      try await storage.flush()
    }
    // Otherwise the folder is released only with the storage, which may be later.
    try await storage.close()
  }

  /// Journals batches of actions, and leaves them in the folder: a closed storage would leave none.
  static func journal(
    _ journal: Journal<Notebook, NotebookAction> = Journal(of: feature),
    _ batches: [NotebookAction]...,
    in folder: TemporaryFolder
  ) async throws {
    let copy = try TemporaryFolder()
    try folder.copyFiles(to: copy)
    let storage = try Storage(at: copy.url)
    let parts = [settings, notes]
    let (state, _) = try await storage.load(into: Notebook(), parts, journal)
    let store = StoreFactory(
      initialState: state,
      feature: feature,
      settings: TreeSettings(monitors: [storage.saving(parts, journal)])
    )
    for batch in batches { store.dispatch(batch: batch) }
    try await storage.flush()
    try copy.copyFiles(to: folder)
    // The file records that all entries are durable, as after a clean end.
    let entry = try StorageContents(of: folder.url).entry
    try Data().write(to: folder.url.appending(path: "\(entry).end"))
  }
}

/// JSON under another name that the tool does not know.
struct SecretCoding: StorageCoding {
  var name = "secret"
  var suffix = ""

  func encode(_ value: some Encodable) throws -> Data { try JSONCoding().encode(value) + Data(suffix.utf8) }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONCoding().decode(type, from: data)
  }
}
