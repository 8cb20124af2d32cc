import Arbor
import ArborDevTools
import Foundation
import Synchronization
import TestSupport
import Testing

/// What a recorder keeps, and what it lets go of.
@Suite("Bounds of a recorder")
struct RecorderBoundsTests {
  private struct Unfit: Error {}

  /// The number of values of one test that are in memory.
  private final class Count: Sendable {
    private let number = Mutex(0)
    var alive: Int { number.withLock { $0 } }
    func add(_ difference: Int) { number.withLock { $0 += difference } }
  }

  private final class Counted: Sendable {
    private let count: Count

    init(_ count: Count) {
      self.count = count
      count.add(1)
    }

    deinit { count.add(-1) }
  }

  /// An action that a recorder cannot measure before the test lets it.
  private struct Unmeasurable: CustomReflectable {
    let counted: Counted
    let isOpen: DispatchSemaphore

    var customMirror: Mirror {
      isOpen.wait()
      isOpen.signal()
      return Mirror(self, children: [])
    }
  }

  @Test func `commits that are waited for, and those that fail, are not kept beyond the limit`() {
    let recorder = Recorder<Int, Mutation<Int>>(limit: 10, checkpointInterval: 2)
    let store = CommitStore(initialState: 0, settings: TreeSettings(monitors: [recorder]))
    let count = Count()
    for index in 0..<500 {
      let counted = Counted(count)
      if index.isMultiple(of: 2) {
        store.commit { $0 += withExtendedLifetime(counted) { 1 } }
      } else {
        try? store.commit { (_: inout Int) throws(Unfit) in
          try withExtendedLifetime(counted) { () throws(Unfit) in throw Unfit() }
        }
      }
    }
    #expect(store.state == 250)
    #expect(recorder.recording?.count == 10)
    #expect(count.alive == 0)
  }

