internal import Arbor

/// Takes the failures found while a body runs, so that no runner records them: `FailureSink.$current.withValue(sink) { … }`.
///
/// - It reaches the body and the tasks that inherit its task-local values; not detached tasks, nor work on other queues.
/// - Inside another one it takes all: the innermost gets them.
/// - A body that throws loses none: they are still here.
package final class FailureSink: Sendable {
  /// The one that takes the failures found here, if any.
  @TaskLocal package static var current: FailureSink?

  private let caught = Protected<[CaughtFailure]>([])

  /// Makes one that has taken nothing.
  package init() {}

  /// The failures that it took, in the order in which they came.
  package var failures: [CaughtFailure] {
    caught.withLock { $0 }
  }

  /// Takes a failure.
  package func take(_ failure: TestFailure, at place: SourcePlace) {
    caught.withLock { $0.append(CaughtFailure(failure: failure, place: place)) }
  }
}

/// A failure that a sink took, and the place where it was found.
package struct CaughtFailure: Sendable {
  package let failure: TestFailure
  package let place: SourcePlace
}
