import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Children of commit stores with their own commits")
struct CommitChildTests {
  private struct Model: Equatable, Sendable {
    var total = 0
    var names: [String] = []
    var guest: Int?
  }

  private struct Local: Equatable, Sendable {
    var count = 0
    var note: String?
    var job = JobState()
  }

  private struct Pair: Equatable, Sendable {
    let total: Int
    let count: Int
  }

  private struct Refusal: Error, Equatable {}

  private let executor = ManualExecutor()

  private func pair(_ model: Model, _ local: Local) -> Pair { Pair(total: model.total, count: local.count) }

  // MARK: Reading what was written

  @Test func `a child commits its own state, and its parent's through the parent's store, and reads both`() {
    let store = CommitStore(initialState: Model())
    let child = store.childCommitStore(initialState: Local(), stateMapping: pair)
    let count = child.commit { local in
      local.count += 1
      return local.count
    }
    #expect(count == 1)
    #expect(child.state == Pair(total: 0, count: 1))
    store.commit { $0.total = 5 }
    #expect(child.state == Pair(total: 5, count: 1))
    #expect(store.state == Model(total: 5))
  }

  @Test func `N1 a commit of the child calls each observer of the tree once, and all have seen it when it returns`() {
    let store = CommitStore(initialState: Model())
    let child = store.childCommitStore(initialState: Local(), stateMapping: pair)
    let grandchild = child.childCommitStore(initialState: 7, stateMapping: { pair, own in [pair.count, own] })
    let (root, pairs, lists) = (RecordedValues<Model>(), RecordedValues<Pair>(), RecordedValues<[Int]>())
    store.subscribe(observer: .recording(in: root))
    child.subscribe(observer: .recording(in: pairs))
    grandchild.subscribe(observer: .recording(in: lists))
    child.commit { $0.count = 1 }
    #expect(lists.values == [[0, 7], [1, 7]])
    grandchild.commit { $0 = 8 }
    store.commit { $0.total = 1 }
    #expect(lists.values == [[0, 7], [1, 7], [1, 8], [1, 8]])
    #expect(pairs.values.map(\.count) == [0, 1, 1, 1])
    #expect(pairs.values.map(\.total) == [0, 0, 0, 1])
    #expect(root.values.map(\.total) == [0, 0, 0, 1])
  }

