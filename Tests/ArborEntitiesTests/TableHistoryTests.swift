// The sanitizers use their own memory; one of them keeps freed memory.
#if os(Linux) && !TSAN && !ASAN
  import Arbor
  import ArborEntities
  import TestSupport
  import Testing

  @Suite("History of a table")
  struct TableHistoryTests {
    private struct Item: Equatable, Identifiable, Sendable {
      let id: Int
      var count = 0
    }

    /// Runs in a separate process, so that only its own memory counts. 1,000 copies of the table would take 5 GB.
    @Test func `a history of a table keeps only the changes`() async {
      await #expect(processExitsWith: .success) {
        var history = History(try EntityTable((0..<100_000).map { Item(id: $0) }), limit: 1000)
        let before = try residentMegabytes()
        for number in 0..<1000 {
          try history.document.update(number) { $0.count = 1 }
          history.record()
        }
        let after = try residentMegabytes()
        #expect(after - before < 64, "\(before), then \(after) MB")
        while history.undo() {}
        #expect(history.document.allSatisfy { $0.count == 0 })
        while history.redo() {}
        #expect(history.document.count { $0.count == 1 } == 1000)
      }
    }
  }
#endif
