import Arbor
import ArborEntities
import Synchronization
import Testing

@testable import LibraryCore

@Suite struct LoadingScreenTests {
  /// The text that a screen wrote.
  private final class Paper: Sendable {
    private let texts = Mutex("")

    var text: String {
      texts.withLock { $0 }
    }

    func write(_ text: String) {
      texts.withLock { $0 += text }
    }
  }

  private func text(
    length: Int?,
    onTerminal isTerminal: Bool,
    after steps: [LoadingAction],
    isRefused: Bool = false
  ) -> String {
    let paper = Paper()
    let screen = LoadingScreen(name: "books", length: length, isTerminal: isTerminal) { paper.write($0) }
    let factory = StoreFactory(initialState: AppState(), feature: appFeature)
    let store = factory.rootStore()
    screen.follow(store)
    for step in steps { store.dispatchAndWait(.loading(step)) }
    // An action of another feature does not show the last problems again.
    store.dispatchAndWait(.lending(.return(1)))
    screen.conclude(factory.state.loading, isRefused: isRefused)
    return paper.text
  }

  private let good = CatalogueRow(line: 1, entry: .success(CatalogueEntry(id: 1, title: "a", author: "b", year: nil)))
  private let bad = CatalogueRow(line: 2, entry: .failure(.notJSON))

  @Test func `problems are shown with their lines, and without a terminal there is no bar`() {
    let steps: [LoadingAction] = [.rows([good], bytes: 10), .rows([bad], bytes: 20)]
    let problem = "books:2: the line is not JSON\n"
    #expect(
      text(length: 20, onTerminal: false, after: steps) == "\(problem)books: 2 rows, 1 skipped, 1 loaded\n"
    )
    #expect(
      text(length: 20, onTerminal: false, after: steps, isRefused: true)
        == "\(problem)books: 2 rows, 1 invalid, so nothing was loaded\n"
    )
  }

  @Test func `on a terminal there is a bar, and lines are written above it`() {
    let steps: [LoadingAction] = [.rows([good], bytes: 10), .rows([bad], bytes: 20)]
    let clearLine = "\r\u{1B}[K"
    #expect(
      text(length: 20, onTerminal: true, after: steps)
        == [
          "\(clearLine)[###############...............] 50 %, 1 rows",
          "\(clearLine)books:2: the line is not JSON\n[##############################] 100 %, 2 rows",
          "\(clearLine)books: 2 rows, 1 skipped, 1 loaded\n",
        ].joined()
    )
  }

  @Test(arguments: [nil, 0])
  func `if the length is unknown, the rows are counted`(length: Int?) {
    let clearLine = "\r\u{1B}[K"
    #expect(
      text(length: length, onTerminal: true, after: [.rows([good], bytes: 10)])
        == "\(clearLine)1 rows\(clearLine)books: 1 rows, 0 skipped, 1 loaded\n"
    )
  }
}
