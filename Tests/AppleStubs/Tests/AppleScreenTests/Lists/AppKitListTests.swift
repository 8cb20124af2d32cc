import AppKit
import Arbor
import ArborEntities
import ArborUI
import TestSupport
import Testing

@Suite("AppKit views that show a table")
@MainActor
struct AppKitListTests {
  final class Screen {
    var books = EntityTable<Book>()
    var rows: NSTableViewDiffableDataSource<String, Int>!
    var items: NSCollectionViewDiffableDataSource<String, Int>!
    let table = NSTableView()
    let collection = NSCollectionView()

    @MainActor
    init() {
      rows = NSTableViewDiffableDataSource(tableView: table) { [unowned self] _, _, _, id in
        MainActor.assumeIsolated {
          let field = NSTextField()
          field.stringValue = self.books[id]!.title
          return field
        }
      }
      items = NSCollectionViewDiffableDataSource(collectionView: collection) { [unowned self] _, _, id in
        MainActor.assumeIsolated {
          let item = NSCollectionViewItem()
          item.title = self.books[id]!.title
          return item
        }
      }
    }

    @MainActor
    func apply(_ changes: Changes<EntityTable<Book>>) {
      books = changes.current
      rows.apply(changes, showing: changes.current, to: "books")
      items.apply(changes, showing: changes.current[Book.byTitle], to: "books")
    }

    @MainActor var shownRows: [String?] {
      rows.snapshot().itemIdentifiers.map { (rows.cells[$0] as? NSTextField)?.stringValue }
    }

    @MainActor var shownItems: [String?] { items.snapshot().itemIdentifiers.map { items.cells[$0]?.title } }
  }

  @Test func `only a changed record's row and item are made again`() throws {
    let screen = Screen()
    let old = try EntityTable((0..<3).map { Book(id: $0, title: "\($0)") })
    screen.apply(Changes(current: old, previous: nil))
    let (rows, items) = (screen.rows.cells, screen.items.cells)
    var new = old
    try new.update(1) { $0.title = "one" }
    screen.apply(Changes(current: new, previous: old))
    #expect(screen.shownRows == ["0", "one", "2"])
    #expect(screen.shownItems == ["0", "2", "one"])
    #expect(screen.rows.applied.map(\.reloaded) == [[], [1]])
    #expect(screen.rows.applied.map(\.isAnimated) == [false, true])
    #expect((0..<3).filter { screen.rows.cells[$0] !== rows[$0] } == [1])
    #expect((0..<3).filter { screen.items.cells[$0] !== items[$0] } == [1])
  }

  @Test func `views show the table after any changes, no matter which deliveries are skipped`() throws {
    let screen = Screen()
    var random = SplitMix64(seed: 17)
    var table = EntityTable<Book>()
    var previous: EntityTable<Book>?
    for _ in 0..<1000 {
      try table.change(at: &random)
      guard !random.once(in: 4) else { continue }
      screen.apply(Changes(current: table, previous: random.once(in: 50) ? nil : previous))
      #expect(screen.shownRows == table.map(\.title))
      #expect(screen.shownItems == table[Book.byTitle].map(\.title))
      previous = table
    }
  }
}
