import Arbor
import ArborDevTools
import Synchronization
import TestSupport
import Testing

@Suite("Recorder")
struct RecorderTests {
  enum Action: Sendable, Equatable {
    case add(Int)
    case double
  }

  static func reduce(_ state: inout Int, _ action: Action) {
    switch action {
    case .add(let number): state += number
    case .double: state *= 2
    }
  }

  @Test func `a recording has each action, and finds the state after each`() throws {
    let recorder = Recorder<Int, Action>(checkpointInterval: 3)
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    for number in 1...10 { factory.dispatch(.add(number)) }
    #expect(factory.state == 56)
    let recording = try #require(recorder.recording)
    #expect(recording.entries.map(\.rootAction) == (1...10).map { .add($0) })
    #expect(recording.entries.map(\.id) == Array(1...10))
    #expect(try (0...10).map { try recording.state(at: $0) } == [1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56])
    #expect(recording.position == 10)
    #expect(recording.entries.allSatisfy { $0.times != nil && $0.store == recording.entries.first?.store })
  }

  @Test func `the oldest actions become part of the base`() throws {
    let recorder = Recorder<Int, Action>(limit: 5, checkpointInterval: 2)
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    for _ in 1...20 { factory.dispatch(.add(1)) }
    #expect(factory.state == 20)
    let recording = try #require(recorder.recording)
    #expect(recording.count == 5)
    #expect(recording.base == 15)
    #expect(recording.entries.map(\.id) == [16, 17, 18, 19, 20])
  }

