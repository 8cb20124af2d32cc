import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Work that is a function of state")
struct StateEffectTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  struct Upload: Equatable, Identifiable, Sendable {
    let id: Int
    var work = JobState()
  }

  struct Uploads: Equatable, Sendable {
    var job = JobState()
    var file: String?
    var log: [String] = []
    var uploads: [Upload] = []
  }

  enum UploadAction: Sendable {
    case change(@Sendable (inout Uploads) -> Void)
    case note(String)
  }

  func factory(
    _ uploads: Uploads = Uploads(),
    _ stateEffects: StateEffect<Uploads, UploadAction>...
  ) -> StoreFactory<Uploads, UploadAction> {
    StoreFactory(
      initialState: uploads,
      feature: Feature(stateEffects: stateEffects) { state, action in
        switch action {
        case .change(let change): change(&state)
        case .note(let text): state.log.append(text)
        }
      },
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  func change(_ factory: StoreFactory<Uploads, UploadAction>, _ change: @escaping @Sendable (inout Uploads) -> Void) {
    factory.rootStore().dispatch(.change(change))
    executor.run()
  }

  /// Records each attempt as it begins, and again when its gate opens.
  func noting(_ gate: Gate) -> StateEffect<Uploads, UploadAction> {
    StateEffect(\.job) { state in
      .run { [number = state.job.attemptsBegun] dispatch in
        dispatch(.note("begin \(number)"))
        await gate.pass()
        dispatch(.note("end \(number)"))
      }
    }
  }

  @Test func `a restart also revokes actions that an attempt has sent without a task`() {
    let factory = factory(
      Uploads(),
      StateEffect(\.job) { state in .send(.note("attempt \(state.job.attemptsBegun)")) }
    )
    factory.rootStore().dispatch(.change { $0.job.run() })
    factory.rootStore().dispatch(.change { $0.job.restart() })
    executor.run()
    #expect(factory.state.log == ["attempt 2"])
  }

  @Test func `a delay belongs to its own attempt`() {
    let performed = RecordedValues<Int>()
    let factory = factory(
      Uploads(),
      StateEffect(each: \.uploads, \.work) { _, upload in
        upload.work.attempt == 2 ? .run { _ in performed.append(upload.id) } : .none
      }
    )
    func add() {
      change(factory) { state in
        var upload = Upload(id: 1)
        upload.work.run(maxAttempts: 2, backoff: .constant(.seconds(10)))
        upload.work.retryOrFail("the first attempt failed")
        state.uploads = [upload]
      }
    }
    add()
    clock.advance(by: .seconds(5))
    change(factory) { $0.uploads = [] }
    #expect(clock.sleepers == 0)
    add()
    clock.advance(by: .seconds(5))
    executor.run()
    #expect(performed.values == [])
    clock.advance(by: .seconds(5))
    executor.run()
    #expect(performed.values == [1])
  }

  @Test func `settled waits for a restarted job, but not for a canceled one`() async {
    let factory = factory(
      Uploads(),
      StateEffect(\.job) { _ in .run(key: 1, mode: .debounce(.seconds(1))) { _ in } }
    )
    change(factory) { $0.job.run() }
    #expect(await factory.settled().count == 1)
    change(factory) { $0.job.restart() }
    #expect(await factory.settled().count == 1)
    change(factory) { $0.job.cancel() }
    #expect(await factory.settled() == [])
  }

  @Test func `an attempt is performed once, no matter how many states follow while it is in progress`() {
    let gate = Gate()
    let factory = factory(Uploads(), noting(gate))
    executor.run()
    #expect(factory.state.log == [])
    change(factory) { $0.job.run() }
    change(factory) { $0.file = "a" }
    #expect(factory.state.log == ["begin 1"])
    gate.open()
    executor.run()
    change(factory) { $0.job.succeed() }
    #expect(factory.state.log == ["begin 1", "end 1"])
    change(factory) { $0.job.run() }
    #expect(factory.state.log == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func `a job that is in progress from the start is performed`() {
    var uploads = Uploads()
    uploads.job.run()
    let gate = Gate()
    let factory = factory(uploads, noting(gate))
    executor.run()
    #expect(factory.state.log == ["begin 1"])
    gate.open()
    executor.run()
  }

  @Test(
    arguments: [
      { $0.job.cancel() }, { $0.job.fail("why") }, { $0.job.succeed() }, { $0.job.reset() },
    ] as [@Sendable (inout Uploads) -> Void])
  func `a state that stops the job while its effect runs ignores later actions of the effect`(
    stop: @escaping @Sendable (inout Uploads) -> Void
  ) {
    let gate = Gate()
    let factory = factory(Uploads(), noting(gate))
    change(factory) { $0.job.run() }
    change(factory, stop)
    gate.open()
    executor.run()
    #expect(factory.state.log == ["begin 1"])
  }

  @Test func `a restart never receives an action of the previous attempt`() {
    let gate = Gate()
    let factory = factory(Uploads(), noting(gate))
    factory.rootStore().dispatch(.change { $0.job.run() })
    // The step that reports the start, the run's, and the task's: its first action is waiting.
    for _ in 1...3 { executor.step() }
    #expect(executor.pending == 1)
    factory.rootStore().dispatch(.change { $0.job.restart() })
    gate.open()
    // The first attempt ends before the restart: its last action waits after that.
    executor.run()
    #expect(factory.state.log == ["begin 1", "begin 2", "end 2"])
    change(factory) { $0.job.restart() }
    #expect(factory.state.log.suffix(2) == ["begin 3", "end 3"])
  }

  @Test func `an effect that does not exist yet is requested again with the next state`() {
    let factory = factory(
      Uploads(),
      StateEffect(\.job) { state in
        guard let file = state.file else { return .none }
        return .send(.note("upload \(file)"))
      }
    )
    change(factory) { $0.job.run() }
    change(factory) { $0.log.append("other") }
    change(factory) { $0.file = "a" }
    change(factory) { $0.file = "b" }
    #expect(factory.state.log == ["other", "upload a"])
  }

  @Test func `a retry waits exactly as long as the backoff specifies, four times, and then the job has failed`() async {
    let store = TestStore<JobState, Bool>(
      initialState: JobState(),
      stateEffects: [StateEffect({ $0 }) { _ in .send(false) }],
      clock: clock
    ) { job, isBegin in
      if isBegin {
        job.run(maxAttempts: 5, backoff: .exponential(initial: .seconds(1)))
      } else {
        job.retryOrFail("no answer")
      }
    }
    await store.send(true) { $0.run(maxAttempts: 5, backoff: .exponential(initial: .seconds(1))) }
    await store.receive(false) { $0.retryOrFail("no answer") }
    for seconds in [1, 2, 4, 8] {
      clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(clock.sleepers == 1)
      clock.advance(by: .milliseconds(1))
      await store.receive(false) { $0.retryOrFail("no answer") }
    }
    #expect(store.state.status == .failed(reason: "no answer"))
    #expect(clock.now.offset == .seconds(15))
    #expect(clock.sleepers == 0)
    await store.finish()
  }

  @Test func `an attempt that is abandoned while it waits for its turn never begins`() {
    let factory = factory(Uploads(), StateEffect(\.job) { state in .send(.note("attempt \(state.job.attempt ?? 0)")) })
    change(factory) { $0.job.run(maxAttempts: 2, backoff: .constant(.seconds(1))) }
    change(factory) { $0.job.retryOrFail("no answer") }
    change(factory) { $0.job.cancel() }
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(factory.state.log == ["attempt 1"])
  }

  @Test func `each element of a collection has its own attempts, which end when it is removed`() {
    let gates = [1: Gate(), 2: Gate(), 3: Gate()]
    let factory = factory(
      Uploads(),
      StateEffect(each: \.uploads, \.work) { _, upload in
        .run { dispatch in
          await gates[upload.id]!.pass()
          dispatch(.note("uploaded \(upload.id)"))
        }
      }
    )
    change(factory) { state in
      state.uploads = (1...3).map { Upload(id: $0) }
      for index in 0..<3 { state.uploads[index].work.run() }
    }
    change(factory) { $0.uploads.remove(at: 0) }
    change(factory) { $0.uploads.reverse() }
    for gate in gates.values { gate.open() }
    executor.run()
    #expect(factory.state.log.sorted() == ["uploaded 2", "uploaded 3"])
  }

  @Test func `a child performs its own jobs, and their errors go to the factory`() {
    struct Failure: Error {}
    let errors = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(
        onEffectError: { key, action, error in errors.append("\(key == nil) \(action == nil) \(error)") },
        executor: executor
      ),
      reducer: { state, action in state += action }
    )
    let child = factory.childStore(
      initialState: JobState(),
      stateMapping: { ($0, $1) },
      feature: Feature(stateEffects: [StateEffect({ $0 }) { _ in .run { _ in throw Failure() } }]) {
        (state: inout JobState, _: Int) in state.run()
      }
    )
    child.dispatch(1)
    executor.run()
    #expect(errors.values == ["true true Failure()"])
  }

  @Test func `L1 neither an attempt nor its delay keeps the store alive`() {
    weak var object: Object?
    struct Both: Sendable {
      var object: Object?
      var job = JobState()
    }
    var factory: StoreFactory<Both, Int>?
    do {
      let new = Object()
      object = new
      var both = Both(object: new)
      both.job.run(maxAttempts: 2, backoff: .constant(.seconds(1)))
      factory = StoreFactory(
        initialState: both,
        feature: Feature(
          stateEffects: [StateEffect(\.job) { _ in .run { _ in try await clock.sleep(for: .seconds(9)) } }]
        ) { state, _ in state.job.retryOrFail("again") },
        settings: TreeSettings(clock: clock, executor: executor)
      )
    }
    executor.run()
    #expect(clock.sleepers == 1)
    factory?.rootStore().dispatch(1)
    executor.run()
    // The delay of the next attempt is running.
    #expect(clock.sleepers == 1)
    factory = nil
    executor.run()
    #expect(object == nil)
    clock.advance(by: .seconds(1))
    executor.run()
  }
}
