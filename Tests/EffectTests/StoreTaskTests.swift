import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Tasks of a store")
struct StoreTaskTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  func factory() -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      settings: TreeSettings(clock: clock, executor: executor),
      reducer: appending
    )
  }

  @Test(.reports("used after its owner was released"))
  func `a child that is closed from the start starts no tasks, has no effects and waits for nothing`() async {
    let sent = RecordedValues<Int>()
    let store = Store<[Int], Int>(dispatch: sent.append, subscribe: { _ in })
    let child = store.childStore(initialState: 0, reducer: { $0 += $1 })
    let adding = child.store().add(effects: { _, _ in .send(1) })
    await #expect(throws: CancellationError.self) { try await child.task { _ in 1 }.value }
    await child.perform(13)
    await child.settled()
    adding.cancel()
    #expect(child.state == nil && sent.values.isEmpty)
  }

  // MARK: Canceling

  @Test func `a task returns or throws the result of its body`() async throws {
    struct Failure: Error {}
    let factory = factory()
    let store = factory.rootStore()
    let good = store.task { dispatch in
      dispatch(1)
      return "good"
    }
    let bad = store.task { _ in throw Failure() }
    executor.run()
    #expect(try await good.value == "good")
    await #expect(throws: Failure.self) { try await bad.value }
    #expect(factory.state == [1])
  }

  @Test func `a task returns a value of any type`() async throws {
    struct Failure: Error {}
    let factory = factory()
    let store = factory.rootStore()
    let nothing = store.task { _ in Int?.none }
    let nested = store.task { _ in Int??.some(nil) }
    let deep = store.task { _ in Int??.some(1) }
    let error = store.task { _ -> any Error in Failure() }
    let noError = store.task { _ -> (any Error)? in nil }
    let anything = store.task { _ -> any Sendable in [1] }
    let pair = store.task { _ in (1, "one") }
    let function = store.task { _ -> @Sendable (Int) -> Int in { $0 + 1 } }
    let object = store.task { _ -> RecordedValues<Int> in RecordedValues() }
    let type = store.task { _ in Int.self }
    executor.run()
    #expect(try await nothing.value == nil)
    #expect(try await nested.value == .some(nil))
    #expect(try await deep.value == 1)
    #expect(try await error.value is Failure)
    #expect(try await noError.value == nil)
    #expect(try await anything.value as? [Int] == [1])
    #expect(try await pair.value == (1, "one"))
    #expect(try await function.value(1) == 2)
    #expect(try await object.value.values == [])
    #expect(try await type.value == Int.self)
  }

  @Test func `a task canceled before it starts never runs`() async {
    let factory = factory()
    let store = factory.rootStore()
    let runs = RecordedValues<Int>()
    let task = store.task(key: 1) { _ in runs.append(1) }
    #expect(store.isRunning(1))
    task.cancel()
    #expect(!store.isRunning(1))
    executor.run()
    #expect(runs.values == [])
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `canceling an unknown key, or canceling twice, does nothing`() async throws {
    let factory = factory()
    let store = factory.rootStore()
    store.cancel("unknown")
    let task = store.task(key: 1) { dispatch in dispatch(1) }
    store.cancel(1)
    store.cancel(1)
    task.cancel()
    executor.run()
    #expect(factory.state == [])
    let next = store.task(key: 1) { dispatch in dispatch(2) }
    executor.run()
    try await next.value
    next.cancel()
    #expect(factory.state == [2])
  }

  @Test func `a canceled task throws even if its body runs to its end`() async {
    let gate = Gate()
    let factory = factory()
    let task = factory.rootStore().task { _ in
      await gate.pass()
      return 1
    }
    executor.run()
    task.cancel()
    gate.open()
    executor.run()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a task may cancel itself by its key`() {
    let factory = factory()
    let store = factory.rootStore()
    let isCancelled = RecordedValues<Bool>()
    store.task(key: "self") { dispatch in
      dispatch(1)
      store.cancel("self")
      dispatch(2)
      isCancelled.append(Task.isCancelled)
    }
    executor.run()
    #expect(isCancelled.values == [true])
    #expect(factory.state == [])
  }

  @Test func `O5 canceling revokes waiting actions of a task that has ended`() {
    let factory = factory()
    let store = factory.rootStore()
    store.task(key: 1) { dispatch in dispatch(1) }
    executor.step()
    #expect(executor.pending == 2)
    store.cancel(1)
    executor.run()
    #expect(factory.state == [])
  }

  @Test func `O5 the actions of a task that was not canceled are reduced exactly once`() {
    let factory = factory()
    let store = factory.rootStore()
    store.task(key: 1) { dispatch in for number in 0..<100 { dispatch(number) } }
    executor.step()
    store.task(key: 2) { _ in }
    executor.step()
    store.cancel(2)
    executor.run()
    #expect(factory.state == Array(0..<100))
  }

  @Test func `an action revoked inside an observer is not reduced any more`() {
    let factory = factory()
    let store = factory.rootStore()
    store.subscribe(
      observer: Observer { state in
        if state == [0] { store.cancel("numbers") }
        return .active
      }
    )
    store.task(key: "numbers") { dispatch in for number in 0..<10 { dispatch(number) } }
    executor.run()
    #expect(factory.state == [0])
  }

  @Test func `an action revoked inside an interceptor is not reduced any more`() {
    let cancel = RecordedValues<@Sendable () -> Void>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      interceptor: { _, _ in cancel.values.first?() },
      settings: TreeSettings(executor: executor),
      reducer: appending
    )
    let store = factory.rootStore()
    cancel.append { store.cancel("numbers") }
    store.task(key: "numbers") { dispatch in dispatch(1) }
    executor.run()
    #expect(factory.state == [])
  }

  @Test(arguments: [TaskMode.dropCurrent, .debounce(.zero)])
  func `a task that drops the others revokes the waiting actions of those that have ended`(mode: TaskMode) {
    let factory = factory()
    let store = factory.rootStore()
    store.task(key: 1) { dispatch in dispatch(1) }
    executor.step()
    #expect(executor.pending == 2)
    store.task(key: 1, mode: mode) { dispatch in dispatch(2) }
    executor.run()
    #expect(factory.state == [2])
  }

  @Test func `keys of different types are different`() {
    let factory = factory()
    let store = factory.rootStore()
    store.task(key: 1) { dispatch in dispatch(1) }
    store.task(key: Int8(1)) { dispatch in dispatch(2) }
    store.cancel(UInt(1))
    store.cancel(1)
    #expect(store.isRunning(Int8(1)))
    executor.run()
    #expect(factory.state == [2])
  }

  @Test func `a composite key equals one with equal parts`() {
    enum Job: Hashable, Sendable {
      case upload(user: Int, file: String)
    }
    let factory = factory()
    factory.task(key: Job.upload(user: 1, file: "a")) { _ in try await clock.sleep(for: .seconds(1)) }
    executor.run()
    let keys = [Job.upload(user: 1, file: "a"), .upload(user: 1, file: "b"), .upload(user: 2, file: "a")]
    #expect(keys.map { factory.isRunning($0) } == [true, false, false])
    factory.cancel(keys[0])
    executor.run()
  }

  @Test func `a task sends actions of any size`() {
    let wide = (0..<100).map { index in (index, index, index, index, index, index, index, index) }
    struct Wide: Sendable {
      typealias Eight = (Int, Int, Int, Int, Int, Int, Int, Int)
      var eights: (Eight, Eight, Eight, Eight, Eight, Eight, Eight, Eight, Eight)
    }
    #expect(MemoryLayout<Wide>.size > 512)
    let factory = StoreFactory<[Int], Wide>(initialState: [], settings: TreeSettings(executor: executor)) {
      state, action in
      state.append(action.eights.8.7)
    }
    factory.rootStore().task { dispatch in
      for eight in wide { dispatch(Wide(eights: (eight, eight, eight, eight, eight, eight, eight, eight, eight))) }
    }
    executor.run()
    #expect(factory.state == Array(0..<100))
  }

  @Test func `all tasks are canceled at once, those with a key and those without`() async {
    let factory = factory()
    let store = factory.rootStore()
    let tasks = [
      store.task(key: 1) { dispatch in dispatch(1) },
      store.task(key: 1, mode: .waitInCurrent) { dispatch in dispatch(2) },
      store.task { dispatch in dispatch(3) },
      store.task(key: 2, mode: .debounce(.seconds(1))) { dispatch in dispatch(4) },
    ]
    store.cancelAllTasks()
    clock.advance(by: .seconds(1))
    executor.run()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(factory.state == [])
    await store.settled()
  }

  // MARK: Whose keys they are

  @Test func `equal keys of two features never conflict`() {
    struct Both: Equatable, Sendable {
      var left: [Int] = []
      var right: [Int] = []
    }
    enum BothAction: Sendable {
      case left(Int)
      case right(Int)
    }
    let factory = StoreFactory<Both, BothAction>(initialState: Both(), settings: TreeSettings(executor: executor)) {
      state, action in
      switch action {
      case .left(let number): state.left.append(number)
      case .right(let number): state.right.append(number)
      }
    }
    let left = factory.rootStore().scope(to: \.left, action: BothAction.left)
    let right = factory.rootStore().scope(to: \.right, action: BothAction.right)
    left.task(key: "load", mode: .dropCurrent) { dispatch in dispatch(1) }
    right.task(key: "load", mode: .dropCurrent) { dispatch in dispatch(2) }
    factory.rootStore().task(key: "load", mode: .dropCurrent) { dispatch in dispatch(.left(3)) }
    #expect(left.isRunning("load"))
    right.cancel("load")
    #expect(left.isRunning("load"))
    #expect(!right.isRunning("load"))
    executor.run()
    #expect(factory.state == Both(left: [1, 3]))
  }

  @Test func `a scope without its own actions shares the keys of its store`() {
    let factory = factory()
    let gate = Gate()
    factory.rootStore().task(key: 1) { _ in await gate.pass() }
    #expect(factory.scopeStore(to: \.count).isRunning(1))
    let child = factory.childStore(initialState: 0) { (_: inout Int, _: Int) in }
    #expect(!child.store().isRunning(1))
    gate.open()
  }

  @Test func `when an optional part becomes nil, the tasks of its scope are canceled in that step`() async {
    struct Screen: Equatable, Sendable {
      var sheet: [Int]?
    }
    enum ScreenAction: Sendable {
      case sheet(Int)
      case close
    }
    let factory = StoreFactory<Screen, ScreenAction>(
      initialState: Screen(sheet: []),
      settings: TreeSettings(executor: executor)
    ) {
      state, action in
      switch action {
      case .sheet(let number): state.sheet = (state.sheet ?? []) + [number]
      case .close: state.sheet = nil
      }
    }
    let gate = Gate()
    let sheet = factory.rootStore().scope(toOptional: \.sheet, action: ScreenAction.sheet)
    let inner = sheet.scope(to: { $0.count }, action: { (number: Int) in number * 10 })
    let loading = sheet.task(key: "load") { dispatch in
      dispatch(1)
      await gate.pass()
      dispatch(2)
    }
    let innerLoading = inner.task { dispatch in
      await gate.pass()
      dispatch(3)
    }
    executor.run()
    #expect(factory.state == Screen(sheet: [1]))
    #expect(sheet.isRunning("load"))
    factory.rootStore().dispatch(.close)
    executor.run()
    #expect(!sheet.isRunning("load"))
    gate.open()
    executor.run()
    #expect(factory.state == Screen(sheet: nil))
    await #expect(throws: CancellationError.self) { try await loading.value }
    await #expect(throws: CancellationError.self) { try await innerLoading.value }
    // It has a value again, and its tasks are watched again.
    factory.rootStore().dispatch(.sheet(5))
    let again = Gate()
    sheet.task(key: "load") { dispatch in
      await again.pass()
      dispatch(6)
    }
    executor.run()
    #expect(sheet.isRunning("load"))
    factory.rootStore().dispatch(.close)
    executor.run()
    #expect(!sheet.isRunning("load"))
    again.open()
    executor.run()
  }

  // MARK: The life of the store

  @Test func `L2 a release cancels the store's tasks, and their later actions do nothing`() async {
    let gate = Gate()
    var factory: StoreFactory<[Int], Int>? = factory()
    let scope = factory!.rootStore().scope(to: \.count, action: { (number: Int) in number })
    let states = RecordedValues<[Int]>()
    let isCancelled = RecordedValues<Bool>()
    factory!.rootStore().subscribe(observer: .recording(in: states))
    let tasks = [factory!.rootStore(), scope.scope(to: { [$0] })].map { store in
      store.task { dispatch in
        dispatch(1)
        await gate.pass()
        isCancelled.append(Task.isCancelled)
        dispatch(2)
      }
    }
    executor.run()
    #expect(states.values.last == [1, 1])
    factory = nil
    gate.open()
    executor.run()
    #expect(isCancelled.values == [true, true])
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(states.values.last == [1, 1])
  }

  @Test func `O5 actions that a task has sent before its store was released are reduced`() {
    let reduced = RecordedValues<Int>()
    var factory: StoreFactory<Int, Int>? = StoreFactory(initialState: 0, settings: TreeSettings(executor: executor)) {
      _, action in
      reduced.append(action)
    }
    factory?.rootStore().task { dispatch in dispatch(1) }
    executor.step()
    factory = nil
    executor.run()
    #expect(reduced.values == [1])
  }

  @Test func `L1 a running task keeps no state alive`() {
    weak var object: Object?
    let gate = Gate()
    var factory: StoreFactory<Object?, Int>?
    do {
      let new = Object()
      object = new
      factory = StoreFactory(initialState: new, settings: TreeSettings(executor: executor)) { _, _ in }
    }
    factory?.rootStore().task { dispatch in
      await gate.pass()
      dispatch(1)
    }
    executor.run()
    #expect(object != nil)
    factory = nil
    #expect(object == nil)
    gate.open()
    executor.run()
    #expect(executor.pending == 0)
  }

  @Test(.reports("used after its owner was released"))
  func `a task of a store that is gone is canceled from the start`() async {
    var factory: StoreFactory<[Int], Int>? = factory()
    let store = factory!.rootStore()
    factory = nil
    let task = store.task(key: 1) { _ in 1 }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!store.isRunning(1))
    await store.settled()
    await store.perform(1)
  }

  // MARK: Waiting

  @Test func `a caller that waits for the tasks resumes when the last body has ended`() async {
    let gate = Gate()
    let factory = factory()
    let store = factory.rootStore()
    store.task(key: 1) { _ in await gate.pass() }
    executor.run()
    store.cancel(1)
    let log = RecordedValues<String>()
    let waiting = Task {
      await store.settled()
      log.append("finished")
    }
    log.append("opens")
    gate.open()
    executor.run()
    await waiting.value
    #expect(log.values == ["opens", "finished"])
  }

  @Test func `performing an action waits for its effects, a child's and its ancestors'`() async {
    let ended = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .concatenate(.run { _ in ended.append("root's first") }, .run { _ in ended.append("root's second") })
        },
        reducer: { state, action in state += action }
      )
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { ($0, $1) },
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .run { dispatch in
            ended.append("child's")
            dispatch(10)
          }
        },
        reducer: { (state: inout Int, action: Int) in state += action }
      )
    )
    await child.store().perform(1)
    #expect(Set(ended.values) == ["root's first", "root's second", "child's"])
    #expect(child.state?.1 == 11)
    await child.store().perform(2)
    #expect(child.state?.1 == 13)
  }

  @Test func `performing an action waits until the actions of its effects are reduced and observed`() async {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        effects: { _, action in
          switch action {
          case 1: .run { dispatch in dispatch(10) }
          case 2: .send(20)
          default: .none
          }
        },
        reducer: { state, action in state += action }
      ),
      settings: TreeSettings(executor: executor)
    )
    let seen = RecordedValues<Int>()
    let subscription = factory.rootStore().observe { (state: Int) in seen.append(state) }
    await factory.perform(1)
    #expect(seen.values == [0, 1, 11])
    await factory.perform(2)
    #expect(seen.values == [0, 1, 11, 13, 33])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a child's object starts, cancels and awaits its tasks like its store`() async throws {
    let factory = factory()
    let child = factory.childStore(initialState: [], reducer: appending)
    child.task(key: 1) { dispatch in dispatch(1) }
    #expect(child.isRunning(1) && child.store().isRunning(1))
    child.cancel(1)
    child.task { dispatch in dispatch(2) }
    child.cancelAllTasks()
    let task = child.task(key: 1) { dispatch in dispatch(3) }
    executor.run()
    try await task.value
    await child.settled()
    await child.perform(4)
    #expect(child.state?.1 == [3, 4])
  }

  @Test func `when the performing task is canceled, the effects are canceled too`() async {
    let gate = Gate()
    let begun = Gate()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          guard action == 1 else { return .none }
          return .run { dispatch in
            begun.open()
            await gate.pass()
            dispatch(Task.isCancelled ? 2 : 3)
          }
        },
        reducer: appending
      )
    )
    let store = factory.rootStore()
    let performing = Task { await store.perform(1) }
    await begun.pass()
    performing.cancel()
    gate.open()
    await performing.value
    #expect(factory.state == [1])
  }

  // MARK: Real queues

  @Test func `O2 an effect that sends 100,000 actions keeps their order`() async throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    try await factory.rootStore().task { dispatch in for number in 0..<100_000 { dispatch(number) } }.value
    #expect(factory.state == Array(0..<100_000))
  }

  @Test func `after a cancel elsewhere, no action is reduced that begins later`() async {
    for _ in 0..<50 {
      let factory = StoreFactory<Int, Int>(initialState: 0) { state, _ in state += 1 }
      let store = factory.rootStore()
      let (begun, end) = (Gate(), Gate())
      let task = store.task(key: 1) { dispatch in
        for number in 0..<1000 {
          dispatch(number)
          if number == 10 { begun.open() }
        }
        await end.pass()
      }
      await begun.pass()
      store.cancel(1)
      let atMost = factory.state
      end.open()
      await store.settled()
      #expect(factory.state == atMost)
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `tasks started, displaced and canceled from many threads all end`() async {
    let factory = StoreFactory<Int, Int>(initialState: 0) { state, action in state += action }
    let store = factory.rootStore()
    onThreads(4) { thread in
      var numbers = SplitMix64(seed: UInt64(thread))
      for _ in 0..<300 {
        let key = Int.random(in: 0..<3, using: &numbers)
        let modes: [TaskMode] = [
          .parallel, .dropCurrent, .waitInCurrent, .keepCurrent, .debounce(.microseconds(10)),
          .throttle(.microseconds(10), latest: true),
        ]
        let mode = modes.randomElement(using: &numbers)!
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: store.cancel(key)
        case 1: _ = store.isRunning(key)
        case 2: store.task(mode: mode) { dispatch in dispatch(1) }.cancel()
        default:
          store.task(key: key, mode: mode) { dispatch in
            dispatch(1)
            await Task.yield()
            dispatch(-1)
          }
        }
      }
    }
    await store.settled()
    for key in 0..<3 { #expect(!store.isRunning(key)) }
  }
}
