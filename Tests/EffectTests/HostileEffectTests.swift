import Arbor
import ArborTesting
import TestSupport
import Testing

/// Legal use of effects and tasks that once broke laws.
@Suite("Hostile use of effects")
struct HostileEffectTests {
  private struct Work: Equatable, Sendable {
    var job = JobState()
    var begun = 0
  }

  private enum WorkAction: Sendable { case run, restart, begun }

  private static func working() -> Work {
    var work = Work()
    work.job.run()
    return work
  }

  private static let reducer: Reducer<Work, WorkAction> = { state, action in
    switch action {
    case .run: state.job.run()
    case .restart: state.job.restart()
    case .begun: state.begun += 1
    }
  }

  @Test(arguments: [false, true])
  func `L6, O4 effects are requested for actions of a new store's state effects, on any thread`(isChild: Bool) {
    let asked = Protected(0)
    let effects: @Sendable (Work, WorkAction) -> Effect<WorkAction> = { _, action in
      if case .begun = action { asked.withLock { $0 += 1 } }
      return .none
    }
    let stateEffects = [StateEffect<Work, WorkAction>(\.job) { _ in .send(.begun) }]
    let rounds = 500
    let parent = StoreFactory<Int, WorkAction>(initialState: 0, reducer: { count, _ in count += 1 })
    for _ in 0..<rounds {
      if isChild {
        let child = parent.childStore(
          initialState: Self.working(),
          stateMapping: { ($0, $1) },
          feature: Feature(effects: effects, stateEffects: stateEffects, reducer: Self.reducer)
        )
        parent.rootStore().dispatch(.run)
        while child.state?.1.begun == 0 {}
      } else {
        let factory = StoreFactory(
          initialState: Self.working(),
          feature: Feature(effects: effects, stateEffects: stateEffects, reducer: Self.reducer)
        )
        while factory.state.begun == 0 {}
      }
    }
    #expect(asked.withLock { $0 } == rounds)
  }

  @Test(arguments: ["restart", "cancel"], [false, true])
  func `the next attempt waits for the end of the last, whose body ignores its cancellation`(
    how: String,
    isConcatenated: Bool
  ) async {
    struct State: Sendable { var job = JobState() }
    let executor = ManualExecutor()
    let running = Protected(0)
    let most = Protected(0)
    let gate = Gate()
    let factory = StoreFactory<State, String>(
      initialState: State(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.job) { _ in
            let work = Effect<String>.run { _ in
              let count = running.withLockInAsync { running in
                running += 1
                return running
              }
              most.withLockInAsync { $0 = max($0, count) }
              await gate.pass()
              running.withLockInAsync { $0 -= 1 }
            }
            return isConcatenated ? .concatenate(.send("nothing"), work) : work
          }
        ]
      ) { state, action in
        switch action {
        case "run": state.job.run()
        case "cancel": state.job.cancel()
        case "restart": state.job.restart()
        default: break
        }
      },
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    store.dispatch("run")
    executor.run()
    if how == "cancel" {
      store.dispatch("cancel")
      store.dispatch("run")
    } else {
      store.dispatch("restart")
    }
    executor.run()
    #expect(running.withLockInAsync { $0 } == 1)
    gate.open()
    await executor.settle()
    #expect(most.withLockInAsync { $0 } == 1)
    #expect(running.withLockInAsync { $0 } == 0, "the second attempt has run as well")
  }

  @Test(arguments: [false, true])
  func `O2 a cancel in a callback does not affect effects of later actions`(isEffect: Bool) {
    let executor = ManualExecutor()
    let started = RecordedValues<Int>()
    let effects: @Sendable (Int, Int) -> Effect<Int> = { state, _ in
      guard isEffect, !state.isMultiple(of: 2) else { return .none }
      return .run(key: "work", mode: .keepCurrent) { _ in started.append(state) }
    }
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(effects: effects, reducer: { $0 = $1 }),
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    let subscription = store.observe { (state: Int) in
      if state.isMultiple(of: 2) {
        store.cancel("work")
      } else if !isEffect {
        store.task(key: "work", mode: .keepCurrent) { _ in started.append(state) }
      }
    }
    executor.run()
    // All are accepted before the first is reduced.
    store.dispatch(1)
    store.dispatch(2)
    store.dispatch(3)
    executor.run()
    #expect(started.values.last == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test func `O2 a cancel and then a task with its key in one callback keep the task`() {
    let executor = ManualExecutor()
    let started = RecordedValues<Int>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let store = factory.rootStore()
    let subscription = store.observe(initial: false) { (state: Int) in
      store.cancel("work")
      store.task(key: "work") { _ in started.append(state) }
    }
    executor.run()
    store.dispatch(1)
    store.dispatch(2)
    executor.run()
    #expect(started.values.last == 2)
    withExtendedLifetime(subscription) {}
  }
}
