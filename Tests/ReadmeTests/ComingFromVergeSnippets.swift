import Arbor
import Testing

// The code of the article for users of Verge about derived values, and about using both stores together. Another test compares
// the two texts.

struct Loading: Equatable, Sendable {
  var names: [String] = []
  var isLoading = false
  var revision = 0
}

struct LoadingService: StoreDriver {
  let store: Store<Loading, Mutation<Loading>>
  let fetch: @Sendable () async throws -> [String]
}

extension LoadingService {
  func load() -> StoreTask<Void> {
    commit { $0.isLoading = true }
    return task(key: "load", mode: .dropCurrent) { [fetch] dispatch in
      let names = try? await fetch()
      dispatch(
        Mutation { loading in
          loading.names = names ?? loading.names
          loading.isLoading = false
        })
    }
  }

  func stop() {
    cancel("load")
    commit { $0.isLoading = false }
  }
}

@MainActor
@Suite("Coming from Verge")
struct ComingFromVergeSnippets {
  @Test func `a derived value is never older than the state`() {
    let settings = CommitStore(initialState: Settings(name: "Rowan"))

    let name = settings.derived(\.name)
    let visits = settings.derived(\.account.visits)
    let greeting = Derived.combined(name, visits).derived { name, visits in "Hello, \(name), for the \(visits). time" }

    settings.commit { $0.account.visits += 1 }
    #expect(greeting.value == "Hello, Rowan, for the 1. time")
  }

  @Test func `each part has one owner, and the other store has a copy`() {
    let old = OldStore<Settings, (inout Settings) -> Void>(Settings(name: "Rowan")) { state, commit in commit(&state) }
    let settings = CommitStore(initialState: Settings())

    // The account has moved, and is copied to the old store.
    let copying = settings.scope(at: \.account).observe(removeDuplicates: .equatable, on: .main) { account in
      old.dispatch { $0.account = account }  // old.commit { $0.account = account }
    }
    // The name hasn't moved, so it is copied from the old store: old.sinkState { $0.ifChanged(\.name) { name in … } }
    old.subscribe { state in
      settings.commit(ifChanged: .equatable) { $0.name = state.name }
    }

    settings.commit { $0.account.visits += 1 }
    old.dispatch { $0.name = "Ann" }
    #expect(settings.state == Settings(name: "Ann", account: Account(visits: 1)))
    #expect(old.state == settings.state)
    copying.cancel()
  }

  @Test func `a flag is reset by the caller that stops, and middleware compares with the previous state`()
    async throws
  {
    let counting = Interceptor<Loading, Mutation<Loading>> { mutation, _ in
      .replace(
        with: Mutation { loading in
          let names = loading.names
          if mutation.apply(to: &loading), loading.names != names { loading.revision += 1 }
        }
      )
    }
    let owner = CommitStore(initialState: Loading(), feature: Feature(interceptors: [counting]))
    let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
    let service = LoadingService(store: owner.rootStore()) {
      var names = stream.makeAsyncIterator()
      return await names.next() ?? []
    }

    let stopped = service.load()
    #expect(owner.state.isLoading)
    service.stop()
    #expect(!owner.state.isLoading)
    await #expect(throws: CancellationError.self) { try await stopped.value }

    let loaded = LoadingService(store: owner.rootStore()) { ["Ann"] }.load()
    try await loaded.value
    #expect(owner.state == Loading(names: ["Ann"], revision: 1))
    continuation.finish()
  }
}
