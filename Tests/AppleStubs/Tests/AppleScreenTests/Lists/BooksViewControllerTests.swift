import Arbor
import ArborEntities
import Foundation
import TestSupport
import Testing
import UIKit

@Suite("The view controller of the article on UIKit")
@MainActor
struct BooksViewControllerTests {
  let factory = CommitStore(initialState: Library())

  private func screen() -> BooksViewController {
    let screen = BooksViewController()
    screen.store = factory.rootStore()
    screen.loadViewIfNeeded()
    return screen
  }

  private func titles(of screen: BooksViewController) -> [String] {
    screen.dataSource.snapshot().itemIdentifiers.compactMap { id in
      (screen.dataSource.cells[id]?.contentConfiguration as? UIListContentConfiguration)?.text
    }
  }

  @Test func `it shows the existing books, and follows their changes`() throws {
    try factory.commit { try $0.books.insert(Book(id: 1, title: "Walden")) }
    let screen = screen()
    #expect(titles(of: screen) == ["Walden"])
    try factory.commit { try $0.books.insert(Book(id: 2, title: "Emma")) }
    #expect(titles(of: screen) == ["Emma", "Walden"])
    try factory.commit { try $0.books.update(1) { $0.title = "A Week" } }
    #expect(titles(of: screen) == ["A Week", "Emma"])
    factory.commit { $0.books.remove(2) }
    #expect(titles(of: screen) == ["A Week"])
    #expect(screen.dataSource.applied.map(\.isAnimated) == [false, true, true, true])
    #expect(screen.dataSource.applied.map(\.reconfigured) == [[], [], [1], []])
  }

  @Test func `it shows the table after any changes`() throws {
    let screen = screen()
    var random = SplitMix64(seed: 15)
    for _ in 0..<500 {
      var table = factory.state.books
      try table.change(at: &random)
      factory.commit { [table] in $0.books = table }
      #expect(titles(of: screen) == table[Book.byTitle].map(\.title))
    }
  }

  @Test func `it is released when it is no longer shown`() {
    weak var gone: BooksViewController?
    do {
      let screen = screen()
      gone = screen
    }
    #expect(gone == nil)
  }

  @Test func `the article contains its code`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.appending(path: "../../../../..").standardizedFileURL
    let article = try String(contentsOf: root.appending(path: "Sources/ArborUI/ArborUI.docc/UIKit.md"), encoding: .utf8)
    let code = try ["BooksViewController.swift", "../CountViewController.swift"].map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count == code.count)
    #expect(zip(blocks, code).allSatisfy { block, code in code.contains(block) })
  }
}
