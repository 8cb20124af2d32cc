internal import Synchronization

/// Whether a sender of actions may send still, and whether what it has sent is still to be reduced.
///
/// - From any thread.
/// - The sender's `dispatch` and those of its actions that wait hold it: as long as it is there, something may come of it.
@usableFromInline
class ActionSender: @unchecked Sendable {  // The flags are atomic; see the subclasses for the rest.
  private let over = Atomic(false)
  private let revoked = Atomic(false)

  @usableFromInline
  init() {}

  /// `true` if it sends nothing any more.
  @usableFromInline
  final var isOver: Bool { over.load(ordering: .acquiring) }

  /// `true` if nothing of what it has sent is to be reduced.
  @usableFromInline
  final var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  final func end() {
    over.store(true, ordering: .releasing)
  }

  final func revoke() {
    revoked.store(true, ordering: .releasing)
    end()
  }
}

/// An action that its sender may revoke, as it waits in the mailbox.
@usableFromInline
struct RevocableAction<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let sender: ActionSender

  @usableFromInline
  init(_ action: Action, by sender: ActionSender) {
    self.action = action
    self.sender = sender
  }
}
