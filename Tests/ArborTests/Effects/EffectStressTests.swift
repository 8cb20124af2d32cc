import Arbor
import Testing

@Suite("Effects under stress")
struct EffectStressTests {
  /// Effects of every form and mode.
  @Sendable
  static func effect(of action: Int) -> Effect<Int> {
    switch action % 8 {
    case 0: .run(key: action % 3, mode: .dropCurrent) { dispatch in dispatch(7) }
    case 1:
      .concatenate(.run(key: 1) { dispatch in dispatch(7) }, .send(7), .run(key: 2, mode: .waitInCurrent) { _ in })
    case 2: .merge(.cancel(1), .run(key: 2, mode: .debounce(.microseconds(10))) { dispatch in dispatch(7) })
    case 3: .run(key: 0, mode: .throttle(.microseconds(10), latest: true)) { dispatch in dispatch(7) }
    case 4: .run(key: 0, mode: .keepCurrent) { dispatch in dispatch(7) }
    case 5: .run(key: 1, mode: .waitInCurrent) { dispatch in for _ in 0..<3 { dispatch(7) } }
    default: .none
    }
  }

  @Test(arguments: 0..<5)
  func `effects, tasks, cancels, activities and releases on four threads leave nothing behind`(round: Int) async {
    let freed = AsyncStream<Void>.makeStream()
    var remaining: [@Sendable () async -> Bool] = []
    do {
      let object = Object { freed.continuation.finish() }
      let factory = StoreFactory<(Int, Object), Int>(
        initialState: (0, object),
        effects: { _, action in Self.effect(of: action) },
        reducer: { state, action in state.0 = action }
      )
      let store = factory.rootStore()
      let child = factory.childStore(
        initialState: 0,
        stateMapping: { state, _ in state.0 },
        effects: { _, action in Self.effect(of: action + 1) },
        reducer: { $0 = $1 }
      )
      let part = store.scope(toOptional: { $0.0.isMultiple(of: 2) ? $0.0 : nil }, action: { (action: Int) in action })
      let childStore = child.store()
      let listening = factory.observe(activities: Int.self) { _ in }
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<100 {
              switch (number + thread) % 8 {
              case 0: store.dispatch(number)
              case 1: childStore.dispatch(number)
              case 2: part.task(key: number % 2) { dispatch in dispatch(2) }
              case 3: store.cancel(number % 3)
              case 4: childStore.cancelAllTasks()
              case 5:
                let performing = Task { await childStore.perform(number) }
                performing.cancel()
                await performing.value
              case 6: _ = try? await store.task(key: 1, mode: .dropCurrent) { dispatch in dispatch(7) }.value
              default: store.emit(number)
              }
            }
          }
        }
      }
      remaining = [isBusy(store), isBusy(childStore), isBusy(part)]
      withExtendedLifetime((factory, child, listening)) {}
    }
    for isBusy in remaining { #expect(await !isBusy()) }
    // Ends when the state is freed.
    for await _ in freed.stream {}
  }

  /// Whether a store has tasks of one of these keys when all are said to have finished.
  private func isBusy<State: Sendable>(_ store: Store<State, Int>) -> @Sendable () async -> Bool {
    {
      await store.tasksFinished()
      return (0...2).contains { store.isRunning($0) }
    }
  }
}