  @Test func `large actions are committed earlier than small ones`() throws {
    let recorder = Recorder<Int, String>(byteLimit: 1 << 20, checkpointInterval: 4)
    let factory = StoreFactory<Int, String>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      state, action in
      state += action.utf8.count
    }
    for _ in 1...100 { factory.dispatchAndWait(String(repeating: "x", count: 100_000)) }
    #expect(factory.state == 10_000_000)
    recorder.finishMeasuring()
    let recording = try #require(recorder.recording)
    #expect(4...12 ~= recording.count)
    #expect(recording.base == 10_000_000 - recording.count * 100_000)
    #expect(recording.state == 10_000_000)
    for _ in 1...100 { factory.dispatchAndWait("y") }
    _ = factory.state
    #expect(try #require(recorder.recording).count > 100)
  }

  @Test func `a batch is recorded as its actions, and the last one ends the step`() throws {
    let recorder = Recorder<Int, Action>(checkpointInterval: 2)
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    factory.dispatch(batch: [.add(1), .double, .add(3), .double, .add(1)])
    #expect(factory.state == 15)
    let recording = try #require(recorder.recording)
    #expect(recording.entries.map(\.isLastOfStep) == [false, false, false, false, true])
    #expect(try (0...5).map { try recording.state(at: $0) } == [1, 2, 4, 7, 14, 15])
  }

  @Test func `dropped and replaced actions are recorded with their outcomes`() throws {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        interceptors: [
          Interceptor { action, _ in
            switch action {
            case .add(0): .drop
            case .add(let number) where number > 9: .replace(with: .add(9))
            default: .pass
            }
          }
        ],
        reducer: Self.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    factory.dispatch(.add(0))
    factory.dispatch(.add(100))
    #expect(factory.state == 10)
    let recording = try #require(recorder.recording)
    let entries = Array(recording.entries)
    #expect(entries.map { $0.action as? Action } == [.add(0), .add(100)])
    #expect(entries.map(\.rootAction) == [nil, .add(9)])
    guard case .dropped = entries[0].outcome, case .replaced = entries[1].outcome else {
      Issue.record("\(entries.map(\.outcome))")
      return
    }
  }

  @Test func `causes form epochs, which are toggled as one`() throws {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      feature: Feature(
        effects: { _, action in action == .add(1) ? .send(.add(10)) : action == .add(10) ? .send(.add(100)) : .none },
        reducer: Self.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    factory.dispatch(.add(1))
    factory.dispatch(.add(5))
    for _ in 1...2 { factory.dispatchAndWait(.add(0)) }
    #expect(factory.state == 117)
    var recording = try #require(recorder.recording)
    let first = try #require(recording.entries.first { $0.rootAction == .add(1) })
    #expect(try recording.epoch(of: first.id).count == 3)
    try recording.toggleEpoch(of: first.id)
    #expect(recording.state == 6)
    try recorder.toggleEpoch(of: first.id)
    #expect(factory.state == 6)
    recorder.resume()
    #expect(factory.state == 117)
  }

  @Test func `stores below the root are recorded and reduce their own actions again`() throws {
    let recorder = Recorder<Int, Action>(checkpointInterval: 2)
    let factory = StoreFactory<Int, Action>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    factory.dispatch(.add(1))
    let child = factory.childStore(initialState: 100, stateMapping: { [$0, $1] }, reducer: Self.reduce)
    #expect(child.state == [1, 100])
    let id = try #require(recorder.recording?.stores(at: 1).last?.id)
    for number in 2...6 { (number.isMultiple(of: 2) ? child.store().dispatch : factory.dispatch)(.add(number)) }
    #expect(child.state == [21, 112])
    var recording = try #require(recorder.recording)
    #expect(try (0...6).map { try recording.state(of: id, at: $0) as? Int } == [nil, 100, 102, 102, 106, 106, 112])
    #expect(try (0...6).map { try recording.state(at: $0) } == [0, 1, 3, 6, 10, 15, 21])
    try recording.toggle(4)
    #expect(try (0...6).map { try recording.state(of: id, at: $0) as? Int } == [nil, 100, 102, 102, 102, 102, 108])
    #expect(recording.state == 17)
    try recorder.toggle(4)
    #expect(child.state == [17, 108])
    recorder.resume()
    #expect(child.state == [21, 112])
  }

  @Test func `a commit is repeated, and one with a waiting caller is a barrier`() throws {
    let recorder = Recorder<[Int], Mutation<[Int]>>(checkpointInterval: 2)
    let store = CommitStore(initialState: [Int](), settings: TreeSettings(monitors: [recorder]))
    store.commitLater { $0.append(1) }
    store.commitLater { $0.append(2) }
    store.commit { $0.append($0.count * 10) }
    store.commitLater { $0.append(4) }
    #expect(store.state == [1, 2, 20, 4])
    var recording = try #require(recorder.recording)
    #expect(recording.entries.map(\.isBarrier) == [false, false, true, false])
    try recording.toggle(2)
    #expect(try recording.state(at: 2) == [1])
    #expect(recording.state == [1, 2, 20, 4])
    try recording.toggle(4)
    #expect(recording.state == [1, 2, 20])
    try recording.toggle(3)
    #expect(recording.state == [1])
  }

  @Test func `a child's waiting commit is only a barrier for its own state`() throws {
    let recorder = Recorder<Int, Mutation<Int>>()
    let store = CommitStore(initialState: 0, settings: TreeSettings(monitors: [recorder]))
    let child = store.childCommitStore(initialState: 0)
    store.commitLater { $0 += 1 }
    child.commit { $0 += 5 }
    child.commitLater { $0 += 1 }
    #expect(child.state == 6 && store.state == 1)
    var recording = try #require(recorder.recording)
    let id = try #require(try recording.stores(at: 3).last?.id)
    try recording.toggle(1)
    #expect(recording.state == 0)
    #expect(try recording.state(of: id, at: 3) as? Int == 6)
    try recording.toggle(3)
    #expect(try recording.state(of: id, at: 3) as? Int == 5)
    withExtendedLifetime((store, child)) {}
  }

  @Test func `scoped features with interceptors reduce again without their tree`() throws {
    struct State: Equatable, Sendable {
      var left = 0
      var right: Int? = 0
    }
    enum Whole: Sendable {
      case left(Action)
      case right(Action)
    }
    let part = Feature<Int, Action>(
      interceptors: [Interceptor { action, _ in action == .add(3) ? .replace(with: .add(30)) : .pass }],
      effects: { _, _ in .none },
      reducer: Self.reduce
    )
    let feature = Feature<State, Whole>.combined(
      part.scoped(to: \.left, action: Whole.left) { if case .left(let action) = $0 { action } else { nil } },
      part.scoped(toOptional: \.right, action: Whole.right) { if case .right(let action) = $0 { action } else { nil } }
    )
    let recorder = Recorder<State, Whole>()
    let factory = StoreFactory(initialState: State(), feature: feature, settings: TreeSettings(monitors: [recorder]))
    factory.dispatch(.left(.add(1)))
    factory.dispatch(.right(.add(3)))
    factory.dispatch(.left(.double))
    #expect(factory.state == State(left: 2, right: 30))
    var recording = try #require(recorder.recording)
    try recording.toggle(1)
    #expect(recording.state == State(left: 0, right: 30))
    factory.dispatch(.right(.double))
    #expect(factory.state == State(left: 2, right: 60))
  }

  @Test func `a recording knows which actions changed a part, and when it last had a value`() throws {
    struct State: Equatable, Sendable {
      var count = 0
      var name = ""
    }
    var recording = Recording<State, String>(initialState: State(), checkpointInterval: 3) { state, action in
      if action == "+" { state.count += 1 } else if action == "-" { state.count -= 1 } else { state.name = action }
    }
    try recording.perform(["+", "a", "a", "+", "-", "b", "+"])
    #expect(recording.changes(of: \.count) == [1, 4, 5, 7])
    #expect(recording.changes(of: \.name) == [2, 6])
    #expect(recording.lastPosition(where: \.count, is: 1) == 6)
    #expect(recording.lastPosition(where: \.count, is: 2) == 7)
    #expect(recording.lastPosition(where: \.count, is: 0) == 0)
    #expect(recording.lastPosition(where: \.count, is: 9) == nil)
    var other = recording
    try other.perform("-")
    try recording.perform("c")
    #expect(other.changes(of: \.count) == [1, 4, 5, 7, 8])
    #expect(recording.changes(of: \.count) == [1, 4, 5, 7])
    #expect(recording.changes(of: \.name) == [2, 6, 8])
    try recording.toggle(1)
    #expect(recording.changes(of: \.count) == [4, 5, 7])
    try recording.setLimit(3)
    #expect(recording.changes(of: \.count) == [7])
    #expect(recording.lastPosition(where: \.count, is: 0) == 1)
  }

  @Test func `a query for a part only reduces the actions added since the last one`() throws {
    let calls = Mutex(0)
    var recording = Recording<Int, Int>(initialState: 0) { state, action in
      calls.withLock { $0 += 1 }
      state += action
    }
    try recording.perform(1...1000)
    calls.withLock { $0 = 0 }
    #expect(recording.changes(of: \.self).count == 1000)
    #expect(calls.withLock { $0 } == 1000)
    #expect(recording.lastPosition(where: \.self, is: 3) == 2)
    #expect(calls.withLock { $0 } == 1000)
    try recording.perform(1...10)
    calls.withLock { $0 = 0 }
    #expect(recording.changes(of: \.self).count == 1010)
    #expect(calls.withLock { $0 } < 60)
  }

  @Test func `the recording starts over after a stop`() throws {
    let recorder = Recorder<Int, Action>()
    let factory = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    factory.dispatch(.add(1))
    _ = factory.state
    recorder.stopRecording()
    factory.dispatch(.add(10))
    _ = factory.state
    #expect(recorder.recording?.count == 1)
    recorder.startRecording()
    factory.dispatch(.double)
    #expect(factory.state == 24)
    let recording = try #require(recorder.recording)
    #expect(recording.base == 12)
    #expect(recording.entries.map(\.rootAction) == [.double])
    #expect(recording.state == 24)
  }

  @Test(.reports("A recorder was given to a"))
  func `a second tree and one of other types are not recorded, but work as usual`() throws {
    let recorder = Recorder<Int, Action>()
    let first = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    let second = StoreFactory<Int, Action>(
      initialState: 5,
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
    let other = StoreFactory<String, String>(initialState: "", settings: TreeSettings(monitors: [recorder])) {
      $0 += $1
    }
    let child = second.childStore(initialState: 0, reducer: Self.reduce)
    for number in 1...3 {
      first.dispatchAndWait(.add(number))
      child.store().dispatchAndWait(.double)
      other.dispatchAndWait("x")
    }
    #expect(first.state == 7 && second.state == 40 && other.state == "xxx")
    let recording = try #require(recorder.recording)
    #expect(recording.count == 3 && recording.state == 7)
    try recorder.travel(to: 0)
    #expect(first.state == 1 && second.state == 40)
    let third = Recorder<String, Int>()
    let mistaken = StoreFactory<Int, Action>(
      initialState: 1,
      settings: TreeSettings(monitors: [third]),
      reducer: Self.reduce
    )
    mistaken.dispatchAndWait(.add(1))
    #expect(mistaken.state == 2 && third.recording == nil)
  }

  @Test func `traveling without a store is refused`() throws {
    let recorder = Recorder<Int, Action>()
    #expect(recorder.recording == nil)
    #expect(throws: RecordingError.noStore) { try recorder.travel(to: 0) }
    recorder.resume()
    #expect(recorder.continueFromHere().isEmpty)
    do {
      let factory = StoreFactory<Int, Action>(
        initialState: 1,
        settings: TreeSettings(monitors: [recorder]),
        reducer: Self.reduce
      )
      factory.dispatchAndWait(.add(1))
      #expect(throws: RecordingError.noSuchPosition(2, count: 1)) { try recorder.travel(to: 2) }
      #expect(!recorder.isTravelling)
      withExtendedLifetime(factory) {}
    }
    #expect(recorder.recording?.count == 1)
  }
}
