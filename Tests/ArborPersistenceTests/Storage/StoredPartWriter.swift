import Arbor
import ArborPersistence

/// A writer of folders that contain one part.
enum StoredPartWriter {
  static func store<Value: Codable & Sendable>(
    _ value: Value,
    as name: String,
    version: Int,
    in folder: MemoryFolder
  ) async throws {
    let storage = try Storage(folder, durability: .full)
    let part = Persisted(\Value.self, as: name, version: version)
    try await storage.erase()
    _ = try await storage.load(into: value, [part])
    let store = StoreFactory<Value, Int>(
      initialState: value,
      settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
    ) { _, _ in }
    store.dispatch(1)
    try await storage.close()
  }
}

extension MemoryFolder {
  /// Returns a folder with the same files.
  func copy() -> MemoryFolder {
    let copy = MemoryFolder()
    // A file may be removed meanwhile.
    for name in names() { if let file = open(name) { try! copy.create(name).append(file.readAll()) } }
    return copy
  }

  /// The number of bytes in all files.
  var size: Int { try! names().reduce(0) { try $0 + open($1)!.length() } }

  /// Returns the text of a file; nil if there is no file with the name.
  func text(of name: String) -> String? { try! open(name).map { String(decoding: try $0.readAll(), as: UTF8.self) } }
}
