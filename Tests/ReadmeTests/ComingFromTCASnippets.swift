import Arbor
import ArborTesting
import Testing

// The code of the article for users of the Composable Architecture about using both stores together. Another test compares the
// two texts.

func telling(_ parent: @escaping @Sendable ([String]) async -> Void) -> Feature<Search, SearchAction> {
  Feature(
    effects: { _, action in
      guard case .found(let results) = action else { return .none }
      return .run { _ in await parent(results) }
    }
  )
}

@MainActor
@Suite("Coming from the Composable Architecture")
struct ComingFromTCASnippets {
  private enum ParentAction: Sendable {
    case searchFound([String])
  }

  @Test func `a feature that has moved reports to its parent, and receives actions from it`() async {
    let parent = OldStore<[String], ParentAction>([]) { state, action in
      switch action {
      case .searchFound(let results): state = results
      }
    }

    let leaf = StoreFactory(
      initialState: Search(),
      feature: .combined(
        search(matches: { ["about \($0)"] }),
        telling { results in await parent.dispatch(.searchFound(results)) }
      ),
      settings: TreeSettings(clock: ImmediateClock())
    )
    leaf.dispatch(.type("trees"))  // where the parent's reducer returned an effect of the child

    await leaf.settled()
    #expect(leaf.state.results == ["about trees"])
    #expect(parent.state == ["about trees"])
  }
}
