import Arbor
import ArborEntities
import Foundation
import Testing

@testable import LibraryCore

@Suite struct ImporterTests {
  private let folder: TemporaryFolder
  private let factory = StoreFactory(initialState: AppState(), feature: appFeature)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func load(_ path: String) async throws {
    try await Importer.start(CatalogueReader(path: path), in: factory.rootStore()).value
  }

  @Test func `a catalog is loaded, except for the bad rows`() async throws {
    let path = try folder.write(
      lines: [
        #"{"id":3,"title":"Typee","author":"Herman Melville","year":1846}"#,
        #"{"id":1,"title":"Moby-Dick","author":"Herman Melville","year":1851}"#,
        "",
        #"{"id":3,"title":"Omoo","author":"Nobody"}"#,
        "nonsense",
        #"{"id":2,"title":"Villette","author":"Charlotte Brontë"}"#,
      ],
      to: "catalogue.jsonl"
    )
    try await load(path)
    #expect(factory.state.library == (try Library.sample()))
    #expect(
      factory.state.loading
        == LoadingState(
          loaded: 3,
          skipped: 2,
          bytes: try Data(contentsOf: URL(fileURLWithPath: path)).count,
          problems: [
            CatalogueProblem(line: 4, reason: "Book(3) already exists, or occurs twice"),
            CatalogueProblem(line: 5, reason: "the line is not JSON"),
          ]
        )
    )
  }

  @Test func `a refused catalog leaves nothing`() async throws {
    try await load(folder.write(lines: [#"{"id":1,"title":"a","author":"b"}"#], to: "catalogue.jsonl"))
    #expect(factory.state.library.books.count == 1)
    await factory.dispatchAndWait(.loading(.refuse))
    #expect(factory.state.library == Library())
  }

  @Test func `the store continues while the catalog is read`() async throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    // Opened for both, so that opening does not wait.
    let writer = FileHandle(fileDescriptor: open(pipe, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
    let store = factory.rootStore()
    let loading = Importer.start(try CatalogueReader(path: pipe), in: store)

    // Nothing was written to the pipe: the reader waits, and the store does not.
    await store.dispatchAndWait(.lending(.return(1)))
    #expect(factory.state.refusal == .noBook(1))
    #expect(store.isRunning("import"))

    try writer.write(contentsOf: Data(#"{"id":1,"title":"Walden","author":"Henry David Thoreau"}"#.utf8))
    try writer.close()
    try await loading.value
    #expect(factory.state.library.books.map(\.title) == ["Walden"])
  }

  @Test func `a catalog of many pieces is loaded, and no row is lost`() async throws {
    let count = 20_000
    let path = try folder.write(
      lines: (1...count).map { #"{"id":\#($0),"title":"Book \#($0 % 1000)","author":"Author \#($0 % 1000)"}"# },
      to: "catalogue.jsonl"
    )
    try await load(path)
    let state = factory.state
    #expect(state.loading.loaded == count)
    #expect(state.loading.skipped == 0)
    #expect(state.library.books.map(\.id.rawValue) == Array(1...count))
    #expect(state.library.authors.count == 1000)
    #expect(try state.library.books(byAuthor: "Author 7").count == 20)
  }

  @Test(arguments: [("nowhere", "No such file or directory"), (".", "Is a directory")])
  func `an unreadable catalog gives the reason`(name: String, reason: String) async throws {
    let path = folder.path(name)
    let error = await #expect(throws: (any Error).self) { try await load(path) }
    #expect(error?.reason == reason)
    #expect(factory.state == AppState())
  }
}
