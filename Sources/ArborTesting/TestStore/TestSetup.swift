internal import Arbor

/// The setup of a test store's tree, except for the arguments of its factory.
struct TestSetup: Sendable {
  /// The clock of the test, which it can move. If there is none, time stands still.
  let clock: (any Clock<Duration>)?
  let executor: ManualExecutor
  let recorder = TestRecorder()
  let ownsExecutor: Bool
  let exhaustivity: Exhaustivity
  let timeout: Duration

  /// The place where the test creates its store.
  let place: SourcePlace

  init(
    clock: (any Clock<Duration>)?,
    executor: ManualExecutor?,
    exhaustivity: Exhaustivity,
    timeout: Duration,
    place: SourcePlace
  ) {
    self.clock = clock
    self.executor = executor ?? ManualExecutor()
    ownsExecutor = executor == nil
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.place = place
  }

  /// Makes the settings of the tree, with the recorder as its first monitor. Errors of effects are passed to the test's
  /// closure; if there is none, they are failures.
  func treeSettings<Action: Sendable>(
    monitors: [any StoreMonitor],
    onEffectError own: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  ) -> TreeSettings {
    TreeSettings(
      clock: clock ?? TestClock(),
      monitors: [recorder] + monitors,
      onEffectError: { [recorder] key, action, error in
        if let own { return own(key, action.map { $0 as! Action }, error) }
        let stateEffect = InspectedTask.current?.stateEffect?.name
        recorder.note(.effectFailed(key: key, action: action.map(ActionText.of), stateEffect: stateEffect, error))
      },
      executor: executor
    )
  }
}
