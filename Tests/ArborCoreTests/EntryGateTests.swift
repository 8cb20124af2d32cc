import ArborCore
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// A gate for the entries of a tree, at which actions wait.
@Suite("The gate for a tree's entries")
struct EntryGateTests {
  /// A gate that blocks actions until a test opens it.
  private final class Gate: EntryGate {
    private let tree: Tree

    init(of tree: Tree) {
      self.tree = tree
    }

    var dropsActions: Bool { false }
    var showsMoment: Bool { false }

    func blocks(_ kind: WaitingEntry.Kind) -> Bool {
      if case .actions = kind { true } else { false }
    }

    func open(isRootGone: Bool) { tree.openGate() }
  }

  private func close(_ tree: Tree) {
    tree.runBetweenEntries(for: "gate") { tree.closeGate(Gate(of: tree)) }
  }

  private func open(_ tree: Tree) {
    tree.runBetweenEntries(for: "gate") { tree.openGate() }
  }

  // In a separate function, because it must not be called in an async one.
  private func wait(_ store: Store<[Int], Int>, for action: Int) { store.dispatchAndWait(action) }

  @Test func `O1 actions that wait at the gate are reduced in order when it opens`() throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let tree = try #require(factory.rootStore().tree)
    factory.dispatch(1)
    close(tree)
    for action in 2...100 { factory.dispatch(action) }
    factory.dispatch(batch: [101, 102])
    #expect(factory.state == [1])
    open(tree)
    factory.dispatch(103)
    #expect(factory.state == Array(1...103))
  }

  @Test func `a caller that waits for its own step opens the gate, after everything that waited there`() async throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let tree = try #require(factory.rootStore().tree)
    close(tree)
    factory.dispatch(1)
    wait(factory.rootStore(), for: 2)
    #expect(factory.state == [1, 2])
    close(tree)
    factory.dispatch(3)
    await factory.dispatchAndWait(4)
    factory.dispatch(5)
    #expect(factory.state == [1, 2, 3, 4, 5])
  }

  @Test func `O2 a read returns the state after everything accepted before, even if actions wait at the gate`() throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let (store, seen) = (factory.rootStore(), RecordedValues<[Int]>())
    let tree = try #require(store.tree)
    close(tree)
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchGroup()
    // Use separate threads: this one waits for them, and may occupy all threads of the queues.
    func onThread(_ body: @escaping @Sendable () -> Void) {
      done.enter()
      Thread {
        body()
        done.leave()
      }
      .start()
    }
    onThread {
      tree.runBetweenEntries(for: "gate") {
        isInside.signal()
        mayLeave.wait()
      }
    }
    isInside.wait()
    for _ in 1...3 { store.subscribe(observer: .recording(in: seen)) }
    let answers = RecordedValues<[[Int]]>()
    onThread {
      _ = store.state
      answers.append(seen.values)
    }
    while store.activeThreads < 2 { sched_yield() }
    for action in 1...10 { store.dispatch(action) }
    mayLeave.signal()
    done.wait()
    #expect(answers.values == [[[], [], []]])
    open(tree)
    #expect(factory.state == Array(1...10))
  }

  @Test func `S2 a read after a dispatch sees the action even if it waited at a gate opened elsewhere`() throws {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let store = factory.rootStore()
    let tree = try #require(store.tree)
    close(tree)
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // The first entry of a drain runs a callback. The last entry of the same drain opens the gate.
    store.subscribe(
      observer: Observer { _ in
        isInside.signal()
        mayLeave.wait()
        for _ in 1...QueueExecutor.batch - 3 { store.subscribe(observer: Observer { _ in .dead }) }
        tree.runBetweenEntries(for: "gate") { tree.openGate() }
        return .dead
      }
    )
    isInside.wait()
    let (answers, done) = (RecordedValues<[Int]>(), DispatchSemaphore(value: 0))
    Thread {
      store.dispatch(1)
      answers.append(store.state ?? [])
      done.signal()
    }
    .start()
    while store.activeThreads < 2 { sched_yield() }
    mayLeave.signal()
    done.wait()
    #expect(answers.values == [[1]])
    withExtendedLifetime(factory) {}
  }
}
