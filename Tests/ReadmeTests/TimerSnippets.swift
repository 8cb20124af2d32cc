import Arbor
import ArborDevTools
import ArborTesting
import Testing

// The timer of the articles about side effects and testing. Another test compares the texts.

enum TimerAction: Equatable, Sendable {
  case start, stop, tick
}

func timer(clock: any Clock<Duration> = ContinuousClock()) -> Feature<Int, TimerAction> {
  Feature(
    effects: { _, action in
      switch action {
      case .start:
        .run(key: "tick", mode: .dropCurrent) { dispatch in
          while true {
            try await clock.sleep(for: .seconds(1))
            dispatch(.tick)
          }
        }
      case .stop: .cancel("tick")
      case .tick: .none
      }
    },
    reducer: { seconds, action in if case .tick = action { seconds += 1 } }
  )
}

@Suite("A timer")
struct TimerSnippets {
  @Test func `a test moves the clock on which an effect sleeps`() async {
    let clock = TestClock()
    let store = TestStore(initialState: 0, feature: timer(clock: clock), clock: clock)

    await store.send(.start)
    clock.advance(by: .seconds(1))
    await store.receive(.tick) { $0 = 1 }
    await store.send(.stop)
    await store.finish()
  }

  @Test func `a factory is stepped manually, with its own clock`() {
    let executor = ManualExecutor()
    let clock = TestClock()
    let recorder = Recorder<Int, TimerAction>()
    let ticking = StoreFactory(
      initialState: 0,
      feature: timer(clock: clock),
      settings: TreeSettings(clock: clock, monitors: [recorder], executor: executor)
    )
    ticking.dispatch(.start)
    executor.run()
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(recorder.recording?.count == 2)  // start, and a tick
  }
}
