import Arbor
import ArborTesting
import TestSupport
import Testing

/// One place decides if an action was a step: after the reducers of all stations, no matter what they have applied.
@Suite("Steps of commits that fail")
struct StepDecisionTests {
  private struct Model: Equatable, Sendable {
    var total = 0
    var visits = 0
    var guest: Int?
  }

  /// An interceptor that counts each mutation that takes place.
  private var counting: Interceptor<Model, Mutation<Model>> {
    Interceptor { mutation, _ in .replace(with: Mutation { if mutation.apply(to: &$0) { $0.visits += 1 } }) }
  }

  /// A mutation of a part that is nil, as interceptors receive it.
  private func failingMutation() -> Mutation<Model> {
    let taken = RecordedValues<Mutation<Model>>()
    let source = CommitStore(
      initialState: Model(),
      feature: Feature(interceptor: { mutation, _ in taken.append(mutation) }, reducer: nil)
    )
    source.scope(atOptional: \.guest).commitLater { $0 += 1 }
    #expect(source.state == Model())
    return taken.values[0]
  }

  @Test func `O5, N1 a child's commit is undone if an added interceptor of the root replaces it by one that fails`() {
    let failing = failingMutation()
    let root = CommitStore(initialState: Model())
    let adding = root.add(
      interceptor: Interceptor { mutation, _ in mutation.name == "failing" ? .replace(with: failing) : .pass }
    )
    let child = root.childCommitStore(initialState: 0)
    let states = RecordedValues<Int>()
    child.subscribe(observer: .recording(in: states))
    child.commitLater(named: "failing") { $0 = 42 }
    #expect(child.state == 0)
    child.commitLater { $0 = 1 }
    #expect(child.state == 1)
    #expect(states.values == [0, 1])
    withExtendedLifetime(adding) {}
  }

  @Test(arguments: [1, 2, 3])
  func `O5, N1 a commit that throws makes no step, no matter how often it is wrapped`(wrappers: Int) {
    let root = CommitStore(
      initialState: Model(),
      feature: Feature(
        interceptors: Array(repeating: counting, count: wrappers),
        reducer: { model, _ in model.total += 1 }
      )
    )
    let states = RecordedValues<Model>()
    root.subscribe(observer: .recording(in: states))
    #expect(throws: Refusal()) { try root.commit { _ throws(Refusal) in throw Refusal() } }
    #expect(states.values == [Model()])
    root.commit { $0.total = 10 }
    #expect(states.values == [Model(), Model(total: 11, visits: wrappers)])
  }

  @Test func `O5, N1 a commit that took place makes a step, no matter what fails in its middleware`() {
    let failing = failingMutation()
    let effects = RecordedValues<Int>()
    let root = CommitStore(
      initialState: Model(),
      feature: Feature(
        effects: { state, _ in
          effects.append(state.total)
          return .none
        },
        reducer: { model, _ in failing.apply(to: &model) }
      )
    )
    let states = RecordedValues<Int>()
    root.scope(to: \.total).subscribe(observer: .recording(in: states))
    root.commit { $0.total = 1 }
    root.commitLater { $0.total = 2 }
    #expect(root.state.total == 2)
    #expect(states.values == [0, 1, 2])
    #expect(effects.values == [1, 2])
  }

