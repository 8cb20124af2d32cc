import Arbor
import ArborDevTools

/// Records the actions of a store as steps of a test.
final class RunMonitor<State: Equatable & Sendable, Action: Sendable>: StoreMonitor {
  private struct Content {
    var steps: [TestSource<State, Action>.Step] = []

    /// The actions of a batch whose last action has not arrived.
    var batch: [Action] = []
  }

  private let content = Protected(Content())

  let timingInterval = 0
  let wantsCauses = true

  var steps: [TestSource<State, Action>.Step] { content.withLock { $0.steps } }

  func wantsStates(of action: borrowing MonitoredAction) -> Bool { true }

  func monitor(_ record: borrowing ActionRecord) {
    guard let action = record.action.value(as: Action.self) else { return }
    let origin = record.cause.kind == .outside ? TestStepOrigin.sent : .received
    let (state, isLast) = (record.states.last?.after as? State, record.isLastOfStep)
    content.withLock { content in
      content.batch.append(action)
      guard isLast, let state else { return }
      content.steps.append(TestSource.Step(origin, content.batch, state: state))
      content.batch = []
    }
  }
}

extension TestSource.Step {
  /// A step with an action, or with several as a batch.
  fileprivate init(_ origin: TestStepOrigin, _ actions: [Action], state: State) {
    self = actions.count == 1 ? .init(origin, actions[0], state: state) : .init(origin, batch: actions, state: state)
  }
}