  @Test func `actions that wait to be measured are not kept beyond the limit`() {
    let recorder = Recorder<Int, Unmeasurable>(limit: 10, checkpointInterval: 2)
    let factory = StoreFactory<Int, Unmeasurable>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder])
    ) { state, _ in state += 1 }
    let (count, isOpen) = (Count(), DispatchSemaphore(value: 0))
    for _ in 0..<500 { factory.dispatchAndWait(Unmeasurable(counted: Counted(count), isOpen: isOpen)) }
    // The ten that are recorded, and a block of two that is being measured.
    #expect(factory.state == 500)
    #expect(count.alive <= 12)
    isOpen.signal()
    recorder.finishMeasuring()
    #expect(count.alive == 10)
    withExtendedLifetime(factory) {}
  }

  @Test func `blocks that wait to be measured as another moment is shown count afterwards`() throws {
    let recorder = Recorder<Int, Unmeasurable>(byteLimit: 1, checkpointInterval: 8)
    let factory = StoreFactory<Int, Unmeasurable>(
      initialState: 0,
      settings: TreeSettings(monitors: [recorder])
    ) { state, _ in state += 1 }
    let (count, isOpen) = (Count(), DispatchSemaphore(value: 0))
    for _ in 1...64 { factory.dispatchAndWait(Unmeasurable(counted: Counted(count), isOpen: isOpen)) }
    try recorder.travel(to: 0)
    isOpen.signal()
    recorder.finishMeasuring()
    recorder.resume()
    recorder.finishMeasuring()
    // The last full block is kept, and the one after it, which is empty.
    #expect(try #require(recorder.recording).count <= 8)
    withExtendedLifetime(factory) {}
  }

  @Test func `bytes of data count`() throws {
    let recorder = Recorder<Int, Data>(byteLimit: 1 << 20, checkpointInterval: 4)
    let factory = StoreFactory<Int, Data>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      $0 += $1.count
    }
    for _ in 1...100 { factory.dispatchAndWait(Data(count: 100_000)) }
    recorder.finishMeasuring()
    #expect(try #require(recorder.recording).count <= 12)
    withExtendedLifetime(factory) {}
  }

  @Test func `no more is kept than the limit, however rarely states are`() {
    #expect(Recorder<Int, Int>(limit: 10, checkpointInterval: 1_000_000).recording == nil)
    let recorder = Recorder<Int, Counted>(limit: 10, checkpointInterval: 1_000_000)
    let factory = StoreFactory<Int, Counted>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      state, _ in state += 1
    }
    let count = Count()
    for _ in 1...200 { factory.dispatchAndWait(Counted(count)) }
    #expect(recorder.recording?.count == 10)
    recorder.finishMeasuring()
    #expect(count.alive == 10)
    withExtendedLifetime(factory) {}
  }

  @Test func `tasks that have ended leave behind one that runs`() async throws {
    let recorder = Recorder<Int, Int>(limit: 8)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    let store = factory.rootStore()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let first = store.task { _ in for await _ in ends {} }
    for _ in 1...100 { try await store.task { _ in }.value }
    _ = factory.state
    let tasks = try #require(recorder.recording).tasks
    #expect(tasks.count < 20)
    #expect(tasks.first?.outcome == nil)
    end.finish()
    try await first.value
    withExtendedLifetime(factory) {}
  }

  @Test func `which actions have changed a part is known when those before were committed`() throws {
    let recorder = Recorder<Int, Int>(limit: 10, checkpointInterval: 4)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    factory.dispatchAndWait(1)
    #expect(recorder.recording?.changes(of: \.self) == [1])
    for _ in 2...100 { factory.dispatchAndWait(1) }
    let recording = try #require(recorder.recording)
    #expect(recording.changes(of: \.self) == Array(91...100))
    #expect(recording.lastPosition(where: \.self, is: 95) == 5)
    withExtendedLifetime(factory) {}
  }

  @Test(.reports("was given several recorders", "a recorder was given to a"))
  func `of several recorders the first that fits records, and the others know of nothing`() throws {
    let (unfit, first, second) = (Recorder<Int, String>(), Recorder<Int, Int>(), Recorder<Int, Int>())
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(monitors: [unfit, first, first, second])
    ) { $0 += $1 }
    factory.dispatchAndWait(1)
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { $1 },
      reducer: { (state: inout Int, action: Int) in state += action }
    )
    _ = factory.state
    #expect(first.recording?.entries.map(\.id) == [1])
    #expect(second.recording == nil)
    let other = StoreFactory<Int, Int>(initialState: 5, settings: TreeSettings(monitors: [first, second])) { $0 += $1 }
    other.dispatchAndWait(2)
    #expect(first.recording?.state == 1)
    #expect(second.recording?.state == 7)
    withExtendedLifetime((factory, child, other)) {}
  }

  @Test func `a callback reads the recording while entries are measured`() throws {
    let box = Mutex<Recorder<Int, String>?>(nil)
    let factory = StoreFactory<Int, String>(
      initialState: 0,
      interceptor: { _, _ in _ = box.withLock { $0 }?.recording },
      settings: TreeSettings(
        monitors: [
          {
            let recorder = Recorder<Int, String>(limit: 20, checkpointInterval: 1)
            box.withLock { $0 = recorder }
            return recorder
          }()
        ]
      ),
      reducer: { state, _ in state += 1 }
    )
    for _ in 1...300 { factory.dispatchAndWait("a text that is not stored in place") }
    #expect(box.withLock { $0 }?.recording?.count == 20)
    withExtendedLifetime(factory) {}
  }

  /// An object that asks a recorder when it is released, as a lock that is held would not survive.
  private final class Asking: Sendable {
    // Weak, as the recorder keeps the states that have it.
    private weak let recorder: Recorder<Int, Int>?
    init(_ recorder: Recorder<Int, Int>?) { self.recorder = recorder }
    deinit { _ = recorder?.isTravelling }
  }

  @Test(arguments: [64 << 20, 1000])
  func `states that are forgotten are released behind the lock, a child's too`(byteLimit: Int) {
    let recorder = Recorder<Int, Int>(limit: 4, byteLimit: byteLimit, checkpointInterval: 2)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    let child = factory.childStore(initialState: Asking(recorder)) { [weak recorder] asking, _ in
      asking = Asking(recorder)
    }
    for index in 0..<100 { child.dispatchAndWait(index) }
    recorder.finishMeasuring()
    #expect(recorder.recording?.count == 4)
    withExtendedLifetime((factory, child)) {}
  }

  @Test func `no reducer is called while the lock is held, where a batch fills what is kept together`() throws {
    let recorder = Recorder<Int, Int>(limit: 4, checkpointInterval: 2)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      [weak recorder] state, action in
      state += action
      _ = recorder?.isTravelling
    }
    let child = factory.childStore(initialState: 0) { [weak recorder] own, action in
      own += action
      _ = recorder?.isTravelling
    }
    for index in 0..<20 {
      factory.dispatch(batch: [index, index, index])
      child.dispatch(batch: [1, 1, 1])
    }
    let recording = try #require(recorder.recording)
    let id = try #require(try recording.stores(at: recording.count).last).id
    let sum = (0..<20).reduce(0, +)
    #expect(recording.state == 3 * sum + 60)
    let own = [recording.count - 1, recording.count].map { try? recording.state(of: id, at: $0) as? Int }
    #expect(own == [59, 60])
    withExtendedLifetime((factory, child)) {}
  }

  @Test(.reports("a callback has given a recorder"))
  func `a command of a callback about what has gone by its turn does nothing, and says so`() throws {
    let recorder = Recorder<Int, Int>(limit: 2, checkpointInterval: 1)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    let store = factory.rootStore()
    let subscription = store.observe { (state: Int) in
      guard state == 2, let last = recorder.recording?.entries.last else { return }
      for _ in 1...5 { store.dispatch(1) }
      #expect(throws: Never.self) { try recorder.toggle(last.id) }
    }
    factory.dispatchAndWait(1)
    factory.dispatchAndWait(1)
    #expect(factory.state == 7)
    #expect(!recorder.isTravelling)
    withExtendedLifetime((factory, subscription)) {}
  }
}
