/// The state of a sender of actions: active, ended or revoked.
///
/// - A sender that has ended sends no more actions. If it is revoked, its waiting actions aren't reduced either.
/// - May be used from any thread.
/// - The sender's `dispatch` and its waiting actions retain this object: while it lives, actions of the sender may
///   still be reduced.
@usableFromInline
package final class ActionSender: Sendable {
  private let over = AtomicFlag(false)
  private let revoked = AtomicFlag(false)

  /// The cause of its actions; nil if the code that runs where they are sent is the cause.
  @usableFromInline package let cause: ActionCause?

  /// An object that lives as long as the sender.
  private let kept: (any AnyObject & Sendable)?

  /// Called when the sender is released, so that no more of its actions can arrive. Set at most once, and only called
  /// by `deinit`.
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

  /// `true` if the sender's waiting actions are no longer reduced.
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
