// The thread sanitizer has memory of its own, which grows with a flood.
#if os(Linux) && !TSAN
  import Arbor
  import Dispatch
  import Foundation
  import TestSupport
  import Testing

  /// Each test runs in a process of its own, so that it counts its own memory alone.
  @Suite("Resident memory")
  struct ResidentMemoryTests {
    @Test func `O7 after a flood the system has its memory back`() async {
      await #expect(processExitsWith: .success) {
        let tree = FloodedTree()
        try tree.flood(1000)
        let before = try residentMegabytes()
        let during = try tree.flood(600_000)
        #expect(during - before > 40, "\(before), then \(during) MB")
        let after = try residentMegabytes()
        #if ASAN
          // The address sanitizer keeps some of what is freed.
          #expect(after - before < (during - before) / 3, "\(before), then \(during), then \(after) MB")
        #else
          #expect(after - before < 10, "\(before), then \(after) MB")
        #endif
      }
    }

    // The address sanitizer keeps what is freed.
    #if !ASAN
      @Test func `O7 an idle tree keeps a small piece of memory, however large its floods were`() async {
        await #expect(processExitsWith: .success) {
          let trees = (0..<32).map { _ in FloodedTree() }
          for tree in trees { try tree.flood(1000) }
          let before = try residentMegabytes()
          for tree in trees { try tree.flood(40_000) }
          let after = try residentMegabytes()
          #expect(after - before < 10, "\(before), then \(after) MB")
        }
      }
    #endif
  }

  /// A tree whose actions wait all at once, and are then reduced.
  private struct FloodedTree {
    /// An action as large as a program's are.
    struct Action: Sendable {
      var isGate = false
      var weight = (1, 2, 3, 4, 5, 6, 7)
    }

    private let gate = DispatchSemaphore(value: 0)
    private let factory: StoreFactory<Int, Action>

    init() {
      factory = StoreFactory(initialState: 0) { [gate] count, action in
        if action.isGate { gate.wait() } else { count += 1 }
      }
    }

    /// Dispatches so many actions, and gives the resident memory of the time when all of them wait.
    @discardableResult
    func flood(_ count: Int) throws -> Int {
      let store = factory.rootStore()
      store.dispatch(Action(isGate: true))
      for _ in 0..<count { store.dispatch(Action()) }
      let resident = try residentMegabytes()
      gate.signal()
      _ = factory.state
      return resident
    }
  }
#endif
