import Arbor
import ArborTesting
import TestSupport
import Testing

/// Records each action with its number and its cause, and the causes of tasks.
private final class CauseWatcher: StoreMonitor {
  let wantsCauses: Bool
  let lines = RecordedValues<String>()
  private let tasks = RecordedValues<UInt64>()

  init(wantsCauses: Bool = true) {
    self.wantsCauses = wantsCauses
  }

  func monitor(_ record: borrowing ActionRecord) {
    lines.append("\(record.number). \(record.action.value): \(text(record.cause))")
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    guard case .taskStarted(let task) = event else { return }
    tasks.append(task.id)
    lines.append("task \(task.key.map { "\($0)" } ?? ""): \(text(task.cause))")
  }

  private func text(_ cause: ActionCause) -> String {
    var text = cause.kind.rawValue
    if let action = cause.action { text += " \(action)" }
    if let task = cause.task { text += " of task \(tasks.values.firstIndex(of: task).map { $0 + 1 } ?? 0)" }
    return text
  }
}

@Suite("Causes")
struct CauseTests {
  private let executor = ManualExecutor()
  private let watcher = CauseWatcher()

  private func factory(_ feature: Feature<Int, Int>, clock: TestClock = TestClock()) -> StoreFactory<Int, Int> {
    StoreFactory(
      initialState: 0,
      feature: feature,
      settings: TreeSettings(clock: clock, monitors: [watcher], executor: executor)
    )
  }

  @Test func `actions dispatched outside have an outside cause, and are numbered from 1`() {
    let factory = factory(Feature { $0 += $1 })
    factory.dispatch(10)
    factory.dispatch(batch: [20, 30])
    executor.run()
    factory.dispatchAndWait(40)
    #expect(watcher.lines.values == ["1. 10: outside", "2. 20: outside", "3. 30: outside", "4. 40: outside"])
  }

  @Test func `an interceptor, an effect and an observer cause the actions that they send for an action`() {
    let factory = factory(
      Feature(
        interceptor: { action, dispatch in if action == 1 { dispatch(10) } },
        effects: { _, action in action == 1 ? .send(20) : .none },
        reducer: { $0 += $1 }
      )
    )
    let store = factory.rootStore()
    store.subscribe(
      observer: Observer { state in
        if state == 1 { store.dispatch(30) }
        return .active
      })
    executor.run()
    factory.dispatch(1)
    executor.run()
    #expect(watcher.lines.values == ["1. 1: outside", "2. 10: action 1", "3. 20: action 1", "4. 30: action 1"])
  }

  @Test func `actions after a batch are caused by its last action, and actions sent for one of them by that one`() {
    let factory = factory(
      Feature(effects: { _, action in action == 1 ? .send(10) : .none }, reducer: { $0 += $1 })
    )
    let store = factory.rootStore()
    store.subscribe(
      observer: Observer { state in
        if state == 3 { store.dispatch(30) }
        return .active
      })
    executor.run()
    factory.dispatch(batch: [1, 2])
    executor.run()
    #expect(watcher.lines.values == ["1. 1: outside", "2. 2: outside", "3. 10: action 1", "4. 30: action 2"])
  }