  @Test func `O2 commits of child and parent take effect in the order of their calls`() {
    let store = CommitStore(initialState: Model(), settings: TreeSettings(executor: executor))
    let child = store.childCommitStore(initialState: Local(), stateMapping: pair)
    let seen = RecordedValues<Pair>()
    child.subscribe(observer: .recording(in: seen))
    child.commitLater { $0.count += 1 }
    store.commitLater { $0.total += 1 }
    child.dispatch(batch: [Mutation { $0.count *= 10 }, Mutation { $0.count += 1 }])
    executor.run()
    #expect(
      seen.values == [
        Pair(total: 0, count: 0), Pair(total: 0, count: 1), Pair(total: 1, count: 1), Pair(total: 1, count: 11),
      ]
    )
  }

  @Test func `all forms of commits change the child's own state`() {
    let store = CommitStore(initialState: Model())
    let child = store.childCommitStore(initialState: Local())
    let note: String? = child.commit { $0.note }
    #expect(note == nil)
    #expect(child.commit(Mutation(named: "add") { $0.count += 1 }))
    let steps = RecordedValues<Int>()
    child.subscribe(
      observer: Observer {
        steps.append($0.count)
        return .active
      })
    child.commit(ifChanged: .equatable) { $0.count = 1 }
    child.commit(ifChanged: .by(\.count)) { $0.count = 2 }
    child.commitLater { $0.count += 1 }
    #expect(child.state?.count == 3)
    #expect(steps.values == [1, 2, 3])
    #expect(child.store().commit { $0.count } == 3)
  }

  @Test func `a child that shows only its own state is scoped like any commit store`() {
    let store = CommitStore(initialState: Model())
    let child = store.childCommitStore(initialState: Local())
    let note = child.scope(atOptional: \.note)
    #expect(note.commit { $0 += "!" } == nil)
    child.scope(at: \.note).commit { $0 = "a" }
    #expect(note.commit { $0 += "!" } != nil)
    note.commitLater { $0 += "?" }
    #expect(child.state?.note == "a!?")
    #expect(store.state == Model())
  }

  // MARK: Errors

  @Test(arguments: [false, true])
  func `O5, N1 a commit of the child that throws makes no step: neither it nor the changes around it remain`(
    isReplaced: Bool
  ) {
    let replacing = Interceptor<Local, Mutation<Local>> { mutation, _ in
      .replace(with: Mutation { if mutation.apply(to: &$0) { $0.count += 100 } })
    }
    let store = CommitStore(initialState: Model(), feature: Feature { model, _ in model.total += 1 })
    let child = store.childCommitStore(
      initialState: Local(),
      feature: Feature(interceptors: isReplaced ? [replacing] : []) { local, _ in local.note = "called" }
    )
    let below = child.childStore(initialState: 0, stateMapping: { local, own in own }, reducer: { own, _ in own += 1 })
    let steps = RecordedValues<Model>()
    store.subscribe(observer: .recording(in: steps))
    for committing in [child.store(), below.scope(to: { _ in Local() })] {
      #expect(throws: Refusal()) {
        try committing.commit { local throws(Refusal) in
          local.count = 9
          throw Refusal()
        }
      }
    }
    #expect(child.state == Local())
    #expect(below.state == 0)
    #expect(store.state == Model())
    #expect(steps.values.count == 1)
    below.commit { $0.count = 2 }
    #expect(child.state?.count == (isReplaced ? 102 : 2))
    #expect(child.state?.note == "called")
    #expect(below.state == 1)
    #expect(store.state.total == 1)
  }

  @Test func `O5 if an ancestor's replacement fails, the child's own change is undone with the step`() {
    // A mutation of a part that is nil, as interceptors receive it.
    let taken = RecordedValues<Mutation<Model>>()
    let source = CommitStore(
      initialState: Model(),
      feature: Feature(interceptor: { mutation, _ in taken.append(mutation) }, reducer: nil)
    )
    source.scope(atOptional: \.guest).commitLater { $0 += 1 }
    #expect(source.state == Model())
    let root = CommitStore(
      initialState: Model(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in mutation.name == "failing" ? .replace(with: taken.values[0]) : .pass }
        ]
      )
    )
    let child = root.childCommitStore(initialState: Local())
    child.commitLater(named: "failing") { $0.count = 1 }
    #expect(child.state == Local())
    child.commitLater { $0.count = 1 }
    #expect(child.state?.count == 1)
  }

  @Test
  func `a child's change stays if the mutation that replaces it is part of its ancestors' action and fails`() {
    enum Action: Sendable {
      case mutation(Mutation<Model>)
    }
    let taken = RecordedValues<Mutation<Model>>()
    let source = CommitStore(
      initialState: Model(),
      feature: Feature(interceptor: { mutation, _ in taken.append(mutation) }, reducer: nil)
    )
    source.scope(atOptional: \.guest).commitLater { $0 += 1 }
    #expect(source.state == Model())
    let root = StoreFactory<Model, Action>(
      initialState: Model(),
      feature: Feature(
        interceptors: [
          Interceptor { action, _ in
            guard case .mutation(let mutation) = action, !mutation.isAwaited else { return .pass }
            return .replace(with: .mutation(taken.values[0]))
          }
        ],
        reducer: { model, action in if case .mutation(let mutation) = action { mutation.apply(to: &model) } }
      )
    )
    let child = root.scope(to: { $0 }, action: Action.mutation).childCommitStore(initialState: Local())
    let counts = RecordedValues<Int>()
    child.subscribe(
      observer: Observer { local in
        counts.append(local.count)
        return .active
      })
    child.commitLater { $0.count = 1 }
    #expect(child.state?.count == 1)
    child.commit { $0.count += 1 }
    #expect(counts.values == [0, 1, 2])
  }

  // MARK: What the tree above sees

  @Test func `O4 interceptors, middleware and effects are called from the child up to the root, with the same name`() {
    let log = RecordedValues<String>()
    func feature<State: Sendable>(_ name: String, of _: State.Type) -> Feature<State, Mutation<State>> {
      Feature(
        interceptors: [
          Interceptor { mutation, _ in
            log.append("\(name) intercepts \(mutation) \(mutation.isAwaited)")
            return .pass
          }
        ],
        effects: { _, mutation in
          log.append("\(name) declares effects of \(mutation)")
          return .none
        },
        reducer: { _, mutation in log.append("\(name) is after \(mutation)") }
      )
    }
    let store = CommitStore(initialState: Model(), feature: feature("root", of: Model.self))
    let child = store.childCommitStore(initialState: Local(), feature: feature("child", of: Local.self))
    child.commit(named: "count") { local in
      log.append("count")
      local.count += 1
    }
    #expect(
      log.values == [
        "child intercepts count true", "root intercepts count true", "count", "child is after count",
        "root is after count", "child declares effects of count", "root declares effects of count",
      ]
    )
    log.removeAll()
    child.commitLater(named: "later") { $0.count += 1 }
    _ = store.state
    #expect(log.values.prefix(2) == ["child intercepts later false", "root intercepts later false"])
    #expect(store.state == Model())
  }

  @Test func `an ancestor adds to the step of a child's commit by a replacement, and drops a later commit`() {
    let store = CommitStore(
      initialState: Model(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            guard mutation.name != "drop" else { return .drop }
            return .replace(with: Mutation { if mutation.apply(to: &$0) { $0.names.append(mutation.name) } })
          }
        ]
      )
    )
    let child = store.childCommitStore(initialState: Local())
    let steps = RecordedValues<[String]>()
    store.subscribe(
      observer: Observer {
        steps.append($0.names)
        return .active
      })
    child.commit(named: "own") { $0.count = 1 }
    child.commitLater(named: "drop") { $0.count = 2 }
    #expect(child.state?.count == 1)
    #expect(steps.values == [[], ["own"]])
  }

  @Test func `a child's commit that an ancestor drops stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = CommitStore(initialState: 0, feature: Feature(interceptors: [Interceptor { _, _ in .drop }]))
      store.childCommitStore(initialState: 0).commit { $0 += 1 }
    }
    expect(result, contains: "A commit did not reach its reducer")
  }

  @Test func `middleware scoped to a part sees only the commits of children of that part`() {
    let feature = Feature<Model, Mutation<Model>>.combined(
      Feature<Int, Mutation<Int>> { total, _ in total += 100 }.scoped(at: \.total),
      Feature { model, mutation in model.names.append(mutation.name) }
    )
    let store = CommitStore(initialState: Model(), feature: feature)
    let ofPart = store.scope(at: \.total).childCommitStore(initialState: 0)
    store.childCommitStore(initialState: Local()).commit(named: "of the whole") { $0.count = 1 }
    #expect(store.state == Model(names: ["of the whole"]))
    ofPart.commit(named: "of the part") { $0 = 1 }
    #expect(store.state == Model(total: 100, names: ["of the whole", "of the part"]))
  }

  @Test func `monitors receive a child's commit once, with the child's own mutation`() {
    let watcher = Watcher()
    let store = CommitStore(initialState: Model(), settings: TreeSettings(monitors: [watcher]))
    let child = store.childCommitStore(initialState: Local())
    child.commit(named: "own") { $0.count = 1 }
    store.commit(named: "root") { $0.total = 1 }
    let actions = watcher.lines.values.filter { $0.contains("reduced") }
    #expect(actions == ["own to Local: reduced", "root to Model: reduced"])
  }

  // MARK: Work of the child

  @Test func `tasks and effects of the child send mutations of its own state`() async throws {
    let store = CommitStore(initialState: Model())
    let child = store.childCommitStore(
      initialState: Local(),
      feature: Feature(
        effects: { _, mutation in
          mutation.name == "start" ? .run { dispatch in dispatch(Mutation(named: "end") { $0.note = "ended" }) } : .none
        }
      )
    )
    try await child.task { dispatch in dispatch(Mutation { $0.count = 3 }) }.value
    #expect(child.state?.count == 3)
    await child.perform(Mutation(named: "start") { $0.count = 4 })
    #expect(child.state?.note == "ended")
    #expect(store.state == Model())
  }

  @Test func `a commit of a child does not touch a computed part of its parent`() {
    struct Holder: Equatable, Sendable {
      var assignments = 0
      var computed: Int {
        get { 0 }
        set { assignments += 1 }
      }
    }
    let store = CommitStore(initialState: Holder())
    let child = store.scope(at: \.computed).childCommitStore(initialState: 0)
    child.commit { $0 += 1 }
    child.commitLater { $0 += 1 }
    #expect(child.state == 2)
    #expect(store.state == Holder())
  }

  @Test func `a child of a nil part keeps its own state and commits to it, though it delivers none`() {
    let store = CommitStore(initialState: Model())
    let child = store.scope(atOptional: \.guest)
      .childCommitStore(initialState: 1, stateMapping: { guest, own in guest * own })
    #expect(child.state == nil)
    #expect(
      child.commit { own in
        own += 1
        return own
      } == 2)
    store.commit { $0.guest = 10 }
    #expect(child.state == 20)
  }

  @Test func `a child of a scope whose actions contain mutations commits its own state`() {
    enum Action: Sendable { case name(Mutation<String>) }
    let factory = StoreFactory<Model, Action>(initialState: Model(names: ["Ada"])) { state, action in
      if case .name(let mutation) = action, mutation.apply(to: &state.names[0]) { state.total += 1 }
    }
    let child = factory.scope(to: { $0.names[0] }, action: Action.name)
      .childCommitStore(initialState: 0, stateMapping: { name, count in "\(name) \(count)" })
    child.commit { $0 += 1 }
    #expect(child.state == "Ada 1")
    #expect(factory.state == Model(total: 1, names: ["Ada"]))
  }

  @Test func `a commit of a child below a nil part does nothing, even if an interceptor wraps it`() {
    struct Whole: Sendable { var part: Int? }
    let store = CommitStore(initialState: Whole())
    let wrapping = Interceptor<Int, Mutation<Int>> { mutation, _ in
      .replace(with: Mutation { state in mutation.apply(to: &state) })
    }
    let child = store.scope(atOptional: \.part)
      .childStore(
        initialState: 0,
        stateMapping: { $1 },
        feature: Feature(interceptors: [wrapping], reducer: { own, _ in own += 1 })
      )
    #expect(child.commit { $0 += 1 } == nil)
    store.commit { $0.part = 1 }
    #expect(child.commit { $0 += 1 } != nil)
    #expect(store.state.part == 2)
  }

  // MARK: Lifetime

  @Test(.reports("used after its owner was released"))
  func `L1, L4 a child keeps its ancestors alive, is closed if the owner is gone, and does nothing once it is gone`() {
    var store: CommitStore<Model>? = CommitStore(initialState: Model())
    let root = store!.rootStore()
    var child: StoreObject<Local, Mutation<Local>>? = store!.childCommitStore(initialState: Local())
    let own = child!.store()
    store = nil
    #expect(own.commit { $0.count += 1 } != nil)
    #expect(root.state == Model())
    own.commitLater { _ in }
    child = nil
    #expect(own.commit { $0.count } == nil)
    #expect(root.state == nil)
    #expect(root.childCommitStore(initialState: 0).commit { $0 += 1 } == nil)
  }

  @Test func `a test store of a child asserts its commits`() async {
    let test = TestStore(initialState: Model())
    let child = test.childCommitStore(initialState: Local())
    let store = child.store()
    await child.during({ _ = store.commit { $0.count = 1 } }, expect: { $0.count = 1 })
    child.store().commitLater(named: "later") { $0.count = 2 }
    await child.receive(where: { $0.name == "later" }, { $0.count = 2 })
    await test.finish()
  }
}
