import Arbor
import ArborTesting
import Testing

@Suite("Clocks and executors")
struct ClockTests {
  let clock = TestClock()
  let executor = ManualExecutor()
  let log = Log()

  private func factory() -> StoreFactory<Int, Int> {
    StoreFactory(
      initialState: 0,
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: { $0 += $1 }
    )
  }

  private func note(_ text: String) {
    log.add("\(text) at \(clock.now.offset.components.seconds)")
  }

  @Test func `a clock moves to a time, and never back`() {
    clock.advance(to: TestClock.Instant(offset: .seconds(5)))
    clock.advance(to: TestClock.Instant(offset: .seconds(3)))
    clock.advance(by: .seconds(-1))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `sleeping tasks wake by their times, and in the order of arrival for the same time`() {
    let factory = factory()
    for (name, seconds) in [("a", 3), ("b", 1), ("c", 3), ("d", 2)] {
      factory.rootStore().task { _ in
        try await clock.sleep(for: .seconds(seconds))
        note(name)
      }
    }
    executor.run()
    clock.advance(by: .seconds(3))
    executor.run()
    #expect(log.lines == ["b at 1", "d at 2", "a at 3", "c at 3"])
  }

  @Test func `woken work runs before time passes further, and at the end is left for the executor`() {
    let factory = factory()
    factory.rootStore().task { _ in
      for _ in 1...5 {
        try await clock.sleep(for: .seconds(1))
        note("tick")
      }
    }
    executor.run()
    clock.advance(by: .seconds(3))
    #expect(log.lines == ["tick at 1", "tick at 2"])
    #expect(executor.pending > 0)
    executor.run()
    #expect(log.lines == ["tick at 1", "tick at 2", "tick at 3"])
    clock.advance(by: .milliseconds(2_500))
    #expect(log.lines.last == "tick at 5")
    #expect(clock.sleepers == 0)
  }

  @Test func `run continues until no task sleeps`() {
    let factory = factory()
    factory.rootStore().task { _ in
      for seconds in [1, 10, 100] {
        try await clock.sleep(for: .seconds(seconds))
        note("tick")
      }
    }
    executor.run()
    clock.run()
    #expect(log.lines == ["tick at 1", "tick at 11", "tick at 111"])
    #expect(clock.sleepers == 0)
    clock.run()
    #expect(clock.now.offset == .seconds(111))
  }

  @Test func `a repeating timer is a failure at the call of run`() async {
    let factory = factory()
    let task = factory.rootStore().task { _ in
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    executor.run()
    let found = await failures { clock.run(atMost: 7) }
    #expect(found.map(\.place.line) == [#line - 1])
    #expect(
      found.first?.failure.text == """
        The clock was advanced 7 times, and code still sleeps on it.

        Expected: no code sleeps on it anymore
        Happened: 1 asleep, and at least one of them goes to sleep again and again
        To fix this, cancel repeating work first, or advance the clock by a duration: `clock.advance(by: …)`.
        """
    )
    #expect(clock.now.offset == .seconds(7))
    task.cancel()
    executor.run()
    #expect(clock.sleepers == 0)
  }

  @Test func `a canceled timer of a store leaves the clock`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in action == 1 ? .run(key: 1, mode: .debounce(.seconds(1))) { $0(2) } : .cancel(1) },
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(clock.sleepers == 1)
    factory.rootStore().dispatch(0)
    executor.run()
    #expect(clock.sleepers == 0)
    clock.run()
    #expect(factory.state == 1)
  }

  @Test func `on an immediate clock time passes immediately, in the order of the sleeps`() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(5))
    #expect(clock.now.offset == .seconds(5))
    try await clock.sleep(until: ImmediateClock.Instant(offset: .seconds(2)))
    #expect(clock.now.offset == .seconds(5))
    let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(clock.minimumResolution == .zero)
  }

  @Test func `on an immediate clock an endless timer lets other work have its turn`() {
    let clock = ImmediateClock()
    let factory = factory()
    let store = factory.rootStore()
    let timer = store.task { dispatch in
      while true {
        try await clock.sleep(for: .seconds(1))
        dispatch(1)
      }
    }
    #expect(executor.run { clock.now.offset >= .seconds(100) })
    #expect(factory.state >= 98)
    timer.cancel()
    executor.run()
  }
}
