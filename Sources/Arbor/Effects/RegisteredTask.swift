/// A task as its table knows it.
struct RegisteredTask: Sendable {
  let ticket: TaskTicket
  let priority: TaskPriority?

  /// The body.
  let run: @Sendable () async -> Void

  /// Called once if it is dropped: as soon as that is known.
  let whenDropped: @Sendable () -> Void

  /// Called once: when nothing of it runs any more, with whether it was dropped.
  let whenEnded: @Sendable (_ isDropped: Bool) -> Void

  var isStarted = false
  var isDropped = false

  /// Nil until it has started.
  var work: Task<Void, Never>?
}
