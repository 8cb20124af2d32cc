import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Effects and tasks, one step at a time")
struct StepEffectTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  func factory(
    effects: (@Sendable (_ state: [Int], _ action: Int) -> Effect<Int>)? = nil,
    stateEffects: [StateEffect<[Int], Int>] = []
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(effects: effects, stateEffects: stateEffects, reducer: appending),
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  // MARK: State effects and batches

  @Test func `S4 the effect of a change is performed once for a batch, with the state after the batch`() {
    let asked = RecordedValues<[Int]>()
    let factory = factory(stateEffects: [
      StateEffect(onChange: \.self, mode: .parallel) { state in
        asked.append(state)
        return .none
      },
      StateEffect(onChange: \.last) { state in
        asked.append(state)
        return .none
      },
    ])
    executor.run()
    factory.rootStore().dispatch(batch: [5, 0])
    executor.run()
    #expect(asked.values == [[5, 0], [5, 0]])
    factory.rootStore().dispatch(batch: [7])
    executor.run()
    #expect(asked.values.count == 4)
  }

  @Test func `S4 a batch that changes a value and changes it back performs no effect`() {
    let asked = RecordedValues<[Int]>()
    let factory = factory(stateEffects: [
      StateEffect(onChange: { state in state.last.map { $0 > 0 } ?? false }) { state in
        asked.append(state)
        return .none
      },
      StateEffect(while: { state in state.last.map { $0 > 0 } ?? false }) { state in
        asked.append(state)
        return .none
      },
    ])
    executor.run()
    factory.rootStore().dispatch(batch: [5, 0])
    executor.run()
    #expect(asked.values == [])
  }

  @Test func `S4 a job that a batch begins and ends performs nothing, and one that it restarts runs once`() {
    struct Upload: Sendable { var job = JobState() }
    enum Verb { case run, restart, succeed }
    let begun = RecordedValues<Int>()
    let factory = StoreFactory<Upload, Verb>(
      initialState: Upload(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.job) { [clock] state in
            begun.append(state.job.attemptsBegun)
            return .run { _ in try await clock.sleep(for: .seconds(1)) }
          }
        ]
      ) { state, verb in
        switch verb {
        case .run: state.job.run()
        case .restart: state.job.restart()
        case .succeed: state.job.succeed()
        }
      },
      settings: TreeSettings(clock: clock, executor: executor)
    )
    executor.run()
    factory.rootStore().dispatch(batch: [.run, .succeed])
    executor.run()
    #expect(begun.values == [])
    factory.rootStore().dispatch(batch: [.run, .restart, .restart])
    executor.run()
    #expect(begun.values == [4])
    factory.rootStore().dispatch(batch: [.succeed, .restart, .succeed])
    executor.run()
    #expect(clock.sleepers == 0)
  }

  @Test func `F3 a task of a part continues if the part is the same after a batch, and ends if it is another`() {
    struct Part: Identifiable, Sendable { var id: Int }
    struct Whole: Sendable { var part: Part? = Part(id: 1) }
    enum Order: Sendable {
      case start
      case put(Part?)
    }
    let ended = RecordedValues<String>()
    let part = Feature<Part, Order>(
      effects: { [clock] _, action in
        guard case .start = action else { return .none }
        return .run(key: "task") { _ in
          do { try await clock.sleep(for: .seconds(1)) } catch { return ended.append("cancelled") }
          ended.append("done")
        }
      }
    )
    let factory = StoreFactory(
      initialState: Whole(),
      feature: .combined(
        part.scoped(toOptional: \.part, action: { $0 }, extract: { if case .start = $0 { $0 } else { nil } }),
        Feature { state, action in if case .put(let part) = action { state.part = part } }
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.dispatch(.start)
    executor.run()
    factory.rootStore().dispatch(batch: [.put(nil), .put(Part(id: 1))])
    factory.rootStore().dispatch(batch: [.put(Part(id: 2)), .put(nil), .put(Part(id: 1))])
    executor.run()
    #expect(factory.isRunning("task", at: .part(\.part)))
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(ended.values == ["done"])
    factory.dispatch(.start)
    executor.run()
    factory.rootStore().dispatch(batch: [.put(Part(id: 1)), .put(Part(id: 2))])
    executor.run()
    #expect(ended.values == ["done", "cancelled"])
  }

  @Test func `S4 the state effects of a child, its ancestors and their parts are judged after the batch, in order`() {
    struct Root: Sendable {
      var total = 0
      var part = 0
    }
    let asked = RecordedValues<String>()
    let part = Feature<Int, Int>(
      stateEffects: [
        StateEffect(onChange: \.self) { state in
          asked.append("part \(state)")
          return .none
        }
      ],
      reducer: { state, action in state += action }
    )
    let factory = StoreFactory(
      initialState: Root(),
      feature: Feature<Root, Int>.combined(
        Feature(
          effects: { state, action in
            asked.append("action \(action) in \(state.total)")
            return .none
          },
          stateEffects: [
            StateEffect(onChange: \.total) { state in
              asked.append("root \(state.total)")
              return .none
            }
          ],
          reducer: { state, action in state.total += action }
        ),
        part.scoped(to: \.part, action: { $0 }, extract: { $0.isMultiple(of: 2) ? $0 : nil })
      ),
      settings: TreeSettings(executor: executor)
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, own in root.total + own },
      feature: Feature(
        stateEffects: [
          StateEffect(onChange: \.self) { state in
            asked.append("child \(state)")
            return .none
          }
        ],
        reducer: { (state: inout Int, action: Int) in state += action }
      )
    )
    executor.run()
    child.store().dispatch(batch: [1, 2])
    executor.run()
    #expect(asked.values == ["action 1 in 1", "action 2 in 3", "child 3", "root 3", "part 2"])
  }

  // MARK: The end of a task

  @Test func `a task with a key ends when the actions it has sent are reduced`() {
    let factory = factory { _, action in
      action == 1 ? .run(key: "quick", mode: .keepCurrent) { dispatch in dispatch(10) } : .none
    }
    let store = factory.rootStore()
    store.dispatch(1)
    executor.step()
    store.dispatch(1)
    // The body sends its action and returns, while the second tap is waiting.
    executor.run()
    #expect(factory.state == [1, 1, 10])
    #expect(!store.isRunning("quick"))
    store.dispatch(1)
    executor.run()
    #expect(factory.state == [1, 1, 10, 1, 10])
  }

  @Test(arguments: 0..<20)
  func `keepCurrent runs the quick body of three taps in one batch once`(repetition: Int) async {
    let bodies = RecordedValues<Int>()
    let hasRun = DispatchSemaphore(value: 0)
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { state, action in
          // The body of the first tap ends before the second one is reduced, or nearly so.
          if state.count == 2 { hasRun.wait() }
          return .run(key: "quick", mode: .keepCurrent) { _ in
            bodies.append(action)
            hasRun.signal()
          }
        },
        reducer: appending
      )
    )
    factory.rootStore().dispatch(batch: [1, 1, 1])
    await factory.settled()
    #expect(bodies.values == [1])
    #expect(!factory.rootStore().isRunning("quick"))
  }

  @Test func `a task in the queue of its key starts when the actions of the previous one are reduced`() {
    let states = RecordedValues<[Int]>()
    let factory = factory { state, action in
      guard action < 10 else { return .none }
      return .run(key: "queue", mode: .waitInCurrent) { dispatch in
        dispatch(action * 10)
        dispatch(action * 100)
      }
    }
    let store = factory.rootStore()
    let watching = store.observe { state in if state.last == 100 { states.append([store.isRunning("queue") ? 1 : 0]) } }
    store.dispatch(batch: [1, 2])
    executor.run()
    #expect(factory.state == [1, 2, 10, 100, 20, 200])
    #expect(states.values == [[1]])
    #expect(!store.isRunning("queue"))
    watching.cancel()
  }

  @Test func `a task that is canceled before its actions are reduced throws`() async {
    let factory = factory()
    let store = factory.rootStore()
    let value = store.task(key: "a") { dispatch in
      dispatch(1)
      return 2
    }
    executor.step()
    store.cancel("a")
    executor.run()
    await #expect(throws: CancellationError.self) { try await value.value }
    #expect(factory.state == [])
  }

  // MARK: The keys of sequences

  /// Waits at a gate as "first", and then records 2 as "second" and 3 as "third".
  func sequence(_ gate: Gate, second: TaskMode = .parallel) -> Effect<Int> {
    .concatenate(
      .run(key: "first") { _ in await gate.pass() },
      .run(key: "second", mode: second) { dispatch in dispatch(2) },
      .run(key: "third") { dispatch in dispatch(3) }
    )
  }

  @Test(arguments: [false, true])
  func `O2 the key of a later part of a sequence is running, and a cancellation reaches it`(isEffect: Bool) async {
    let gate = Gate()
    let factory = factory { [self] _, action in
      switch action {
      case 1: sequence(gate)
      case 0: .cancel("second")
      default: .none
      }
    }
    let store = factory.rootStore()
    store.dispatch(1)
    executor.run()
    #expect(store.isRunning("second"))
    #expect(store.isRunning("third"))
    #expect(!store.isRunning("fourth"))
    if isEffect { store.dispatch(0) } else { store.cancel("second") }
    #expect(!store.isRunning("second"))
    #expect(store.isRunning("first"))
    gate.open()
    await executor.settle()
    #expect(factory.state == (isEffect ? [1, 0] : [1]))
    #expect(!store.isRunning("third"))
    store.dispatch(1)
    await executor.settle()
    #expect(factory.state.suffix(3) == [1, 2, 3])
    #expect(!store.isRunning("second"))
  }

  @Test func `O2 a cancellation from outside reaches the later parts of sequences of waiting actions`() async {
    let gate = Gate()
    let factory = factory { [self] _, action in action == 1 ? sequence(gate) : .none }
    let store = factory.rootStore()
    store.dispatch(1)
    store.cancel("third")
    gate.open()
    await executor.settle()
    #expect(factory.state == [1, 2])
  }

  @Test func `a canceled key of a part with several tasks cancels only its own task`() async {
    let gate = Gate()
    let factory = factory { _, action in
      action == 1
        ? .concatenate(
          .run { _ in await gate.pass() },
          .merge(
            .run(key: "a") { dispatch in dispatch(2) },
            .run(key: "b") { dispatch in dispatch(3) },
            .concatenate(.run(key: "c") { _ in }, .run(key: "d") { dispatch in dispatch(4) })
          ),
          .send(5)
        ) : .none
    }
    let store = factory.rootStore()
    store.dispatch(1)
    executor.run()
    store.cancel("a")
    store.cancel("d")
    gate.open()
    await executor.settle()
    #expect(factory.state == [1, 3])
  }

  @Test(
    arguments: [(.keepCurrent, [1, 6, 2, 3]), (.dropCurrent, [1, 6, 60]), (.parallel, [1, 6, 60, 2, 3])]
      as [(TaskMode, [Int])])
  func `the mode of a new task counts the later parts of earlier sequences`(mode: TaskMode, states: [Int]) async {
    let gate = Gate()
    let factory = factory { [self] _, action in
      switch action {
      case 1: sequence(gate)
      case 6: .run(key: "second", mode: mode) { dispatch in dispatch(60) }
      default: .none
      }
    }
    let store = factory.rootStore()
    store.dispatch(1)
    store.dispatch(6)
    executor.run()
    gate.open()
    await executor.settle()
    #expect(factory.state == states)
  }

  @Test(arguments: [.parallel, .dropCurrent, .waitInCurrent, .keepCurrent] as [TaskMode])
  func `the parts of a sequence with one key do not block each other`(mode: TaskMode) {
    let factory = factory { _, action in
      action == 1
        ? .concatenate(
          .run(key: "a", mode: mode) { dispatch in dispatch(2) },
          .run(key: "a", mode: mode) { dispatch in dispatch(3) },
          .run(key: "a", mode: mode) { dispatch in dispatch(4) }
        ) : .none
    }
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(factory.state == [1, 2, 3, 4])
  }
}
