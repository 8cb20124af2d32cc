/// The presence of an optional scope's value, while tasks that were started through the scope run.
///
/// - Each scope has its own: scopes and features of one place share their tasks, and each of them may know the value
///   by another way, or not at all.
@usableFromInline
final class ScopePresence: Attachment, @unchecked Sendable {
  // Sendable because the lock of the scope's task table guards what varies.

  /// Sources that report whether the value exists: one for each optional part on the way to it.
  let sources: [AttachmentHost.PresenceSource]

  /// The number of the scope's tasks that run or wait.
  var taskCount = 0

  /// The indices of the sources that are running.
  private var running: Set<Int> = []

  init(_ sources: [AttachmentHost.PresenceSource]) {
    self.sources = sources
    super.init()
  }

  /// Returns the indices of the sources that are not running, and marks them as running. Under the table's lock.
  func start() -> [Int] {
    guard sources.count > running.count else { return [] }
    defer { running = Set(sources.indices) }
    return sources.indices.filter { !running.contains($0) }
  }

  /// Marks a source as ended. Under the table's lock.
  func end(_ source: Int) {
    running.remove(source)
  }
}

extension AttachmentHost {
  /// The presence of the scope's value; nil if the value always exists.
  var presence: ScopePresence? {
    presences.isEmpty ? nil : attachments.object { ScopePresence(presences) }.takeUnretainedValue()
  }
}
