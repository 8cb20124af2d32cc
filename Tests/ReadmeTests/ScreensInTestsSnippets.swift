import Arbor
import ArborTesting
import ArborUI
import Testing

// The code of the article about tests of screens. Another test compares the two texts.

/// The values and functions of a screen.
@MainActor
struct SearchScreen {
  let store: ObservableStore<Search, SearchAction>

  var title: String { store.results.isEmpty ? "Nothing found" : "\(store.results.count) found" }

  func type(_ query: String) { store.write(query, to: \.query, .type(query)) }

  func clear() { store.send(.clear) }
}

@MainActor
@Suite("Screens in tests")
struct ScreensInTestsSnippets {
  @Test func `the screen shows the results of a search`() {
    let clock = TestClock()
    let executor = ManualExecutor()
    let factory = StoreFactory(
      initialState: Search(),
      feature: search(matches: { ["about \($0)"] }),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let screen = SearchScreen(store: factory.observable())

    screen.type("tree")
    executor.run()
    #expect(screen.title == "Nothing found")

    clock.advance(by: .milliseconds(300))
    executor.run()
    #expect(screen.title == "1 found")

    screen.clear()
    executor.run()
    #expect(screen.title == "Nothing found")
  }

  @Test func `the title is read again only for new results`() {
    let factory = StoreFactory(initialState: Search(), reducer: searchReducer)
    let screen = SearchScreen(store: factory.observable())
    var titles: [String] = []

    let subscription = observe {
      screen.title
    } apply: {
      titles.append($0)
    }
    screen.store.send(.type("tree"))
    screen.store.send(.found(["about tree"]))
    #expect(titles == ["Nothing found", "1 found"])
    subscription.cancel()
  }

  @Test func `a view shows a constant state`() {
    let store = ObservableStore<Search, SearchAction>.constant(Search(results: ["about tree"]))
    let screen = SearchScreen(store: store)

    screen.clear()
    #expect(screen.title == "1 found")
  }
}
