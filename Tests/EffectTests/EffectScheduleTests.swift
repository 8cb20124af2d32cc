import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Effects under many schedules")
struct EffectScheduleTests {
  /// A store whose actions below ten have an effect of a mode, which records its calls and sends an action that is ten
  /// higher.
  private func factory(
    _ mode: TaskMode,
    on executor: ManualExecutor,
    _ note: @escaping @Sendable (_ text: String) -> Void = { _ in }
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          guard action < 10 else { return .none }
          return .run(key: "key", mode: mode) { dispatch in
            note("begin \(action)")
            await Task.yield()
            dispatch(action + 10)
            await Task.yield()
            note("end \(action)")
          }
        },
        reducer: appending
      ),
      settings: TreeSettings(executor: executor)
    )
  }

  @Test func `tasks that wait for the current one never run at the same time`() async {
    await ManualExecutor.explore(schedules: 100) { executor in
      let log = RecordedValues<String>()
      let factory = factory(.waitInCurrent, on: executor) { log.append($0) }
      for action in 0..<4 { factory.rootStore().dispatch(action) }
      executor.run()
      try #require(log.values == (0..<4).flatMap { ["begin \($0)", "end \($0)"] })
      try #require(factory.state.filter { $0 >= 10 } == [10, 11, 12, 13])
    }
  }

  @Test func `no action of a dropped task is reduced after an action of the task that displaced it`() async {
    let orders = RecordedValues<[Int]>()
    await ManualExecutor.explore(schedules: 100) { executor in
      let factory = factory(.dropCurrent, on: executor)
      for action in 0..<4 {
        factory.rootStore().dispatch(action)
        for _ in 0..<5 { executor.step() }
      }
      executor.run()
      orders.append(factory.state)
      for action in 0..<4 {
        guard let answer = factory.state.firstIndex(of: action + 10) else { continue }
        try #require(!factory.state[..<answer].contains(action + 1))
      }
      try #require(factory.state.last == 13)
    }
    #expect(Set(orders.values).count > 1, "the schedules differ")
  }

  @Test func `a canceled task's actions are not reduced, wherever they are waiting`() async {
    await ManualExecutor.explore(schedules: 100) { executor in
      let factory = factory(.parallel, on: executor)
      let store = factory.rootStore()
      for action in 0..<4 { store.dispatch(action) }
      for _ in 0..<7 { executor.step() }
      store.cancel("key")
      let reduced = RecordedValues<Int>()
      let subscription = store.observe(initial: false) { (state: [Int]) in reduced.append(state.last ?? -1) }
      executor.run()
      try #require(reduced.values.allSatisfy { $0 < 10 })
      try #require(!store.isRunning("key"))
      subscription.cancel()
    }
  }
}
