import Arbor
import ArborDevTools
import ArborTesting
import Synchronization
import Testing

@Suite("Traveling")
struct TravelTests {
  typealias Action = RecorderTests.Action

  /// The states that an observer received, in order.
  private final class Seen<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }

    var observer: Observer<Value> {
      Observer { [self] value in
        add(value)
        return .active
      }
    }

    func take() -> [Value] {
      values.withLock { values in
        defer { values = [] }
        return values
      }
    }
  }

  @Test func `T1 traveling to a moment is one step with one notification, and runs nothing else`() throws {
    let recorder = Recorder<Int, Action>()
    let (seen, ran, doubled) = (Seen<Int>(), Seen<String>(), Seen<Int>())
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        interceptor: { _, _ in ran.add("interceptor") },
        effects: { _, _ in
          ran.add("effect")
          return .none
        },
        stateEffects: [
          StateEffect(while: { (state: Int) in state.isMultiple(of: 2) }) { _ in
            ran.add("state effect")
            return .run { _ in try await Task.sleep(for: .seconds(1000)) }
          }
        ],
        reducer: RecorderTests.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    let store = factory.rootStore()
    store.subscribe(observer: seen.observer)
    let derived = store.derived { $0 * 2 }
    let connection = derived?.observe { doubled.add($0) }
    for number in 1...3 { factory.dispatchAndWait(.add(number)) }
    #expect(factory.state == 7)
    #expect(ran.take().contains("state effect"))
    _ = (seen.take(), doubled.take())
    try recorder.travel(to: 1)
    #expect(seen.take() == [2])
    #expect(doubled.take() == [4])
    #expect(factory.state == 2)
    #expect(recorder.moment?.position == 1)
    try recorder.step(by: 1)
    #expect(seen.take() == [4])
    #expect(ran.take().isEmpty)
    recorder.resume()
    #expect(seen.take() == [7])
    #expect(ran.take().isEmpty)
    #expect(recorder.moment == nil)
    #expect(recorder.recording?.count == 3)
    withExtendedLifetime(connection) {}
  }

  @Test func `T2 actions that arrive wait in order, and are reduced after the present returns`() throws {
    let recorder = Recorder<Int, Action>()
    let seen = Seen<Int>()
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    factory.dispatch(.add(1))
    factory.rootStore().subscribe(observer: seen.observer)
    #expect(factory.state == 2)
    try recorder.travel(to: 0)
    factory.dispatch(.add(5))
    factory.dispatch(.double)
    factory.dispatch(batch: [.add(1), .double])
    #expect(factory.state == 1)
    _ = seen.take()
    let late = Seen<Int>()
    factory.rootStore().subscribe(observer: late.observer)
    #expect(factory.state == 1)
    #expect(late.take() == [1])
    recorder.resume()
    #expect(factory.state == 30)
    #expect(seen.take() == [2, 7, 14, 30])
    #expect(late.take() == [2, 7, 14, 30])
    #expect(recorder.recording?.count == 5)
  }

  @Test(arguments: [false, true])
  func `T2 actions of an observer that sees another moment are dropped and reported`(isBatch: Bool) throws {
    let recorder = Recorder<Int, Action>()
    let (dropped, executor) = (Seen<String>(), ManualExecutor())
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      feature: Feature(reducer: RecorderTests.reduce),
      settings: TreeSettings(monitors: [recorder, DropMonitor(seen: { dropped.add($0) })], executor: executor)
    )
    let store = factory.rootStore()
    store.subscribe(
      observer: Observer { state in
        guard state == 0 else { return .active }
        if isBatch { store.dispatch(batch: [.add(7), .double]) } else { store.dispatch(.add(7)) }
        return .active
      }
    )
    let present = isBatch ? 14 : 7
    executor.run()
    #expect(factory.state == present)
    try recorder.travel(to: 0)
    executor.run()
    #expect(factory.state == 0)
    #expect(recorder.moment?.droppedActions == (isBatch ? 2 : 1))
    #expect(dropped.take() == (isBatch ? ["add(7)", "double"] : ["add(7)"]))
    // This also applies to a new observer of the moment.
    store.subscribe(
      observer: Observer { state in
        if state == 0 { store.dispatch(.add(1)) }
        return .dead
      }
    )
    executor.run()
    #expect(factory.state == 0)
    #expect(dropped.take() == ["add(1)"])
    // Other actions arrive.
    factory.dispatch(.add(100))
    #expect(factory.state == 0)
    #expect(dropped.take().isEmpty)
    recorder.resume()
    executor.run()
    #expect(factory.state == present + 100)
    #expect(dropped.take().isEmpty)
  }

  @Test func `T2 activities and assignments that result from another moment are dropped`() throws {
    let recorder = Recorder<Int, Mutation<Int>>()
    let executor = ManualExecutor()
    let (source, target) = (
      CommitStore(initialState: 0, settings: TreeSettings(monitors: [recorder], executor: executor)),
      CommitStore(initialState: 0, settings: TreeSettings(executor: executor))
    )
    let (store, heard) = (source.rootStore(), Seen<Int>())
    let subscriptions = [
      source.observe(activities: Int.self) { heard.add($0) },
      source.observe(initial: false) { (state: Int) in store.emit(state) },
      source.scopeStore(to: { $0 / 10 }).assign(to: target.scope(at: \.self)),
      source.scopeStore(to: { $0 + 1 }).assign(to: source.scope(at: \.self)),
    ]
    subscriptions[3].cancel()
    executor.run()
    source.commitLater { $0 = 20 }
    executor.run()
    let before = heard.take()
    #expect(before.last == 20 && target.state == 2)
    let cycle = source.scopeStore(to: { $0 < 20 ? 5 : 20 }).assign(to: source.scope(at: \.self))
    executor.run()
    try recorder.travel(to: 0)
    executor.run()
    recorder.resume()
    executor.run()
    #expect(source.state == 20)
    #expect(!heard.take().contains { $0 < 20 })
    for subscription in subscriptions + [cycle] { subscription.cancel() }
  }

  @Test func `T2 actions of an observer that sees the present again arrive`() throws {
    let recorder = Recorder<Int, Action>()
    let executor = ManualExecutor()
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      feature: Feature(reducer: RecorderTests.reduce),
      settings: TreeSettings(monitors: [recorder], executor: executor)
    )
    let store = factory.rootStore()
    factory.dispatch(.add(5))
    _ = factory.state
    try recorder.travel(to: 0)
    store.subscribe(
      observer: Observer { state in
        if state == 5 { store.dispatch(.add(1)) }
        return .active
      }
    )
    factory.dispatch(.double)
    #expect(factory.state == 0)
    recorder.resume()
    executor.run()
    #expect(factory.state == 11)
  }

  /// A monitor of dropped actions.
  private final class DropMonitor: StoreMonitor {
    private let seen: @Sendable (String) -> Void

    init(seen: @escaping @Sendable (String) -> Void) {
      self.seen = seen
    }

    func monitor(_ record: borrowing ActionRecord) {
      if case .dropped = record.outcome { seen("\(record.action.value)") }
    }
  }

  @Test func `T2 actions that arrive are dropped if the recorder is configured so`() throws {
    let recorder = Recorder<Int, Action>(arrivingActions: .drop)
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    factory.dispatch(.add(1))
    _ = factory.state
    try recorder.travel(to: 0)
    factory.dispatch(.add(5))
    #expect(factory.state == 1)
    recorder.resume()
    #expect(factory.state == 2)
    factory.dispatch(.add(1))
    #expect(factory.state == 3)
    #expect(recorder.recording?.entries.map(\.rootAction) == [.add(1), .add(1)])
  }

  @Test func `T2 a caller that waits for its own step brings the present back first, which is reported`() throws {
    let told = Seen<String>()
    let recorder = Recorder<Int, Mutation<Int>>(onReturn: { told.add("\($0)") })
    let store = CommitStore(initialState: 1, settings: TreeSettings(monitors: [recorder]))
    store.commitLater { $0 += 1 }
    _ = store.state
    try recorder.travel(to: 0)
    store.commitLater { $0 *= 10 }
    #expect(store.state == 1)
    store.commit { $0 += 3 }
    #expect(store.state == 23)
    #expect(told.take() == ["neededByCaller"])
    try recorder.travel(to: 0)
    store.dispatchAndWait(Mutation { $0 += 1 })
    #expect(store.state == 24)
    #expect(told.take() == ["neededByCaller"])
    #expect(!recorder.isTravelling)
  }

  @Test(arguments: [Recorder<Int, Action>.ArrivingActions.wait, .drop])
  func `T2 a caller that performs an action brings nothing back when its effects end`(
    arriving: Recorder<Int, Action>.ArrivingActions
  ) async throws {
    let recorder = Recorder<Int, Action>(arrivingActions: arriving)
    let (begun, gate) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        effects: { _, action in
          guard action == .double else { return .none }
          return .run { dispatch in
            begun.continuation.finish()
            for await _ in gate.stream {}
            dispatch(.add(5))
          }
        },
        reducer: RecorderTests.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    let performing = Task { await factory.perform(.double) }
    for await _ in begun.stream {}
    try recorder.travel(to: 0)
    gate.continuation.finish()
    await performing.value
    #expect(recorder.isTravelling)
    #expect(factory.state == 1)
    recorder.resume()
    #expect(factory.state == (arriving == .wait ? 7 : 2))
  }

  @Test func `T2 actions accepted before a waiting call are reduced before it, also if subscriptions were not held`()
    throws
  {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    factory.dispatchAndWait(.add(1))
    try recorder.travel(to: 0)
    let seen = (0..<4).map { _ in Seen<Int>() }
    for observer in seen {
      factory.dispatch(.double)
      factory.rootStore().subscribe(observer: observer.observer)
      _ = factory.state
    }
    factory.dispatchAndWait(.add(3))
    #expect(factory.state == 35)
    #expect(
      recorder.recording?.entries.compactMap(\.rootAction) == [.add(1), .double, .double, .double, .double, .add(3)])
    for observer in seen { #expect(observer.take().last == 35) }
  }

  @Test(arguments: [Recorder<Int, Action>.ArrivingActions.wait, .drop])
  func `T2 a task that waits for its own step brings the present back`(
    _ arriving: Recorder<Int, Action>.ArrivingActions
  ) async throws {
    let told = Seen<String>()
    let recorder = Recorder<Int, Action>(arrivingActions: arriving, onReturn: { told.add("\($0)") })
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    let expected = arriving == .drop ? 4 : 5
    // Both actions may be taken out of the mailbox at once, or each separately.
    for _ in 1...200 {
      await factory.dispatchAndWait(.add(1))
      try recorder.travel(to: 0)
      factory.dispatch(.double)
      await factory.dispatchAndWait(.add(3))
      #expect(factory.state == expected)
      #expect(!recorder.isTravelling)
      await factory.dispatchAndWait(.add(-expected))
    }
    #expect(told.take() == Array(repeating: "neededByCaller", count: 200))
  }

  @Test func `T2 tasks continue, and the actions that they send wait`() async throws {
    let recorder = Recorder<Int, Action>()
    let (gate, done) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        effects: { _, action in
          guard action == .add(1) else { return .none }
          return .run { send in
            for await _ in gate.stream { break }
            send(.add(100))
            done.continuation.yield()
          }
        },
        reducer: RecorderTests.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    await factory.dispatchAndWait(.add(1))
    try recorder.travel(to: 0)
    gate.continuation.yield()
    for await _ in done.stream { break }
    #expect(factory.state == 1)
    recorder.resume()
    #expect(factory.state == 102)
    #expect(recorder.recording?.entries.last?.cause.kind == .task)
  }

  @Test func `T3 the present is exactly the state that was left`() throws {
    final class Thing: Sendable {}
    let recorder = Recorder<Thing?, Int>()
    let factory = StoreFactory<Thing?, Int>(initialState: nil, settings: TreeSettings(monitors: [recorder])) {
      state, _ in state = Thing()
    }
    factory.dispatch(1)
    let before = try #require(factory.state)
    try recorder.travel(to: 0)
    try recorder.toggle(1)
    #expect(factory.state == nil)
    recorder.resume()
    #expect(factory.state === before)
    #expect(recorder.recording?.entries.first?.isSkipped == false)
  }

  @Test func `T3 continuing from a moment drops later actions, and effects follow that state`() async throws {
    let recorder = Recorder<Int, Action>()
    let (began, ended) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        stateEffects: (1...3).map { number in
          StateEffect(while: { (state: Int) in state == number }) { _ -> Effect<Action> in
            .run { _ in
              began.continuation.yield(number)
              try? await Task.sleep(for: .seconds(1000))
              ended.continuation.yield(number)
            }
          }
        },
        reducer: RecorderTests.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    var beginnings = began.stream.makeAsyncIterator()
    var ends = ended.stream.makeAsyncIterator()
    #expect(await beginnings.next() == 1)
    factory.dispatch(.add(1))
    #expect(await beginnings.next() == 2)
    #expect(await ends.next() == 1)
    factory.dispatch(.add(1))
    #expect(await beginnings.next() == 3)
    #expect(await ends.next() == 2)
    try recorder.travel(to: 1)
    factory.dispatch(.add(10))
    let dropped = recorder.continueFromHere()
    #expect(dropped.map(\.rootAction) == [.add(1)])
    #expect(factory.state == 12)
    // The effects of 2 start and end for the action that waited, unless they are canceled before.
    var end = await ends.next()
    while end == 2 { end = await ends.next() }
    #expect(end == 3)
    #expect(recorder.recording?.entries.map(\.rootAction) == [.add(1), .add(10)])
    #expect(recorder.recording?.entries.map(\.id) == [1, 3])
    #expect(recorder.recording?.state == 12)
  }

  @Test func `T4 stores that are gone are not made again, and new ones keep their states`() throws {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    var old: StoreObject<Int, Action>? = factory.childStore(
      initialState: 10, stateMapping: { $1 }, reducer: RecorderTests.reduce)
    old?.store().dispatchAndWait(.add(1))
    let gone = try #require(recorder.recording?.stores(at: 1).last)
    factory.dispatchAndWait(.add(1))
    old = nil
    let new = factory.childStore(initialState: 20, stateMapping: { $1 }, reducer: RecorderTests.reduce)
    new.store().dispatchAndWait(.add(1))
    let made = try #require(recorder.recording?.stores(at: 3).last)
    #expect(gone != made)
    try recorder.travel(to: 1)
    #expect(factory.state == 1)
    #expect(new.state == 21)
    #expect(recorder.moment?.goneStores == [gone])
    #expect(recorder.moment?.newStores == [made])
    recorder.continueFromHere()
    new.store().dispatchAndWait(.add(1))
    #expect(factory.state == 2 && new.state == 22)
    let recording = try #require(recorder.recording)
    #expect(try recording.stores(at: 2).last == made)
    #expect(try recording.state(of: made.id, at: 2) as? Int == 22)
    withExtendedLifetime((factory, new)) {}
  }

  @Test func `T5 without a recorder, a tree keeps no actions, regardless of its monitors`() {
    final class Payload: Sendable {}

    /// Returns the number of three actions whose payloads still exist after their steps.
    func kept(_ monitors: [any StoreMonitor]) -> Int {
      let factory = StoreFactory<Int, Payload>(initialState: 0, settings: TreeSettings(monitors: monitors)) {
        state, _ in state += 1
      }
      let payloads = (1...3).map { _ in WeakReference(to: dispatching(Payload(), to: factory)) }
      return withExtendedLifetime(factory) { payloads.count { $0.object != nil } }
    }
    func dispatching(_ payload: Payload, to factory: StoreFactory<Int, Payload>) -> Payload {
      factory.dispatchAndWait(payload)
      return payload
    }
    struct WeakReference {
      weak var object: Payload?
      init(to object: Payload) { self.object = object }
    }
    let recorder = Recorder<Int, Payload>()
    #expect(kept([]) == 0)
    #expect(kept([MetricsMonitor()]) == 0)
    #expect(kept([recorder]) == 3)
    withExtendedLifetime(recorder) {}
  }

  @Test func `a store can be made and released while another moment is shown`() throws {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    factory.dispatchAndWait(.add(1))
    try recorder.travel(to: 0)
    do {
      let child = factory.childStore(initialState: 20, stateMapping: { [$0, $1] }, reducer: RecorderTests.reduce)
      child.store().dispatch(.add(3))
      #expect(child.state == [0, 20])
    }
    #expect(factory.state == 0)
    recorder.resume()
    #expect(factory.state == 4)
    #expect(recorder.recording?.count == 2)
  }

  @Test func `when the root is released, waiting actions are reduced and everything is freed`() async throws {
    final class Witness: Sendable {
      let ended: @Sendable () -> Void
      init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
      deinit { ended() }
    }
    struct State: Sendable {
      var count = 0
      let witness: Witness
    }
    let freed = AsyncStream<Void>.makeStream()
    let (told, seen) = (Seen<String>(), Seen<Int>())
    do {
      let recorder = Recorder<State, Int>(onReturn: { told.add("\($0)") })
      var factory: StoreFactory<State, Int>? = StoreFactory(
        initialState: State(witness: Witness { freed.continuation.yield() }),
        settings: TreeSettings(monitors: [recorder])
      ) { state, action in
        state.count += action
        seen.add(state.count)
      }
      await factory?.dispatchAndWait(1)
      try recorder.travel(to: 0)
      factory?.dispatch(10)
      factory = nil
    }
    for await _ in freed.stream { break }
    #expect(told.take() == ["released"])
    #expect(seen.take() == [1, 11])
  }

  @Test func `a command in a callback of the tree runs after the callback`() throws {
    let recorder = Recorder<Int, Action>()
    let seen = Seen<Int>()
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: RecorderTests.reduce
    )
    let failures = Seen<RecordingError>()
    factory.rootStore().subscribe(
      observer: Observer<Int> { state in
        seen.add(state)
        guard state == 3 else { return .active }
        do throws(RecordingError) { try recorder.travel(to: 99) } catch { failures.add(error) }
        try? recorder.travel(to: 1)
        return .active
      }
    )
    factory.dispatchAndWait(.add(1))
    factory.dispatchAndWait(.add(2))
    #expect(factory.state == 1)
    #expect(seen.take() == [0, 1, 3, 1])
    #expect(recorder.moment?.position == 1)
    // The callback's action wasn't recorded yet.
    #expect(failures.take() == [.noSuchPosition(99, count: 1)])
  }

  @Test func `the tasks of an optional scope survive a moment without it, but not a future without it`() async throws {
    struct State: Sendable {
      var part: Int?
    }
    let recorder = Recorder<State, Int>()
    let factory = StoreFactory<State, Int>(initialState: State(), settings: TreeSettings(monitors: [recorder])) {
      state, action in
      state.part = action
    }
    await factory.dispatchAndWait(1)
    let (began, ended) = (AsyncStream<Void>.makeStream(), AsyncStream<Bool>.makeStream())
    let scope = factory.rootStore().scope(toOptional: { $0.part }, action: { (action: Int) in action })
    scope.task { _ in
      began.continuation.yield()
      try? await Task.sleep(for: .seconds(1000))
      ended.continuation.yield(Task.isCancelled)
    }
    for await _ in began.stream { break }
    try recorder.travel(to: 0)
    #expect(scope.state == nil)
    recorder.resume()
    #expect(scope.state == 1)
    try recorder.travel(to: 0)
    recorder.continueFromHere()
    var ends = ended.stream.makeAsyncIterator()
    #expect(await ends.next() == true)
    withExtendedLifetime(factory) {}
  }
}
