// With sanitizers, functions need larger stacks.
#if !TSAN && !ASAN
  import ArborDevTools
  import Foundation
  import Testing

  @Suite("A thousand levels on the smallest stack")
  struct DepthTests {
    /// Runs a body on a thread with a stack as small as those of Apple's threads.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          #expect(throws: Never.self) { try body() }
          continuation.resume()
        }
        thread.stackSize = 512 * 1024
        thread.start()
      }
    }

    @Test func `values are encoded and decoded`() async throws {
      let value = Nested(depth: 490)
      await onSmallStack {
        let decoded = try RecordedValue(encoding: value).decoded(as: Nested.self)
        #expect(decoded == value)
      }
    }

    @Test func `an error passes through all levels`() async {
      await onSmallStack {
        let text = String(repeating: "[", count: 400) + "1" + String(repeating: "]", count: 400)
        let error = #expect(throws: DecodingError.self) {
          try JSONReader.value(of: Array(text.utf8)).decoded(as: Nested.self)
        }
        guard case .typeMismatch(_, let context)? = error else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(context.codingPath.count == 400)
      }
    }

    @Test func `trees are read, written, compared and changed`() async throws {
      await onSmallStack {
        func text(_ middle: String) -> [UInt8] {
          Array((String(repeating: #"{"a":["#, count: 500) + middle + String(repeating: "]}", count: 500)).utf8)
        }
        let (one, two) = (try JSONReader.value(of: text("1")), try JSONReader.value(of: text("2")))
        let changes = RecordingChange.changes(from: one, to: two)
        #expect(changes.map(\.path.count) == [1000])
        var made = one
        for change in changes { try change.apply(to: &made) }
        #expect(made == two)
        #expect(JSONText(of: made).bytes == text("2"))
      }
    }
  }
#endif
