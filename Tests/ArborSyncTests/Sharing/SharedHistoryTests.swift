import Arbor
import ArborPersistence
import ArborSync
import Testing

@Suite("Shared histories")
struct SharedHistoryTests {
  private struct Page: Codable, Equatable, Sendable {
    var lines = History<[String]>([])
  }

  private enum PageAction: Codable, Sendable {
    case add(String, by: String)
    case undo(by: String)
    case redo(by: String)
  }

  private static let feature = Feature<Page, PageAction> { page, action in
    func merge(_ lines: inout [String], _ old: [String], _ new: [String]) -> Bool {
      lines.removeAll { old.contains($0) && !new.contains($0) }
      lines += new.filter { !old.contains($0) }
      return true
    }
    switch action {
    case .add(let line, let author):
      page.lines.document.append(line)
      page.lines.record(group: "adding", author: author)
    case .undo(let author): page.lines.undo(by: author, merging: merge)
    case .redo(let author): page.lines.redo(by: author, merging: merge)
    }
  }

  private func client(_ name: String, of log: MemoryLog) async throws -> SharedStore<Page, PageAction> {
    try await SharedStore(
      initialState: Page(), feature: Self.feature, log: log, client: name, outbox: .inMemory())
  }

  @Test func `Y1 each client undoes and redoes its own changes, and all have the same history`() async throws {
    let log = MemoryLog()
    let (ann, ben) = (try await client("Ann", of: log), try await client("Ben", of: log))
    _ = try await ann.dispatchConfirmed(.add("a", by: ann.client.name))
    _ = try await ben.dispatchConfirmed(.add("b", by: ben.client.name))
    let undone = try await ann.dispatchConfirmed(.undo(by: ann.client.name))
    #expect(undone.confirmed.lines.document == ["b"])
    #expect(!undone.confirmed.lines.canUndo(by: "Ann"))
    #expect(undone.confirmed.lines.canUndo(by: "Ben"))
    let redone = try await ann.dispatchConfirmed(.redo(by: ann.client.name))
    #expect(redone.confirmed.lines.document == ["b", "a"])
    _ = try await ben.dispatchConfirmed(.undo(by: ben.client.name))
    #expect(ben.state.lines.document == ["a"])
    for await page in ann.states() where page == ben.confirmed.state { break }
    #expect(ann.status.state.stop == nil)
    #expect(ben.status.state.stop == nil)
  }
}
