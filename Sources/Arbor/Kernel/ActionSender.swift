/// The state of a sender of actions: active, ended or revoked.
///
/// - A sender that has ended sends no more actions. If it is revoked, its actions that still wait are not reduced,
///   either.
/// - From any thread.
/// - The sender's `dispatch` and its waiting actions retain this object: while it lives, actions of the sender may
///   still be reduced.
@usableFromInline
class ActionSender: @unchecked Sendable {  // The flags are atomic; see the subclasses for the rest.
  private let over = AtomicFlag(false)
  private let revoked = AtomicFlag(false)

  /// The cause of its actions; nil if that is what runs where they are sent.
  @usableFromInline final let cause: ActionCause?

  @usableFromInline
  init(causedBy cause: ActionCause? = nil) {
    self.cause = cause
  }

  /// `true` if the sender can send no more actions.
  @usableFromInline
  final var isOver: Bool { over.load() }

  /// `true` if none of the sender's waiting actions is reduced any more.
  @usableFromInline
  final var isRevoked: Bool { revoked.load() }

  final func end() {
    over.store(true)
  }

  final func revoke() {
    revoked.store(true)
    end()
  }
}
