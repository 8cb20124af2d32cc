import Arbor
import ArborEntities
import ArborPersistence

/// A state with a table whose differences the storage stores.
struct Catalog: Sendable {
  struct Book: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    let title: String
  }

  var books = EntityTable<Book>()
}

enum Catalogs {
  /// Saves many books and then one with the title Emma, and releases the folder.
  static func save(_ coding: any StorageCoding = .json, in folder: TemporaryFolder) async throws {
    let storage = try Storage(at: folder.url)
    let parts = [Persisted(\Catalog.books, as: "books", coding: coding)]
    let (state, _) = try await storage.load(into: Catalog(), parts)
    let feature = Feature<Catalog, [Catalog.Book]> { state, books in
      for book in books { _ = try? state.books.insert(book) }
    }
    let store = StoreFactory(
      initialState: state,
      feature: feature,
      settings: TreeSettings(monitors: [storage.saving(parts)])
    )
    store.dispatch((0..<50).map { Catalog.Book(id: $0, title: "Book \($0)") })
    try await storage.flush()
    store.dispatch([Catalog.Book(id: 50, title: "Emma")])
    try await storage.close()
  }
}
