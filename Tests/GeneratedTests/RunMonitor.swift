import Arbor
import ArborDevTools

/// Notes what a shop does, as the steps of a test.
final class RunMonitor: StoreMonitor {
  private let content = Protected<[TestSource<Shop, ShopAction>.Step]>([])

  let timingInterval = 0
  let wantsCauses = true

  var steps: [TestSource<Shop, ShopAction>.Step] { content.withLock { $0 } }

  func wantsStates(of action: borrowing MonitoredAction) -> Bool { true }

  func monitor(_ record: borrowing ActionRecord) {
    guard let action = record.action.value(as: ShopAction.self), let state = record.states.last?.after as? Shop else {
      return
    }
    let origin = record.cause.kind == .outside ? TestStepOrigin.sent : .received
    content.withLock { $0.append(TestSource.Step(origin, action, state: state)) }
  }
}
