internal import Arbor

/// Collects the failures found while a body runs, so that no runner records them:
/// `FailureSink.$current.withValue(sink) { … }`.
///
/// - It covers the body and the tasks that inherit its task-local values, but not detached tasks or work on other
///   queues.
/// - If sinks are nested, the innermost one receives all failures.
/// - If the body throws, its failures are kept.
package final class FailureSink: Sendable {
  /// The sink that collects the failures found here, if any.
  @TaskLocal package static var current: FailureSink?

  private let caught = Protected<[CaughtFailure]>([])

  /// Makes an empty sink.
  package init() {}

  /// The collected failures, in the order they were found.
  package var failures: [CaughtFailure] {
    caught.withLock { $0 }
  }

  /// Collects a failure.
  package func take(_ failure: TestFailure, at place: SourcePlace) {
    caught.withLock { $0.append(CaughtFailure(failure: failure, place: place)) }
  }
}

/// A failure in a sink, and the place where it was found.
package struct CaughtFailure: Sendable {
  package let failure: TestFailure
  package let place: SourcePlace
}
