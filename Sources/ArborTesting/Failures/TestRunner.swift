/// The library that runs the tests, which records their failures.
package enum TestRunner {
  /// Records a failure or a warning, once, at the place that it names.
  ///
  /// - You can call it from any thread, in debug and in release builds.
  /// - The first of these receives it: a ``FailureSink``; Swift Testing, if one of its tests is current; XCTest, if it
  ///   is running; Swift Testing, if it is running. The last case covers detached tasks, which belong to the run but to
  ///   no test.
  /// - Otherwise it is written to standard error, and a failure also stops the program, so that it isn't overlooked.
  /// - XCTest has no warnings, so they are written to standard error.
  /// - XCTest on Linux drops failures that are found after its last test.
  package static func record(_ failure: TestFailure, at place: SourcePlace) {
    if let sink = FailureSink.current {
      sink.take(failure, at: place)
    } else if !isRecorded(failure, at: place) {
      recordWithoutRunner(failure, at: place)
    }
  }

  /// Runs a body and catches its failures, so that no runner records them.
  package static func catching<Result>(
    _ body: () throws -> Result
  ) rethrows -> (result: Result, failures: [CaughtFailure]) {
    let sink = FailureSink()
    let result = try FailureSink.$current.withValue(sink, operation: body)
    return (result, sink.failures)
  }

  /// Runs a body on the caller's actor and catches its failures, so that no runner records them.
  package static func catching<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> (result: Result, failures: [CaughtFailure]) {
    let sink = FailureSink()
    let result = try await FailureSink.$current.withValue(sink, operation: body, isolation: isolation)
    return (result, sink.failures)
  }

  /// Reports a failure when no test library is running.
  package static func recordWithoutRunner(_ failure: TestFailure, at place: SourcePlace) {
    switch failure.severity {
    case .failure: fatalError(failure.text, file: place.filePath, line: place.line)
    case .warning: failure.writeToStandardError(at: place)
    }
  }

  private static func isRecorded(_ failure: TestFailure, at place: SourcePlace) -> Bool {
    if SwiftTestingLibrary.hasCurrentTest, SwiftTestingLibrary.record(failure, at: place) { return true }
    if XCTestLibrary.isRunning, XCTestLibrary.record(failure, at: place) { return true }
    return SwiftTestingLibrary.isRunning && SwiftTestingLibrary.record(failure, at: place)
  }
}
