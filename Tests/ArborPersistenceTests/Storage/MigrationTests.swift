import Arbor
import ArborPersistence
import Foundation
import Testing

@Suite("Versions of parts")
struct MigrationTests {
  struct First: Codable, Sendable {
    var theme: String
  }

  struct Second: Codable, Sendable {
    var theme: String
    var size: Double
  }

  struct Program<Settings: Sendable>: Sendable {
    var settings: Settings
  }

  private struct Refusal: Error {}

  private let folder = MemoryFolder()

  private func store(_ value: some Codable & Sendable, version: Int) async throws {
    try await StoredPartWriter.store(value, as: "settings", version: version, in: folder)
  }

  private func load(
    version: Int,
    _ migrations: [Migration]
  ) async throws -> (settings: Notebook.Settings, report: LoadReport) {
    let part = Persisted(\Program<Notebook.Settings>.settings, as: "settings", version: version, migrations: migrations)
    let storage = try Storage(folder, durability: .full)
    let (state, report) = try await storage.load(into: Program(settings: Notebook.Settings()), [part])
    try await storage.close()
    return (state.settings, report)
  }

  private static let chain: [Migration] = [
    .from(1) { (old: First) in Second(theme: old.theme, size: 9) },
    .from(2) { (old: Second) in Notebook.Settings(theme: old.theme + "!", size: old.size + 1) },
  ]

  @Test func `a value of any older version is migrated step by step from its version`() async throws {
    try await store(First(theme: "dark"), version: 1)
    let (first, report) = try await load(version: 3, Self.chain)
    #expect(first == Notebook.Settings(theme: "dark!", size: 10))
    #expect(report.outcomes == ["settings": "migrated from 1"])
    try await store(Second(theme: "blue", size: 4), version: 2)
    #expect(try await load(version: 3, Self.chain).settings == Notebook.Settings(theme: "blue!", size: 5))
  }

  @Test func `a history of older documents is migrated with its changes`() async throws {
    var texts = History("a")
    for (text, group) in [("ab", "type"), ("abc", "type"), ("abcd", nil)] {
      texts.document = text
      texts.record(group: group)
    }
    texts.undo()
    try await StoredPartWriter.store(texts, as: "texts", version: 1, in: folder)
    let lines = Persisted(
      \Program<History<[String]>>.settings, as: "texts", version: 2,
      migrations: [.from(1) { (old: History<String>) in old.map { $0.map(String.init) } }]
    )
    let storage = try Storage(folder, durability: .full)
    var history = try await storage.load(into: Program(settings: History([])), [lines]).state.settings
    try await storage.close()
    #expect(history == texts.map { $0.map(String.init) })
    #expect(history.document == ["a", "b", "c"])
    history.redo()
    #expect(history.document == ["a", "b", "c", "d"])
    history.undo()
    history.undo()
    #expect(history.document == ["a"])
    #expect(!history.canUndo)
  }

  @Test func `P2 a part is kept aside if its migration is missing or fails, or if its bytes have another type`()
    async throws
  {
    try await store(First(theme: "dark"), version: 1)
    let bytes = #"{"theme":"dark"}"#
    for (migrations, reason) in [
      ([], "there is no migration to version 3"),
      ([.from(1) { (_: First) -> Notebook.Settings in throw Refusal() }], "Refusal()"),
    ] as [([Migration], String)] {
      let (settings, report) = try await load(version: 3, migrations)
      #expect(settings == Notebook.Settings())
      #expect(report.outcomes == ["settings": "damaged: settings of version 1 cannot be read: \(reason)"])
      guard case .damaged(_, let kept) = report.parts["settings"] else { return }
      #expect(kept == KeptAside.name(of: "settings"))
      #expect(folder.text(of: KeptAside.name(of: "settings")) == bytes)
    }
    try await store(["no settings"], version: 3)
    guard case .damaged(let error, let kept) = try await load(version: 3, []).report.parts["settings"] else {
      Issue.record("it was read")
      return
    }
    #expect((error as? StoredValueError)?.version == 3)
    #expect(kept == KeptAside.name(of: "settings"))
    #expect(folder.text(of: KeptAside.name(of: "settings")) == #"["no settings"]"#)
  }

  @Test func `migrations that do not fit together stop the program with a message`() async {
    await #expect(processExitsWith: .failure) {
      _ = Persisted(
        \Program<Notebook.Settings>.settings, as: "settings", version: 3,
        migrations: [.from(1) { (old: First) in old }, .from(2) { (_: Second) in Notebook.Settings() }]
      )
    }
    await #expect(processExitsWith: .failure) {
      _ = Persisted(
        \Program<Notebook.Settings>.settings, as: "settings", version: 2,
        migrations: [.from(2) { (_: First) in Notebook.Settings() }]
      )
    }
  }
}
