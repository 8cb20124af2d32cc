import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Scopes of commits")
struct CommitScopeTests {
  private struct Profile: Equatable, Sendable {
    var name = "Ada"
    var address: Address?
  }

  private struct Address: Equatable, Sendable {
    var city = "London"
    var notes: [String] = []
  }

  private struct Model: Equatable, Sendable {
    var profile = Profile()
    var editing: Profile?
    var assignments = 0
    var computed: Profile? {
      get { editing }
      set {
        assignments += 1
        editing = newValue
      }
    }
    var profileByRoundabout: Profile {
      get { profile }
      set {
        assignments += 1
        profile = newValue
      }
    }
  }

  private let executor = ManualExecutor()

  @Test func `a scope commits only to its part, at any depth`() {
    let store = CommitStore(initialState: Model())
    let name = store.scope(at: \.profile).scope(at: \.name)
    #expect(
      name.commit { name in
        name += " Lovelace"
        return name.count
      } == 12)
    name.commitLater { $0 += "!" }
    #expect(store.state == Model(profile: Profile(name: "Ada Lovelace!")))
    #expect(name.state == "Ada Lovelace!")
  }

  @Test(arguments: [false, true])
  func `if an optional part is nil, a commit does nothing, makes no step, and returns nil`(
    isIntercepted: Bool
  ) {
    let states = RecordedValues<Model>()
    let store = CommitStore<Model>(
      initialState: Model(),
      feature: Feature(interceptors: isIntercepted ? [Interceptor { _, _ in .pass }] : [])
    )
    store.rootStore().subscribe(observer: .recording(in: states))
    let editing = store.scope(atOptional: \.editing)
    let notes = editing.scope(atOptional: \.address).scope(at: \.notes)
    #expect(editing.commit { $0.name } == nil)
    #expect(notes.commit { $0.append("x") } == nil)
    editing.commitLater { $0.name = "x" }
    notes.commitLater { $0.append("x") }
    #expect(store.state == Model())
    #expect(states.values.count == 1, "no step")

    store.commit { $0.editing = Profile() }
    #expect(editing.commit { $0.name } == "Ada")
    #expect(notes.commit { $0.append("x") } == nil)
    editing.commit { $0.address = Address() }
    #expect(notes.commit { $0.append("a") } != nil)
    notes.commitLater { $0.append("b") }
    #expect(notes.state == ["a", "b"])
    #expect(states.values.count == 6)
  }

  @Test func `a commit through an optional that becomes nil before its step does nothing`() {
    let store = CommitStore(initialState: Model(editing: Profile()), settings: TreeSettings(executor: executor))
    let editing = store.scope(atOptional: \.editing)
    editing.commitLater { $0.name = "Grace" }
    store.commitLater { $0.editing = nil }
    editing.commitLater { $0.name = "lost" }
    #expect(editing.commit { $0.name } == nil)
    #expect(store.state == Model())
  }

  @Test func `computed parts are read and assigned once, and not at all if they are nil`() {
    let store = CommitStore(initialState: Model())
    #expect(store.scope(atOptional: \.computed).commit { $0.name } == nil)
    #expect(store.state.assignments == 0)
    store.commit { $0.editing = Profile() }
    store.scope(atOptional: \.computed).commit { $0.name = "Grace" }
    store.scope(at: \.profileByRoundabout).commit { $0.name = "Alan" }
    store.scope(at: \.profileByRoundabout).scope(at: \.name).commitLater { $0 += " Turing" }
    #expect(
      store.state == Model(profile: Profile(name: "Alan Turing"), editing: Profile(name: "Grace"), assignments: 3)
    )
  }

  @Test func `a commit of a scope that throws leaves its part unchanged`() {
    struct Refusal: Error {}
    let store = CommitStore(initialState: Model(editing: Profile()))
    #expect(throws: Refusal.self) {
      try store.scope(atOptional: \.editing).scope(at: \.name).commit { name in
        name = "lost"
        throw Refusal()
      }
    }
    #expect(store.state == Model(editing: Profile()))
  }

  @Test func `N7 an optional part's observers are silent while it is nil`() {
    let names = RecordedValues<String>()
    let store = CommitStore(initialState: Model())
    let editing = store.scope(atOptional: \.editing)
    editing.scope(at: \.name).subscribe(observer: .recording(in: names))
    store.commit { $0.editing = Profile() }
    editing.commit { $0.name = "Grace" }
    store.commit { $0.editing = nil }
    #expect(names.values == ["Ada", "Grace"])
  }

  @Test func `a scope of an object inside the state commits through the object`() {
    final class Box: Sendable {
      let value = 1
    }
    struct Holder: Sendable {
      var box = Box()
      var values = ["a": 1]
      subscript(key: String) -> Int {
        get { values[key, default: 0] }
        set { values[key] = newValue }
      }
    }
    let store = CommitStore(initialState: Holder())
    store.scope(at: \.["b"]).commit { $0 += 5 }
    store.scope(at: \.values["a"]!).commit { $0 += 5 }
    store.scope(atOptional: \.values["c"]).commit { $0 += 5 }
    store.scope(at: \.box).commit { $0 = Box() }
    #expect(store.state.values == ["a": 6, "b": 5])
  }

  @Test func `tasks of an optional scope are canceled when its part becomes nil`() async {
    let store = CommitStore(initialState: Model(editing: Profile()))
    let editing = store.scope(atOptional: \.editing)
    let task = editing.task { dispatch in
      while !Task.isCancelled { await Task.yield() }
      dispatch(Mutation { $0.name = "late" })
    }
    store.commit { $0.editing = nil }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.state == Model())
  }

  @Test func `a commit that fails assigns nothing, not even to a computed part`() {
    struct Refusal: Error {}
    struct Holder: Sendable, Equatable {
      var values: [String: Int] = [:]
      var profile: Profile?
      var assignments = 0
      var counted: Profile {
        get { profile ?? Profile() }
        set {
          assignments += 1
          profile = newValue
        }
      }
      subscript(key: String) -> Int {
        get { values[key, default: 0] }
        set { values[key] = newValue }
      }
    }
    let states = RecordedValues<Holder>()
    let store = CommitStore(initialState: Holder())
    store.rootStore().subscribe(observer: .recording(in: states))
    for isThrowing in [true, false] {
      try? store.scope(at: \.["b"]).commit { value in
        value = 5
        if isThrowing { throw Refusal() }
      }
    }
    try? store.scope(at: \.counted).commit { profile in
      profile.name = "lost"
      throw Refusal()
    }
    let city = store.scope(at: \.counted).scope(atOptional: \.address).scope(at: \.city)
    #expect(city.commit { $0 = "lost" } == nil)
    city.commitLater { $0 = "lost" }
    #expect(store.state == Holder(values: ["b": 5]))
    #expect(states.values.count == 2)
  }

  @Test(arguments: [false, true])
  func `O5 a failed commit of a child is undone completely, even if an interceptor has replaced it`(
    isThrowing: Bool
  ) {
    struct Refusal: Error {}
    let states = RecordedValues<Model>()
    let factory = CommitStore(
      initialState: Model(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            .replace(
              with: Mutation { model in
                model.assignments += 1
                mutation.apply(to: &model)
              }
            )
          }
        ]
      )
    )
    factory.subscribe(observer: .recording(in: states))
    let child = factory.scope(atOptional: \.editing)
      .childStore(initialState: 0, stateMapping: { profile, _ in profile }, reducer: { _, _ in })
    if isThrowing {
      factory.commit { $0.editing = Profile() }
      try? child.commit { profile in
        profile.name = "lost"
        throw Refusal()
      }
      #expect(factory.state.assignments == 1)
      #expect(states.values.count == 2)
    } else {
      child.commitLater { $0.name = "lost" }
      #expect(factory.state.assignments == 0)
      #expect(states.values.count == 1)
    }
  }
}
