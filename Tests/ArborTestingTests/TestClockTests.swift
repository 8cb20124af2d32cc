import Arbor
import ArborTesting
import Dispatch
import Testing

@Suite("TestClock")
struct TestClockTests {
  let clock = TestClock()

  @Test func `a clock stands still until a test moves it`() {
    #expect(clock.now.offset == .zero)
    clock.advance(by: .seconds(2))
    clock.advance(by: .milliseconds(500))
    #expect(clock.now.offset == .milliseconds(2500))
    #expect(clock.now.advanced(by: .seconds(1)).duration(to: clock.now) == .seconds(-1))
  }

  @Test func `a negative number of moments counts as 0`() {
    clock.run(atMost: .min)
    #expect(clock.now.offset == .zero)
  }

  @Test func `sleeping tasks resume when their time has come`() async throws {
    let log = Log()
    let sleepers = [3, 1, 2].map { seconds in
      Task.immediate {
        try await clock.sleep(for: .seconds(seconds))
        log.add("\(seconds) at \(clock.now.offset.components.seconds)")
      }
    }
    #expect(clock.sleepers == 3)
    clock.advance(by: .seconds(1))
    try await sleepers[1].value
    #expect(log.lines == ["1 at 1"])
    clock.advance(by: .seconds(1))
    try await sleepers[2].value
    clock.advance(by: .seconds(5))
    try await sleepers[0].value
    #expect(log.lines == ["1 at 1", "2 at 2", "3 at 7"])
    #expect(clock.sleepers == 0)
  }

  @Test func `sleeping until a past time returns immediately`() async throws {
    let time = clock.now
    clock.advance(by: .seconds(1))
    let passed = Task.immediate { try await clock.sleep(until: time) }
    let none = Task.immediate { try await clock.sleep(for: .zero) }
    #expect(clock.sleepers == 0)
    try await passed.value
    try await none.value
  }

  @Test func `a canceled task does not sleep`() async {
    let sleeper = Task.immediate { try await clock.sleep(for: .seconds(1)) }
    #expect(clock.sleepers == 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
    let late = Task { try await clock.sleep(for: .seconds(1)) }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `timers of a store are steps of its manual executor`() {
    let executor = ManualExecutor()
    let log = Log()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: { $0 += $1 }
    )
    let subscription = factory.observe(on: .latest(on: .global(), atMostEvery: .seconds(1))) { (state: Int) in
      log.add("\(state) at \(clock.now.offset.components.seconds)")
    }
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(log.lines == ["0 at 0"])
    clock.advance(by: .seconds(1))
    #expect(executor.pending == 1)
    executor.run()
    #expect(log.lines == ["0 at 0", "1 at 1"])
    subscription.cancel()
  }
}
