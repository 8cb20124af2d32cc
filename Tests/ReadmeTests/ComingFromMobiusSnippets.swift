import Arbor
import ArborTesting
import Synchronization
import Testing

// The code of the article for users of Mobius, compiled and run. Another test compares the two texts.

struct Favorite: Equatable, Sendable {
  var isOn = false
}

enum FavoriteAction: Equatable, Sendable {
  case tapped
  case failed
}

func favorite(save: @escaping @Sendable (Bool) async throws -> Void) -> Feature<Favorite, FavoriteAction> {
  Feature(
    effects: { state, action in
      guard case .tapped = action else { return .none }
      return .run(key: "save", mode: .dropCurrent) { [isOn = state.isOn] dispatch in
        do { try await save(isOn) } catch { dispatch(.failed) }
      }
    },
    reducer: { state, action in
      switch action {
      case .tapped, .failed: state.isOn.toggle()
      }
    }
  )
}

private enum LoopEvent: Equatable, Sendable {
  case renamed(String)
}

@Suite("Coming from Mobius")
struct ComingFromMobiusSnippets {
  @Test func `a change that cannot be saved is taken back`() async {
    let store = TestStore(initialState: Favorite(), feature: favorite(save: { _ in throw Unexpected() }))

    await store.send(.tapped) { $0.isOn = true }
    await store.receive(.failed) { $0.isOn = false }
    await store.finish()
  }

  @Test func `the failure of a save that a later tap has replaced is revoked`() async {
    let saved = Mutex<[Bool]>([])
    let factory = StoreFactory(
      initialState: Favorite(),
      feature: favorite(save: { isOn in
        if isOn { try await ContinuousClock().sleep(for: .seconds(3600)) }
        saved.withLock { $0.append(isOn) }
      }))
    factory.dispatch(.tapped)
    factory.dispatch(.tapped)
    await factory.settled()
    #expect(saved.withLock { $0 } == [false])
    #expect(factory.state == Favorite(isOn: false))
  }

  @MainActor
  @Test func `a store is a loop's event source, and a loop's effect is a commit`() {
    let events = OldStore<[LoopEvent], LoopEvent>([]) { events, event in events.append(event) }
    let settings = CommitStore(initialState: Settings(name: "Rowan"))
    let consumer = events.dispatch

    let subscription = settings.scope(at: \.name).observe(removeDuplicates: .equatable, on: .main) { name in
      consumer(.renamed(name))
    }

    settings.commit { $0.name = "Ann" }
    settings.commit { $0.account.visits += 1 }
    #expect(events.state == [.renamed("Rowan"), .renamed("Ann")])
    subscription.cancel()
  }
}
