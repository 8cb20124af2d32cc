/// The state of a sender of actions: active, ended or revoked.
///
/// - A sender that has ended sends no more actions. If it is revoked, its actions that still wait are not reduced,
///   either.
/// - From any thread.
/// - The sender's `dispatch` and its waiting actions retain this object: while it lives, actions of the sender may
///   still be reduced.
@usableFromInline
package final class ActionSender: Sendable {
  private let over = AtomicFlag(false)
  private let revoked = AtomicFlag(false)

  /// The cause of its actions; nil if that is what runs where they are sent.
  @usableFromInline package let cause: ActionCause?

  /// An object that lives as long as the sender.
  private let kept: (any AnyObject & Sendable)?

  /// Called when the sender is released: no action of it can arrive any more. Set once at most,
  /// and called by `deinit` alone.
  nonisolated(unsafe) package var whenReleased: (@Sendable () -> Void)?

  /// - Parameter kept: An object that lives as long as the sender.
  @usableFromInline
  package init(causedBy cause: ActionCause? = nil, keeping kept: (any AnyObject & Sendable)? = nil) {
    self.cause = cause
    self.kept = kept
  }

  deinit {
    whenReleased?()
  }

  /// `true` if the sender can send no more actions.
  @usableFromInline
  package var isOver: Bool { over.load() }

  /// `true` if none of the sender's waiting actions is reduced any more.
  @usableFromInline
  package var isRevoked: Bool { revoked.load() }

  package func end() {
    over.store(true)
  }

  package func revoke() {
    revoked.store(true)
    end()
  }
}
