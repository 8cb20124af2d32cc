import Arbor
import ArborDevTools
import ArborTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Random schedules of dispatching and traveling, compared to a model that replays lists.
@Suite("Model of traveling")
struct TravelModelTests {
  #if DEBUG
    private static let schedules = 10
  #else
    private static let schedules = 100
  #endif

  /// A reducer whose result depends on the order and the number of the actions.
  private static func reduce(_ state: inout UInt64, _ action: UInt64) {
    state = state &* 0x9E37_79B9_7F4A_7C15 &+ action
  }

  /// Returns the action that an observer dispatches when it receives a state; nil for most states.
  private static func answer(to state: UInt64) -> UInt64? { state % 5 == 0 ? state % 7 : nil }

  private struct Model {
    struct Past {
      var actions: [(number: Int, action: UInt64, isSkipped: Bool)] = []
      var position = 0

      func state(at position: Int) -> UInt64 {
        var state: UInt64 = 7
        for action in actions.prefix(position) where !action.isSkipped { reduce(&state, action.action) }
        return state
      }
    }

    /// The actual history and the shown one. They are the same in the present.
    var present = Past()
    var shown: Past?
    var waiting: [UInt64] = []
    var nextNumber = 1

    /// The states that an observer must receive.
    var notified: [UInt64] = []

    /// The number of the observer's actions that were dropped at the shown moment.
    var dropped = 0

    /// The actions that the observer dispatched and that have arrived.
    private var arriving: [UInt64] = []

    var state: UInt64 { (shown ?? present).state(at: (shown ?? present).position) }

    mutating func dispatch(_ action: UInt64, isDropping: Bool) {
      guard shown == nil else {
        guard isDropping else { return waiting.append(action) }
        nextNumber += 1
        dropped += 1
        return
      }
      make(action)
      reduceArriving()
    }

    private mutating func make(_ action: UInt64) {
      present.actions.append((nextNumber, action, false))
      nextNumber += 1
      present.position = present.actions.count
      notify()
    }

    private mutating func reduceArriving() {
      while !arriving.isEmpty { make(arriving.removeFirst()) }
    }

    /// Delivers a state to the observer, which may dispatch.
    private mutating func notify() {
      notified.append(state)
      guard let action = TravelModelTests.answer(to: state) else { return }
      guard shown != nil else { return arriving.append(action) }
      nextNumber += 1
      dropped += 1
    }

    mutating func travel(_ change: (inout Past) -> Bool) -> Bool {
      var past = shown ?? present
      guard change(&past) else { return false }
      shown = past
      dropped = 0
      notify()
      return true
    }

    mutating func resume() {
      guard shown != nil else { return }
      shown = nil
      notify()
      goOn()
    }

    mutating func continueFromHere() -> Int {
      guard var past = shown else { return 0 }
      let leaving = past.actions.count - past.position + past.actions.prefix(past.position).count { $0.isSkipped }
      past.actions.removeSubrange(past.position...)
      (present, shown) = (past, nil)
      notify()
      goOn()
      return leaving
    }

    /// Comes back first. Actions that the observer dispatches meanwhile are accepted after the action.
    mutating func dispatchAndWait(_ action: UInt64) {
      if shown != nil {
        shown = nil
        notify()
        reduceWaiting()
      }
      make(action)
      reduceArriving()
    }

    private mutating func goOn() {
      reduceWaiting()
      reduceArriving()
    }

    private mutating func reduceWaiting() {
      let actions = waiting
      waiting = []
      for action in actions { make(action) }
    }
  }

  @Test(arguments: 0..<repetitions(100))
  func `T1 to T3 random schedules have the same results as a replay`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<Self.schedules { try run(&random) }
  }

  private func run(_ random: inout SplitMix64) throws {
    let isDropping = Bool.random(using: &random)
    let interval = Int.random(in: 1...6, using: &random)
    let recorder = Recorder<UInt64, UInt64>(checkpointInterval: interval, arrivingActions: isDropping ? .drop : .wait)
    let executor = ManualExecutor()
    let factory = StoreFactory<UInt64, UInt64>(
      initialState: 7,
      feature: Feature { Self.reduce(&$0, $1) },
      settings: TreeSettings(monitors: [recorder], executor: executor)
    )
    let seen = Mutex<[UInt64]>([])
    let subscription = factory.rootStore().observe(initial: false) { (state: UInt64) in
      seen.withLock { $0.append(state) }
      if let action = Self.answer(to: state) { factory.dispatch(action) }
    }
    var model = Model()
    for _ in 0..<30 {
      try step(factory, recorder, &model, isDropping, &random)
      // Also runs the actions that the observer dispatched.
      executor.run()
      #expect(factory.state == model.state)
      #expect(recorder.isTravelling == (model.shown != nil))
      #expect(recorder.moment?.droppedActions ?? 0 == (model.shown == nil ? 0 : model.dropped))
      #expect(seen.withLock { $0 } == model.notified)
      let recording = try #require(recorder.recording)
      let past = model.shown ?? model.present
      #expect(recording.position == past.position)
      #expect(recording.entries.filter { $0.outcome.isReduced }.map(\.id) == past.actions.map(\.number))
    }
    withExtendedLifetime((factory, subscription)) {}
  }

  private func step(
    _ factory: StoreFactory<UInt64, UInt64>,
    _ recorder: Recorder<UInt64, UInt64>,
    _ model: inout Model,
    _ isDropping: Bool,
    _ random: inout SplitMix64
  ) throws {
    let (action, past) = (UInt64.random(in: 0...9, using: &random), model.shown ?? model.present)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      factory.dispatch(action)
      model.dispatch(action, isDropping: isDropping)
    case 4:
      model.dispatchAndWait(action)
      factory.dispatchAndWait(action)
    case 5, 6:
      let position = Int.random(in: 0...past.actions.count + 1, using: &random)
      let isThere = model.travel { past in
        guard position <= past.actions.count else { return false }
        past.position = position
        return true
      }
      expect(isThere) { () throws(RecordingError) in try recorder.travel(to: position) }
    case 7:
      let number = past.actions.randomElement(using: &random)?.number ?? 1000
      let isThere = model.travel { past in
        guard let index = past.actions.firstIndex(where: { $0.number == number }) else { return false }
        past.actions[index].isSkipped.toggle()
        return true
      }
      expect(isThere) { () throws(RecordingError) in try recorder.toggle(number) }
    case 8:
      model.resume()
      recorder.resume()
    default:
      let leaving = model.continueFromHere()
      #expect(recorder.continueFromHere().count == leaving)
    }
  }

  private func expect(_ isThere: Bool, _ command: () throws(RecordingError) -> Void) {
    do throws(RecordingError) {
      try command()
      #expect(isThere)
    } catch {
      #expect(!isThere)
    }
  }

  @Test func `T2, T3 no action is lost or doubled when many threads travel and wait`() {
    let recorder = Recorder<Int, Int>(limit: 50, checkpointInterval: 4)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    let count = 300
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      for index in 1...count {
        switch thread {
        case 0, 1: factory.dispatch(1)
        case 2: factory.dispatchAndWait(1)
        case 3: try? recorder.travel(to: index % 60)
        case 4: recorder.resume()
        default: _ = recorder.recording?.state
        }
      }
    }
    recorder.resume()
    #expect(factory.state == 3 * count)
    #expect(recorder.recording?.state == 3 * count)
    withExtendedLifetime(factory) {}
  }
}

extension ActionOutcome {
  fileprivate var isReduced: Bool { if case .reduced = self { true } else { false } }
}
