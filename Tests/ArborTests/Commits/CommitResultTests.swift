import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("The result of a commit, and its step")
struct CommitResultTests {
  private struct Model: Equatable, Sendable {
    var items = [1, 2]
    var name: String?
    var visits = 0
  }

  private struct Refusal: Error, Equatable {}

  // MARK: Optional results

  @Test func `an optional result is one optional, not two`() {
    let store = CommitStore(initialState: Model())
    let last: Int? = store.commit { $0.items.popLast() }
    #expect(last == 2)
    let rootStore = store.rootStore()
    if let last = rootStore.commit({ $0.items.popLast() }) {
      // With an `Int??`, this would be another optional.
      #expect(last + 1 == 2)
    } else {
      Issue.record("There was one left.")
    }
    let none = rootStore.commit { $0.items.popLast() }
    #expect(type(of: none) == Int?.self)
    #expect(none == nil)
    let count = store.commit { $0.items.count }
    #expect(type(of: count) == Int.self)
  }

  @Test func `an optional result keeps the type of the errors`() {
    let store = CommitStore(initialState: Model())
    do {
      try store.rootStore().commit { state throws(Refusal) -> Int? in
        if state.items.isEmpty { return nil }
        throw Refusal()
      }
      Issue.record("The closure has thrown.")
    } catch {
      // The error is a `Refusal`, not any error.
      #expect(error == Refusal())
    }
  }

  // MARK: Commits that change nothing

  @Test func `a commit that changes nothing makes no step if it reports that`() {
    let store = CommitStore(initialState: Model(), feature: Feature { state, _ in state.visits += 1 })
    let names = RecordedValues<String?>()
    let observing = store.observe { state in names.append(state.name) }
    let same = store.commit(ifChanged: .equatable) { state in
      state.name = nil
      return "returned"
    }
    #expect(same == "returned")
    #expect(store.state.visits == 0)
    store.commit(ifChanged: .equatable) { $0.name = "Ada" }
    store.commit { $0.name = "Ada" }
    #expect(store.state.visits == 2)
    #expect(names.values == [nil, "Ada", "Ada"])
    observing.cancel()
  }

  @Test func `a commit compares only its own part, and restores parts that the comparison ignores`() {
    let store = CommitStore(initialState: Model())
    let items = store.scope(at: \.items)
    let steps = RecordedValues<Int>()
    let observing = store.observe(initial: false) { state in steps.append(state.items.count) }
    items.commit(ifChanged: .by(\.count)) { $0 = [7, 8] }
    #expect(store.state.items == [1, 2])
    items.commit(ifChanged: .by(\.count)) { $0 = [7] }
    #expect(store.state.items == [7])
    #expect(steps.values == [1])
    observing.cancel()
  }

  // MARK: Mutations

  @Test func `a mutation is committed with its name, and reports if it has taken place`() {
    let names = RecordedValues<String>()
    let store = CommitStore(
      initialState: Model(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            names.append("\(mutation.name) \(mutation.isAwaited)")
            return .pass
          }
        ]
      )
    )
    let mutation = Mutation<Model>(named: "append") { $0.items.append(3) }
    #expect(store.commit(mutation))
    #expect(store.rootStore().commit(mutation))
    #expect(store.state.items == [1, 2, 3, 3])
    #expect(names.values == ["append true", "append true"])
  }

  @Test(.reports("used after its owner was released"))
  func `a mutation of a nil part, or of a store that is gone, has not taken place`() {
    var store: CommitStore<Model>? = CommitStore(initialState: Model(name: nil))
    let name = store!.scope(atOptional: \.name)
    let mutation = Mutation<String>(named: "greet") { $0 = "Hello, " + $0 }
    #expect(!name.commit(mutation))
    store!.commit { $0.name = "Ada" }
    #expect(name.commit(mutation))
    #expect(store!.state.name == "Hello, Ada")
    store = nil
    #expect(!name.commit(mutation))
  }
}
