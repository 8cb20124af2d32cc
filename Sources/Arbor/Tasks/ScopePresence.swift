/// The presence of an optional scope's value, while tasks run that were started through the scope.
///
/// - Each scope has its own presence: scopes and features of one place share their tasks, but each may find the value
///   in a different way, or not at all.
@usableFromInline
final class ScopePresence: Attachment, Sendable {
  // The lock of the node's task table guards the variables.

  /// Sources that report which value is present: one for each optional part on the way to it.
  let sources: [AttachmentHost.PresenceSource]

  /// The last ids that the sources reported; nil if there is no value, or if the source isn't running.
  nonisolated(unsafe) private var ids: [AnyHashable?]

  /// The number of times that one value replaced another.
  nonisolated(unsafe) var exchanges: UInt64 = 0

  /// The number of the scope's tasks that run or wait.
  nonisolated(unsafe) var taskCount = 0

  /// The indices of the sources that are connected.
  nonisolated(unsafe) private var running: Set<Int> = []

  init(_ sources: [AttachmentHost.PresenceSource]) {
    self.sources = sources
    ids = Array(repeating: nil, count: sources.count)
  }

  /// Records the id that a source reports, and returns the previous one. Called under the table's lock: the caller
  /// compares and releases the previous one outside, because that is user code.
  func exchangeID(for id: AnyHashable?, from source: Int) -> AnyHashable? {
    defer { ids[source] = id }
    return ids[source]
  }

  /// Marks a source as connected. Returns `false` if it already is. Called under the table's lock.
  func start(_ source: Int) -> Bool { running.insert(source).inserted }

  /// Marks a source as ended, and returns the last id that it reported. Called under the table's lock.
  func end(_ source: Int) -> AnyHashable? {
    running.remove(source)
    return exchangeID(for: nil, from: source)
  }
}

extension AttachmentHost {
  /// The presence of the scope's value; nil if the value always exists.
  var presence: ScopePresence? {
    presences.isEmpty ? nil : attachments.object { ScopePresence(presences) }.takeUnretainedValue()
  }
}
