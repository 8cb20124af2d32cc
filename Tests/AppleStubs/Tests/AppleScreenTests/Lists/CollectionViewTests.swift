import Arbor
import ArborEntities
import ArborUI
import TestSupport
import Testing
import UIKit

@Suite("A UIKit collection view that shows a table")
@MainActor
struct CollectionViewTests {
  final class Cell: UICollectionViewCell {
    let label = UILabel()
  }

  final class Screen {
    let view = UICollectionView()
    var books: EntityTable<Book>
    var dataSource: UICollectionViewDiffableDataSource<String, Int>!

    @MainActor
    init(_ books: EntityTable<Book> = EntityTable()) {
      self.books = books
      view.register(Cell.self, forCellWithReuseIdentifier: "book")
      dataSource = UICollectionViewDiffableDataSource(collectionView: view) { [unowned self] view, path, id in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "book", for: path) as? Cell
        cell?.label.text = self.books[id]?.title
        return cell
      }
    }

    /// The titles that a section shows.
    @MainActor
    func titles(of section: String) -> [String?] {
      dataSource.snapshot().itemIdentifiers(inSection: section).map { (dataSource.cells[$0] as? Cell)?.label.text }
    }
  }

  /// Changes the table and notifies the screen.
  private func change(_ screen: Screen, _ body: (inout EntityTable<Book>) throws -> Void) rethrows
    -> Changes<EntityTable<Book>>
  {
    let previous = screen.books
    try body(&screen.books)
    return Changes(current: screen.books, previous: previous)
  }

  private func fill(_ count: Int) throws -> Screen {
    let screen = Screen(try EntityTable((0..<count).map { Book(id: $0, title: "\($0)") }))
    screen.dataSource.apply(Changes(current: screen.books, previous: nil), showing: screen.books, to: "books")
    return screen
  }

  @Test func `the first delivery is not animated, and later ones are, unless animation is off`() throws {
    let screen = try fill(2)
    #expect(screen.titles(of: "books") == ["0", "1"])
    let second = try change(screen) { try $0.insert(Book(id: 2, title: "2")) }
    screen.dataSource.apply(second, showing: second.current, to: "books")
    let third = change(screen) { $0.remove(0) }
    screen.dataSource.apply(third, showing: third.current, to: "books", animatingDifferences: false)
    #expect(screen.titles(of: "books") == ["1", "2"])
    #expect(screen.dataSource.applied.map(\.isAnimated) == [false, true, false])
  }

  @Test func `a changed record keeps its cell, which is configured again`() throws {
    let screen = try fill(3)
    let cells = screen.dataSource.cells
    let changes = try change(screen) { try $0.update(1) { $0.title = "one" } }
    screen.dataSource.apply(changes, showing: changes.current, to: "books")
    #expect(screen.titles(of: "books") == ["0", "one", "2"])
    #expect(screen.dataSource.cells == cells)
    #expect(screen.dataSource.applied.last == AppliedSnapshot(isAnimated: true, reconfigured: [1]))
  }

  @Test func `a record that moved and changed is reconfigured in its new place`() throws {
    let screen = try fill(3)
    let changes = try change(screen) { table in
      table.remove(0)
      try table.insert(Book(id: 0, title: "zero"))
    }
    screen.dataSource.apply(changes, showing: changes.current, to: "books")
    #expect(screen.titles(of: "books") == ["1", "2", "zero"])
    #expect(screen.dataSource.applied.last?.reconfigured == [0])
  }

  @Test func `a change that does not affect the section applies nothing, and completes immediately`() throws {
    let screen = try fill(2)
    let few = try change(screen) { try $0.update(1) { $0.title = "one" } }
    var completions = 0
    screen.dataSource.apply(few, showing: few.current.filter { $0.id == 0 }, to: "few") { completions += 1 }
    #expect(screen.dataSource.applied.count == 2)
    let other = try change(screen) { try $0.update(1) { $0.title = "two" } }
    screen.dataSource.apply(other, showing: other.current.filter { $0.id == 0 }, to: "few") { completions += 1 }
    #expect(screen.dataSource.applied.count == 2)
    #expect(completions == 2)
  }

  @Test func `a new subscription finds the shown records, and refreshes them`() throws {
    let screen = try fill(2)
    _ = try change(screen) { table in
      try table.update(0) { $0.title = "zero" }
      try table.insert(Book(id: 2, title: "2"))
    }
    screen.dataSource.apply(Changes(current: screen.books, previous: nil), showing: screen.books, to: "books")
    #expect(screen.titles(of: "books") == ["zero", "1", "2"])
    #expect(screen.dataSource.applied.last == AppliedSnapshot(isAnimated: false, inserted: [2], reconfigured: [0, 1]))
  }

  @Test func `a record that enters another section leaves its own, whichever is applied first`() throws {
    let screen = Screen(try EntityTable((0..<4).map { Book(id: $0, title: "\($0 % 2)") }))
    func show(_ changes: Changes<EntityTable<Book>>) {
      for section in ["0", "1"] {
        screen.dataSource.apply(changes, showing: changes.current.filter { $0.title == section }, to: section)
      }
    }
    show(Changes(current: screen.books, previous: nil))
    #expect(screen.titles(of: "0") == ["0", "0"])
    show(try change(screen) { try $0.update(2) { $0.title = "1" } })
    #expect(screen.titles(of: "0") == ["0"])
    #expect(screen.titles(of: "1") == ["1", "1", "1"])
    show(try change(screen) { try $0.update(2) { $0.title = "0" } })
    #expect(screen.titles(of: "0") == ["0", "0"])
    #expect(screen.titles(of: "1") == ["1", "1"])
    #expect(screen.dataSource.applied.last == AppliedSnapshot(isAnimated: true, reconfigured: [2]))
  }

  @Test func `a record passed twice is shown once`() throws {
    let screen = try fill(2)
    let changes = change(screen) { $0.remove(0) }
    screen.dataSource.apply(changes, showing: Array(changes.current) + changes.current, to: "books")
    #expect(screen.titles(of: "books") == ["1"])
  }

  @Test func `the section shows the list after any changes, no matter which deliveries are skipped`() throws {
    let screen = Screen()
    var random = SplitMix64(seed: 16)
    var previous: EntityTable<Book>?
    for _ in 0..<1000 {
      try screen.books.change(at: &random)
      guard !random.once(in: 4) else { continue }
      // Occasionally, a new subscription begins.
      let changes = Changes(current: screen.books, previous: random.once(in: 50) ? nil : previous)
      let list = changes.current[Book.byTitle]
      screen.dataSource.apply(changes, showing: changes.current, to: "all")
      #expect(screen.titles(of: "all") == changes.current.map(\.title))
      let other = Screen(screen.books)
      other.dataSource.apply(changes, showing: list.reversed(), to: "by title")
      #expect(other.titles(of: "by title") == list.reversed().map(\.title))
      previous = screen.books
    }
  }
}
