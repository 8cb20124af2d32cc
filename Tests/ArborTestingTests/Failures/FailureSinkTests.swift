import ArborTesting
import Testing

@Suite("Catching failures")
struct FailureSinkTests {
  private struct Stop: Error {}

  @Test func `a caught failure keeps its place and does not fail the test`() {
    let line = #line + 1
    let place = SourcePlace.here()
    let (result, failures) = TestRunner.catching {
      TestRunner.record(.example, at: place)
      return 7
    }
    #expect(result == 7)
    #expect(failures.map(\.failure) == [.example])
    #expect(failures.map(\.place.description) == ["\(#filePath):\(line):\(place.column)"])
  }

  @Test func `failures and warnings are caught in the order in which they were found`() {
    let failures = TestRunner.catching {
      TestRunner.record(.warning, at: .here())
      TestRunner.record(.example, at: .here())
    }.failures
    #expect(failures.map(\.failure.severity) == [.warning, .failure])
  }

  @Test func `if nothing fails, nothing is caught`() {
    #expect(TestRunner.catching { 1 }.failures.isEmpty)
  }

  @Test func `the innermost sink catches a failure`() {
    let outer = TestRunner.catching {
      let inner = TestRunner.catching { TestRunner.record(.warning, at: .here()) }
      TestRunner.record(.example, at: .here())
      return inner.failures.map(\.failure)
    }
    #expect(outer.result == [.warning])
    #expect(outer.failures.map(\.failure) == [.example])
  }

  @Test func `failures are caught after a suspension and in child tasks too`() async {
    let failures = await TestRunner.catching {
      await Task.yield()
      TestRunner.record(.example, at: .here())
      async let child: Void = TestRunner.record(.warning, at: .here())
      await child
      await Task { TestRunner.record(.example, at: .here()) }.value
    }.failures
    #expect(failures.map(\.failure) == [.example, .warning, .example])
  }

  @MainActor
  @Test func `a body on the main actor stays there`() async {
    var count = 0
    let failures = await TestRunner.catching {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      count += 1
      TestRunner.record(.example, at: .here())
    }.failures
    #expect(count == 1)
    #expect(failures.count == 1)
  }

  @Test func `a body that throws loses no failure`() async {
    let sink = FailureSink()
    #expect(throws: Stop.self) {
      try FailureSink.$current.withValue(sink) {
        TestRunner.record(.example, at: .here())
        throw Stop()
      }
    }
    await #expect(throws: Stop.self) {
      try await FailureSink.$current.withValue(sink) {
        await Task.yield()
        TestRunner.record(.warning, at: .here())
        throw Stop()
      }
    }
    #expect(sink.failures.map(\.failure) == [.example, .warning])
    #expect(FailureSink.current == nil)
  }

  @Test func `two simultaneous bodies catch their own failures`() async {
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          let failure = TestFailure(summary: "Failure \(number).", fix: "nothing.")
          let caught = await TestRunner.catching {
            TestRunner.record(failure, at: .here())
            await Task.yield()
            TestRunner.record(failure, at: .here())
          }
          return caught.failures.map(\.failure) == [failure, failure]
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }
}
