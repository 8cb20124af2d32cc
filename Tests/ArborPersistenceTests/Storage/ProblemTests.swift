import Arbor
import ArborPersistence
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Problems of storages")
struct ProblemTests {
  private let folder = SimulatedFolder()

  private func reopened() async throws -> OpenNotebook { try await OpenNotebook(in: folder.afterKill()) }

  /// Returns the first `count` problems of a storage.
  private func problems(of storage: Storage, _ count: Int) async -> [StorageError] {
    var problems: [StorageError] = []
    for await problem in storage.problems {
      problems.append(problem)
      if problems.count == count { break }
    }
    return problems
  }

  @Test func `P4 a value that cannot be encoded is reported with its path, and everything else is saved`() async throws
  {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.theme("dark"))
    notebook.store.dispatch(.size(.infinity))
    let error = await #expect(throws: StorageError.self) { try await notebook.save(.add("milk")) }
    guard case .cannotEncode("settings", path: "size", let reason) = error else {
      Issue.record("\(error!)")
      return
    }
    #expect(reason.contains("inf"))
    #expect(await problems(of: notebook.storage, 1) == [error])
    let stored = try await reopened().store.state
    #expect(stored.notes == ["milk"])
    #expect(stored.settings == .init(theme: "dark"))
    try await notebook.save(.size(3))
    #expect(try await reopened().store.state.settings == .init(theme: "dark", size: 3))
  }

  @Test func `P1 P4 after a failed sync, everything is written again without the log, and the error is reported`()
    async throws
  {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"))
    var hasFailed = false
    folder.failure = { _, operation in
      guard operation == .sync, !hasFailed else { return nil }
      hasFailed = true
      return .other(5)
    }
    try await notebook.save(.add("bread"))
    #expect(await problems(of: notebook.storage, 1) == [.file(FileError(.sync, "1.log", .other(5)))])
    var random = SplitMix64(seed: 1)
    for _ in 0..<20 {
      let crashed = try await OpenNotebook(in: folder.afterCrash(choosing: &random))
      #expect(crashed.store.state.notes == ["milk", "bread"])
      #expect(crashed.report.findings.isEmpty)
    }
  }

  @Test func `P4 if there is no space, the caller gets the error, the store continues, and it is saved later`()
    async throws
  {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"))
    folder.failure = { _, operation in operation == .write || operation == .create ? .noSpace : nil }
    let error = await #expect(throws: StorageError.self) { try await notebook.save(.add("bread")) }
    guard case .file(let error) = error else { return }
    #expect(error.reason == .noSpace)
    notebook.store.dispatch(.add("tea"))
    #expect(notebook.store.state.notes == ["milk", "bread", "tea"])
    #expect(try await reopened().store.state.notes == ["milk"])
    folder.failure = { _, _ in nil }
    try await notebook.storage.flush()
    #expect(try await reopened().store.state.notes == ["milk", "bread", "tea"])
  }

  @Test func `P4 problems are activities of the stores whose parts are saved`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    let activities = notebook.store.activities(of: StorageError.self)
    notebook.store.dispatch(.size(.nan))
    await #expect(throws: StorageError.self) { try await notebook.storage.flush() }
    var iterator = activities.makeAsyncIterator()
    guard case .cannotEncode("settings", path: "size", _) = await iterator.next() else {
      Issue.record("the problem was not reported")
      return
    }
  }

  @Test func `P2 a folder that cannot be read causes an error, and nothing in it is changed`() async throws {
    try await OpenNotebook(in: folder).save(.add("milk"))
    let copy = folder.afterKill()
    copy.failure = { _, operation in operation == .read ? .noPermission : nil }
    await #expect(throws: StorageError.file(FileError(.read, "1.log", .noPermission))) {
      try await OpenNotebook(in: copy)
    }
    copy.failure = { _, _ in nil }
    #expect(try await OpenNotebook(in: copy).store.state.notes == ["milk"])
  }

  @Test func `P2 if an unreadable part cannot be kept aside, nothing is loaded`() async throws {
    try await OpenNotebook(in: folder).save(.add("milk"), .theme("dark"))
    let newer = Persisted(\Notebook.notes, as: "notes", version: 2)
    let copy = folder.afterKill()
    copy.failure = { _, operation in operation == .create ? .noSpace : nil }
    await #expect(throws: StorageError.file(FileError(.create, KeptAside.name(of: "notes"), .noSpace))) {
      try await OpenNotebook(in: copy, [newer, Notebooks.settings])
    }
  }
}
