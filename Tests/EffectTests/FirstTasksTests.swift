import Arbor
import Dispatch
import Synchronization
import TestSupport
import Testing

/// The first tasks of a store create the storage for its tasks.
@Suite("The first tasks of a store")
struct FirstTasksTests {
  @Test func `tasks started by several threads at once know each other`() async {
    for _ in 0..<500 {
      let factory = CommitStore(initialState: 0)
      let store = factory.rootStore()
      let started = Atomic(0)
      let gate = Gate()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        store.task(key: "only one", mode: .keepCurrent) { _ in
          started.add(1, ordering: .relaxed)
          await gate.pass()
        }
      }
      gate.open()
      await store.settled()
      #expect(started.load(ordering: .relaxed) == 1)
      withExtendedLifetime(factory) {}
    }
  }
}
