import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Feature of commits")
struct CommitFeatureTests {
  struct Name: Equatable, Sendable {
    var first = ""
    var last = ""
  }

  struct Settings: Equatable, Sendable {
    var level = 0
    var name = Name()
    var changes: [String] = []
  }

  struct AppState: Equatable, Sendable {
    var settings = Settings()
    var other = Settings()
    var guest: Settings?
    var changes: [String] = []
  }

  /// Records the mutations that have taken place.
  private static let settings = Feature<Settings, Mutation<Settings>> { state, mutation in
    state.changes.append(mutation.name)
  }

  private func makeStore(_ state: AppState = AppState()) -> CommitStore<AppState> {
    CommitStore(
      initialState: state,
      feature: Feature<AppState, Mutation<AppState>>.combined(
        Self.settings.scoped(at: \.settings),
        Self.settings.scoped(atOptional: \.guest),
        Feature { state, mutation in state.changes.append(mutation.name) }
      )
    )
  }

  @Test func `the middleware of a scoped feature is called only after commits at its path`() {
    let store = makeStore()
    store.scope(at: \.settings).commit(named: "level") { $0.level = 1 }
    store.scope(at: \.other).commit(named: "other") { $0.level = 1 }
    store.commit(named: "whole") { $0.settings.level = 2 }
    #expect(store.state.settings == Settings(level: 2, changes: ["level"]))
    #expect(store.state.changes == ["level", "other", "whole"])
  }

  @Test func `it is called for commits below its path, through a chain of scopes and through one key path`() {
    let store = makeStore()
    store.scope(at: \.settings).scope(at: \.name).commit(named: "chain") { $0.first = "a" }
    store.scope(at: \.settings.name).commit(named: "path") { $0.last = "b" }
    store.scope(at: \.settings.name.first).commitLater(named: "later") { $0 += "c" }
    store.scope(at: \.other.name).commit(named: "other") { $0.first = "d" }
    #expect(store.state.settings.name == Name(first: "ac", last: "b"))
    #expect(store.state.settings.changes == ["chain", "path", "later"])
  }

  @Test func `it is not called for a commit that throws, or whose part is nil`() {
    struct Refusal: Error {}
    let store = makeStore()
    #expect(throws: Refusal.self) {
      try store.scope(at: \.settings).commit { (_: inout Settings) throws(Refusal) in throw Refusal() }
    }
    store.scope(atOptional: \.guest).commit { $0.level = 5 }
    #expect(store.state == AppState())
    store.commit(named: "guest") { $0.guest = Settings() }
    store.scope(atOptional: \.guest).commit(named: "level") { $0.level = 5 }
    #expect(store.state.guest == Settings(level: 5, changes: ["level"]))
  }

  @Test func `a feature of commits without effects and interceptors keeps its commits in place`() {
    struct Whole: Sendable {
      var values = Array(0..<1000)
      var calls = 0
    }
    let feature = Feature<[Int], Mutation<[Int]>>()
    let store = CommitStore(initialState: Whole(), feature: feature.scoped(at: \.values))
    func address() -> Int { store.commit { $0.values.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } } }
    let before = address()
    store.scope(at: \.values).commit { $0[3] = 7 }
    #expect(address() == before)
  }

  @Test func `its interceptors drop and replace mutations of commitLater, and effects follow its own commits`() {
    let executor = ManualExecutor()
    let log = RecordedValues<String>()
    let feature = Feature<Settings, Mutation<Settings>>(
      interceptors: [
        Interceptor { mutation, _ in
          log.append("intercepts \(mutation.name)")
          switch mutation.name {
          case "drop": return .drop
          case "double":
            return .replace(
              with: Mutation {
                mutation.apply(to: &$0)
                $0.level *= 2
              })
          default: return .pass
          }
        }
      ],
      effects: { state, mutation in
        log.append("asks \(mutation.name) with \(state.level)")
        return mutation.name == "send" ? .send(Mutation(named: "sent") { $0.level += 100 }) : .none
      }
    )
    let store = CommitStore(
      initialState: AppState(),
      feature: feature.scoped(at: \.settings),
      settings: TreeSettings(executor: executor)
    )
    let settings = store.scope(at: \.settings)
    settings.commitLater(named: "drop") { $0.level = 1 }
    settings.commitLater(named: "double") { $0.level = 2 }
    settings.commit(named: "send") { $0.level += 1 }
    store.scope(at: \.other).commitLater(named: "other") { $0.level = 9 }
    executor.run()
    #expect(store.state.settings.level == 105)
    #expect(
      log.values == [
        "intercepts drop", "intercepts double", #"asks \#(#function) with 4"#, "intercepts send", "asks send with 5",
        "intercepts sent", "asks sent with 105",
      ]
    )
  }

  @Test func `F4 a scope with commits has the keys of the feature at its path`() {
    let executor = ManualExecutor()
    let feature = Feature<Settings, Mutation<Settings>>(effects: { _, _ in
      .run(key: "work") { _ in for await _ in AsyncStream<Never>(unfolding: { nil }) {} }
    })
    let store = CommitStore(
      initialState: AppState(),
      feature: feature.scoped(at: \.settings),
      settings: TreeSettings(executor: executor)
    )
    store.scope(at: \.settings).commit { $0.level = 1 }
    #expect(store.scope(at: \.settings).isRunning("work"))
    #expect(!store.isRunning("work"))
    store.cancel("work", at: .part(\.settings))
    executor.run()
    #expect(!store.scope(at: \.settings).isRunning("work"))
  }

  @Test func `a waiting commit's mutation of a part stops the program with a message if applied manually`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let applying = Feature<Settings, Mutation<Settings>>(interceptors: [
        Interceptor { mutation, _ in .replace(with: Mutation { mutation.apply(to: &$0) }) }
      ])
      let store = CommitStore(initialState: AppState(), feature: applying.scoped(at: \.settings))
      store.scope(at: \.settings).commit { $0.level = 1 }
    }
    expect(result, contains: "The mutation of a commit was applied outside its own step")
  }
}
