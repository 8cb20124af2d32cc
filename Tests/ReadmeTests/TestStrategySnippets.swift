import Arbor
import ArborTesting
import Testing

// The code of the article about a strategy for tests. Another test compares the two texts.

@Suite("A strategy for tests")
struct TestStrategySnippets {
  @Test func `clearing a search removes its query`() {
    var state = Search(query: "tree", results: ["about tree"])
    searchReducer(&state, .clear)
    #expect(state == Search(results: ["about tree"]))
  }

  @Test func `a search arrives in the state`() async {
    let factory = StoreFactory(
      initialState: Search(),
      feature: search(matches: { ["about \($0)"] }),
      settings: TreeSettings(clock: ImmediateClock())
    )
    factory.dispatch(.type("tree"))
    await factory.settled()
    #expect(factory.state.results == ["about tree"])
  }
}
