import Arbor
import Testing

// The code of the article for users of Verge that is about derived values, and both stores beside each other. Another
// test compares the two texts.

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

  @Test func `each part has one owner, and the other store a copy`() {
    let old = OldStore<Settings, (inout Settings) -> Void>(Settings(name: "Rowan")) { state, commit in commit(&state) }
    let settings = CommitStore(initialState: Settings())

    // The account has moved, and is copied to the old store.
    let copying = settings.scopeStore(at: \.account).observe(removeDuplicates: .equatable, on: .main) { account in
      old.dispatch { $0.account = account }  // old.commit { $0.account = account }
    }
    // The name has not, and is copied from there: old.sinkState { $0.ifChanged(\.name) { name in … } }
    old.subscribe { state in
      settings.commit(ifChanged: .equatable) { $0.name = state.name }
    }

    settings.commit { $0.account.visits += 1 }
    old.dispatch { $0.name = "Ann" }
    #expect(settings.state == Settings(name: "Ann", account: Account(visits: 1)))
    #expect(old.state == settings.state)
    copying.cancel()
  }
}
