import Arbor

/// An element of the stress test's state, with work of its own.
struct WorkElement: Identifiable, Sendable {
  let id: Int
  var work = JobState()
}
