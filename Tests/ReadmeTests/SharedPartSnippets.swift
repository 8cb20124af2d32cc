import Arbor
import ArborPersistence
import ArborSync
import ArborTesting
import Foundation
import Testing

// The code of the article about a shared part in a larger program. Another test compares the texts.

struct Window: Equatable, Sendable {
  var draft = ""
  var selected: UUID?
}

enum WindowAction: Equatable, Sendable {
  case edited(String)
  case selected(UUID?)
  case addTapped
}

/// The window's feature.
///
/// - Parameter share: Sends an action to the shared board.
func window(share: @escaping @Sendable (BoardAction) -> Void) -> Feature<Window, WindowAction> {
  Feature(
    interceptors: [
      Interceptor { action, context in
        if case .addTapped = action { share(.add(context.state.draft)) }
        return .pass
      }
    ],
    reducer: { window, action in
      switch action {
      case .edited(let text): window.draft = text
      case .selected(let id): window.selected = id
      case .addTapped: window.draft = ""
      }
    }
  )
}

@Suite("A shared part")
struct SharedPartSnippets {
  private let feature = Feature<Board, BoardAction>(
    interceptors: [
      .stamping { action, stamp in
        if case .add(let text, id: nil) = action { .add(text, id: stamp().id) } else { nil }
      }
    ],
    reducer: reduce
  )

  @Test func `a program shows its own state with the shared state`() async throws {
    let (log, outbox) = (MemoryLog(), Storage.inMemory())

    let shared = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ann", outbox: outbox)
    let factory = StoreFactory(initialState: Window(), feature: window(share: shared.dispatch))

    let cards = shared.derived(\.cards)
    let selected = factory.derived(\.selected)
    let card = Derived.combined(cards, selected).derived { cards, selected in
      cards.first { $0.id == selected }?.text ?? "Nothing is selected"
    }

    await factory.dispatchAndWait(.edited("Water the tree"))
    await factory.dispatchAndWait(.addTapped)
    let id = try #require(shared.state.cards.first?.id)
    await factory.dispatchAndWait(.selected(id))

    #expect(factory.state == Window(selected: id))
    // The two inputs belong to different trees, so the combined value follows a moment later.
    #expect(await card.states.contains { $0 == "Water the tree" })
    try await shared.finish(within: .seconds(5))
    try await outbox.close()
  }

  @Test func `a child store keeps local state next to the shared state`() async throws {
    let (log, outbox) = (MemoryLog(), Storage.inMemory())
    let shared = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ann", outbox: outbox)

    let list = shared.childStore(initialState: Selection()) { selection, action in
      if case .add = action { selection.index = nil }
    }
    let store = list.store()  // Store<(Board, Selection), BoardAction>
    store.dispatch(.add("Water the tree"))  // the child's reducer runs here only; the board is shared

    #expect(list.state?.0.cards.map(\.text) == ["Water the tree"])
    #expect(list.state?.1 == Selection())
  }

  @Test func `a local feature is tested without a log`() async {
    let (shared, share) = AsyncStream<BoardAction>.makeStream()
    let store = TestStore(initialState: Window(draft: "Rake"), feature: window { share.yield($0) })
    await store.send(.addTapped) { $0.draft = "" }
    share.finish()

    var texts: [String] = []
    for await case .add(let text, id: nil) in shared { texts.append(text) }
    #expect(texts == ["Rake"])
    await store.finish()
  }
}