  @Test(arguments: [false, true])
  func `O5, N1 a child's reducer is undone if an interceptor of the child has wrapped a commit that throws`(
    isAdded: Bool
  ) {
    let root = CommitStore(initialState: Model())
    let wrapping = Interceptor<Int, Mutation<Model>> { mutation, _ in
      .replace(with: Mutation { if mutation.apply(to: &$0) { $0.visits += 1 } })
    }
    let child = root.childStore(
      initialState: 0,
      stateMapping: { _, count in count },
      feature: Feature(interceptors: isAdded ? [] : [wrapping], reducer: { count, _ in count += 1 })
    )
    let adding = isAdded ? child.add(interceptor: wrapping) : nil
    #expect(throws: Refusal()) {
      try child.scope(to: { _ in Model() }).commit { _ throws(Refusal) in throw Refusal() }
    }
    #expect(child.state == 0)
    child.scope(to: { _ in Model() }).commit { $0.total = 1 }
    #expect(child.state == 1)
    #expect(root.state == Model(total: 1, visits: 1))
    withExtendedLifetime(adding) {}
  }

  @Test func `O5, N1 a child's reducer is undone even if the root has held the failing commit, wrapped below`() {
    let executor = ManualExecutor()
    let held = RecordedValues<HeldAction<Mutation<Model>>>()
    let root = CommitStore(
      initialState: Model(),
      feature: Feature(interceptors: [Interceptor<Model, Mutation<Model>> { _, _ in .hold { held.append($0) } }]),
      settings: TreeSettings(executor: executor)
    )
    let child = root.childStore(
      initialState: 0,
      stateMapping: { model, count in Model(total: count, guest: model.guest) },
      feature: Feature(
        interceptors: [
          Interceptor<Int, Mutation<Model>> { mutation, _ in .replace(with: Mutation { mutation.apply(to: &$0) }) }
        ],
        reducer: { count, _ in count += 1 }
      )
    )
    child.scope(atOptional: \.guest).commitLater { $0 += 1 }
    child.commitLater { $0.visits = 1 }
    executor.run()
    for token in held.values { token.pass() }
    #expect(child.state?.total == 1)
    #expect(root.state == Model(visits: 1))
  }

  @Test func `O5, N1 a child of a scope is undone if it has wrapped a failing commit`() {
    struct Whole: Equatable, Sendable {
      var model = Model()
    }
    let root = CommitStore(initialState: Whole())
    let child = root.scope(at: \.model).childStore(
      initialState: 0,
      stateMapping: { model, count in Model(total: count, guest: model.guest) },
      feature: Feature(
        interceptors: [
          Interceptor<Int, Mutation<Model>> { mutation, _ in .replace(with: Mutation { mutation.apply(to: &$0) }) }
        ],
        reducer: { count, _ in count += 1 }
      )
    )
    child.scope(atOptional: \.guest).commitLater { $0 += 1 }
    #expect(child.state?.total == 0)
    child.commitLater { $0.visits = 1 }
    #expect(child.state?.total == 1)
    #expect(root.state.model.visits == 1)
  }

  @Test func `N1 a commit whose closure applies a failing mutation makes a step with all its other changes`() {
    let failing = failingMutation()
    let root = CommitStore(initialState: Model())
    let child = root.childCommitStore(initialState: Model())
    for store in [root.rootStore(), child.store(), root.scope(at: \.self), child.store().scope(at: \.self)] {
      let totals = RecordedValues<Int>()
      let subscription = store.observe { totals.append($0.total) }
      store.commitLater {
        $0.total += 1
        failing.apply(to: &$0)
      }
      #expect(store.state?.total == totals.values.last)
      #expect(totals.values.count == 2)
      #expect(store.commit(Mutation { failing.apply(to: &$0) }))
      subscription.cancel()
    }
  }

  @Test func `O5 a failing mutation in a child's reducer does not affect one that the root's reducer applies`() {
    let root = StoreFactory<Model, Mutation<Model>>(
      initialState: Model(guest: 1),
      reducer: { state, mutation in mutation.apply(to: &state) }
    )
    let child = root.childStore(
      initialState: Model(),
      stateMapping: { state, _ in state },
      reducer: { own, mutation in mutation.apply(to: &own) }
    )
    child.scope(atOptional: \.guest).commitLater { $0 += 1 }
    #expect(root.state.guest == 2)
  }

  @Test func `O5 a mutation that replaces an awaited one is awaited too`() {
    let awaited = RecordedValues<Bool>()
    let dropping = Interceptor<Model, Mutation<Model>> { mutation, _ in
      awaited.append(mutation.isAwaited)
      return mutation.isAwaited ? .pass : .drop
    }
    let root = CommitStore(initialState: Model(), feature: Feature(interceptors: [counting, dropping]))
    root.commit { $0.total = 1 }
    root.commitLater { $0.total = 2 }
    #expect(root.state == Model(total: 1, visits: 1))
    #expect(awaited.values == [true, false])
  }
}

private struct Refusal: Error, Equatable {}
