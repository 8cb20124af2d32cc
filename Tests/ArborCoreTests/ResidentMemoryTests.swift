// The thread sanitizer uses its own memory, which grows with a flood.
#if os(Linux) && !TSAN
  import Arbor
  import Dispatch
  import Foundation
  import TestSupport
  import Testing

  /// Each test runs in a separate process, so that only its own memory counts.
  @Suite("Resident memory")
  struct ResidentMemoryTests {
    @Test func `O7 after a flood the system gets its memory back`() async {
      await #expect(processExitsWith: .success) {
        let tree = FloodedTree()
        try tree.flood(1000)
        let before = try residentMegabytes()
        let during = try tree.flood(600_000)
        #expect(during - before > 40, "\(before), then \(during) MB")
        let after = try residentMegabytes()
        #if ASAN
          // The address sanitizer keeps some freed memory.
          #expect(after - before < (during - before) / 3, "\(before), then \(during), then \(after) MB")
        #else
          #expect(after - before < 10, "\(before), then \(after) MB")
        #endif
      }
    }

    // The address sanitizer keeps freed memory.
    #if !ASAN
      @Test func `O7 an idle tree keeps a small piece of memory, no matter how large its floods were`() async {
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

  /// A tree whose actions all wait at once, and are then reduced.
  private struct FloodedTree {
    /// An action as large as in a real program.
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

    /// Dispatches a number of actions, and returns the resident memory while all of them wait.
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
