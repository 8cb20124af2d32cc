import Arbor
import ArborEntities
import ArborPersistence
import Testing

@Suite("Storages of commit stores")
struct CommitTests {
  private let folder = MemoryFolder()

  private func open() async throws -> (storage: Storage, store: CommitStore<Shelf>) {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Shelf(), Shelf.parts)
    return (
      storage,
      CommitStore(
        initialState: state,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
      )
    )
  }

  private func stored() async throws -> Shelf.Kept {
    try await Storage(folder.copy(), durability: .full).load(into: Shelf(), Shelf.parts).state.kept
  }

  @Test func `changes by commits are appended as the changed parts, and as the changed records of a table`()
    async throws
  {
    let (storage, store) = try await open()
    store.commit { shelf in
      shelf.text = String(repeating: "x", count: 10_000)
      for id in 0..<1000 { try! shelf.books.upsert(Shelf.Book(id: id, title: "Emma")) }
    }
    try await storage.flush()
    let size = folder.size
    store.commit { shelf in try! shelf.books.upsert(Shelf.Book(id: 500, title: "Walden")) }
    try await storage.flush()
    #expect(folder.size - size < 200)
    #expect(try await stored() == store.state.kept)
  }

  @Test func `a mutation is durable when its call returns`() async throws {
    let (_, store) = try await open()
    try await store.dispatchDurably(Mutation { $0.text = "Emma" })
    #expect(try await stored().text == "Emma")
    try await store.scope(at: \.text).dispatchDurably(Mutation { $0 += "!" })
    #expect(try await stored().text == "Emma!")
  }
}