  @Test func `a task causes the actions that it sends, and is caused by the action that started it`() async {
    let factory = factory(
      Feature(
        effects: { _, action in
          action == 1
            ? .run(key: "load") { dispatch in
              dispatch(10)
              dispatch(20)
            } : .none
        },
        reducer: { $0 += $1 }
      )
    )
    factory.dispatch(1)
    await executor.settle()
    #expect(
      watcher.lines.values == [
        "1. 1: outside", "task load: action 1", "2. 10: task 1 of task 1", "3. 20: task 1 of task 1",
      ])
  }

  @Test func `a task started outside has no causing action, and neither do the actions that it sends`() async {
    let factory = factory(Feature { $0 += $1 })
    factory.task(key: "load") { dispatch in dispatch(10) }
    await executor.settle()
    #expect(watcher.lines.values == ["task load: outside", "1. 10: task of task 1"])
  }

  @Test func `actions of an activity's observer are caused by the origin of the activity`() async {
    struct Ping: Sendable { let answer: Int }
    let factory = factory(
      Feature(
        effects: { _, action in
          switch action {
          case 1: .emit(Ping(answer: 10))
          case 2: .run(key: "load") { _, emit in emit(Ping(answer: 20)) }
          default: .none
          }
        },
        reducer: { $0 += $1 }
      )
    )
    let store = factory.rootStore()
    let hearing = store.observe(activities: Ping.self) { store.dispatch($0.answer) }
    executor.run()
    factory.dispatch(1)
    await executor.settle()
    factory.dispatch(2)
    await executor.settle()
    store.emit(Ping(answer: 30))
    await executor.settle()
    #expect(
      watcher.lines.values == [
        "1. 1: outside", "2. 10: activity 1",
        "3. 2: outside", "task load: action 3", "4. 20: activity 3 of task 1",
        "5. 30: activity",
      ])
    withExtendedLifetime(hearing) {}
  }

  @Test func `a state effect is caused by the action that began its job, or by its timer`() async {
    struct Model: Sendable {
      var now = JobState()
      var later = JobState()
    }
    enum Action: Sendable {
      case begin
      case beginLater
      case done(String)
    }
    let clock = TestClock()
    let factory = StoreFactory<Model, Action>(
      initialState: Model(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.now) { _ in .send(.done("now")) },
          StateEffect(\.later) { _ in .run(key: "later") { dispatch in dispatch(.done("later")) } },
        ],
        reducer: { model, action in
          switch action {
          case .begin: model.now.run()
          case .beginLater: model.later.run(delay: .seconds(1))
          case .done("now"): model.now.succeed()
          case .done: model.later.succeed()
          }
        }
      ),
      settings: TreeSettings(clock: clock, monitors: [watcher], executor: executor)
    )
    factory.dispatch(.begin)
    factory.dispatch(.beginLater)
    await executor.settle()
    clock.advance(by: .seconds(1))
    await executor.settle()
    #expect(
      watcher.lines.values == [
        "1. begin: outside", "2. beginLater: outside", "3. done(\"now\"): action 1",
        "task later: timer 2", "4. done(\"later\"): task 2 of task 1",
      ])
  }

  @Test func `all parts of a sequence are caused by the action that began it`() async {
    let feature = Feature<Int, Int>(
      effects: { _, action in
        guard action == 1 else { return .none }
        return .concatenate(
          .run(key: "first") { _ in }, .merge(.send(2), .emit("done")),
          .concatenate(.run(key: "last") { dispatch in dispatch(3) }, .send(4))
        )
      },
      reducer: { $0 += $1 }
    )
    let factory = factory(feature)
    let hearing = factory.rootStore().observe(activities: String.self) { _ in factory.dispatch(5) }
    factory.dispatch(1)
    await executor.settle()
    #expect(
      watcher.lines.values == [
        "1. 1: outside", "task first: action 1", "2. 2: action 1", "task last: action 1", "3. 3: task 1 of task 2",
        "4. 5: activity 1", "5. 4: action 1",
      ])
    withExtendedLifetime(hearing) {}
  }

  @Test func `the action that reports a state effect's failure is caused by the task that failed`() async {
    struct Failure: Error {}
    enum Action: Sendable {
      case begin
      case failed
    }
    let factory = StoreFactory<JobState, Action>(
      initialState: JobState(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.self, failure: { _ in .failed }) { _ in
            .concatenate(.run(key: "first") { _ in }, .run(key: "load") { _ in throw Failure() })
          }
        ],
        reducer: { job, action in
          switch action {
          case .begin: job.run()
          case .failed: job.fail(Failure())
          }
        }
      ),
      settings: TreeSettings(monitors: [watcher], executor: executor)
    )
    factory.dispatch(.begin)
    await executor.settle()
    #expect(
      watcher.lines.values == [
        "1. begin: outside", "task first: action 1", "task load: action 1", "2. failed: task 1 of task 2",
      ])
  }

  @Test func `a resumed action is caused by the held one`() {
    let held = RecordedValues<HeldAction<Int>>()
    let factory = factory(
      Feature(
        interceptors: [Interceptor { action, _ in action == 1 ? .hold { held.append($0) } : .pass }],
        reducer: { $0 += $1 }
      )
    )
    factory.dispatch(1)
    factory.dispatch(2)
    executor.run()
    held.values[0].replace(with: 3)
    executor.run()
    #expect(watcher.lines.values == ["1. 1: outside", "2. 2: outside", "3. 1: action 1"])
  }

  @Test func `a callback of another tree counts as outside`() {
    let factory = factory(Feature { $0 += $1 })
    let other = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { action, _ in factory.dispatch(action) },
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    other.dispatch(1)
    executor.run()
    #expect(watcher.lines.values == ["1. 1: outside"])
  }

  @Test func `causes are not computed if no monitor wants them`() async {
    let watcher = CauseWatcher(wantsCauses: false)
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in action == 1 ? .run(key: "load") { dispatch in dispatch(10) } : .none },
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(monitors: [watcher], executor: executor)
    )
    factory.dispatch(1)
    await executor.settle()
    #expect(watcher.lines.values == ["1. 1: outside", "task load: outside", "2. 10: outside"])
  }
}
