/// Those effects for whose end somebody waits.
///
/// From any thread.
@usableFromInline
final class EffectGroup: Sendable {
  private struct Content: Sendable {
    var count = 0

    /// How each member is cancelled, also one that has ended: what it has sent may still wait.
    var cancellations: [@Sendable () -> Void] = []

    /// Whether the group was cancelled as a whole.
    var isCancelled = false

    /// Whether any member was.
    var hasCancelledMember = false
    var whenEnded: (@Sendable (_ hasCancelledMember: Bool) -> Void)?
  }

  private let content = Protected(Content())

  /// - Parameter end: Called once, when all has ended that was entered.
  init(whenEnded end: @escaping @Sendable (_ hasCancelledMember: Bool) -> Void) {
    content.withLock { $0.whenEnded = end }
  }

  /// There is one more member.
  ///
  /// - Parameter cancel: Cancels it; called at once if the group was cancelled before.
  func enter(cancel: @escaping @Sendable () -> Void = {}) {
    let isCancelled = content.withLock { content in
      content.count += 1
      content.cancellations.append(cancel)
      return content.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// A member has ended.
  func leave(isCancelled: Bool = false) {
    let (end, hasCancelledMember) = content.withLock { content in
      content.count -= 1
      if isCancelled { content.hasCancelledMember = true }
      guard content.count == 0 else { return (nil as (@Sendable (Bool) -> Void)?, false) }
      defer { content.whenEnded = nil }
      return (content.whenEnded, content.hasCancelledMember)
    }
    end?(hasCancelledMember)
  }

  /// Cancels all members, and those that enter later.
  func cancel() {
    let cancellations = content.withLock { content in
      content.isCancelled = true
      return content.cancellations
    }
    for cancel in cancellations { cancel() }
  }
}
