import Arbor
import ArborDevTools
import Foundation
import Synchronization
import TestSupport
import Testing

/// Values that a recorder keeps or releases.
@Suite("Bounds of a recorder")
struct RecorderBoundsTests {
  private struct Unfit: Error {}

  /// The number of a test's values that are in memory.
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

  /// An action that a recorder can't measure until the test permits it.
  private struct Unmeasurable: CustomReflectable {
    let counted: Counted
    let isOpen: DispatchSemaphore

    var customMirror: Mirror {
      isOpen.wait()
      isOpen.signal()
      return Mirror(self, children: [])
    }
  }

  @Test func `commits with waiting callers, and failing ones, are not kept beyond the limit`() {
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
    // The ten recorded actions, and a block of two that is being measured.
    #expect(factory.state == 500)
    #expect(count.alive <= 12)
    isOpen.signal()
    recorder.finishMeasuring()
    #expect(count.alive == 10)
    withExtendedLifetime(factory) {}
  }

  @Test func `blocks that wait to be measured while another moment is shown are measured later`() throws {
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
    // The last full block is kept, and the empty one after it.
    #expect(try #require(recorder.recording).count <= 8)
    withExtendedLifetime(factory) {}
  }

  /// An action that can be measured once a semaphore allows it, of ten thousand bytes and a little more.
  private struct Late: CustomReflectable {
    static let size = 10_000
    let text: String
    let isOpen: DispatchSemaphore

    var customMirror: Mirror {
      isOpen.wait()
      isOpen.signal()
      return Mirror(self, children: ["text": text])
    }
  }

  @Test func `blocks that are requested twice while they wait to be measured count once`() throws {
    // Six blocks: more than there are, and fewer than if each counted twice.
    let recorder = Recorder<Int, Late>(byteLimit: 6 * 8 * Late.size, checkpointInterval: 8)
    let factory = StoreFactory<Int, Late>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { state, _ in
      state += 1
    }
    let isOpen = DispatchSemaphore(value: 0)
    for number in 1...32 {
      let text = String(repeating: "\(number % 10)", count: Late.size)
      factory.dispatchAndWait(Late(text: text, isOpen: isOpen))
    }
    try recorder.travel(to: 0)
    recorder.resume()
    isOpen.signal()
    recorder.finishMeasuring()
    #expect(try #require(recorder.recording).count == 32)
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

  @Test func `no more actions than the limit are kept, even with rare checkpoints`() {
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

  @Test func `ended tasks are removed even if an older one still runs`() async throws {
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

  @Test func `the actions that changed a part are found after earlier ones were committed`() throws {
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

  @Test(.reports("was given several recorders", "A recorder was given to a"))
  func `only the first suitable recorder records, and the others stay empty`() throws {
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

  /// An object that queries a recorder in its deinit, which would deadlock if the lock was held.
  private final class Asking: Sendable {
    // Weak, because the recorder keeps states that contain this object.
    private weak let recorder: Recorder<Int, Int>?
    init(_ recorder: Recorder<Int, Int>?) { self.recorder = recorder }
    deinit { _ = recorder?.isTravelling }
  }

  @Test(arguments: [64 << 20, 1000])
  func `forgotten states are released outside the lock, also those of a child`(byteLimit: Int) {
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

  @Test func `no reducer is called while the lock is held, even when a batch fills a block`() throws {
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

  @Test(.reports("A callback gave a recorder"))
  func `a command of a callback about an action that is gone by its turn only reports that`() throws {
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
