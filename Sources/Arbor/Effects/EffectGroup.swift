/// Those effects for whose end somebody waits.
///
/// From any thread.
@usableFromInline
final class EffectGroup: Sendable {
  private struct Content: Sendable {
    var count = 0

    /// How each member that runs is cancelled.
    var cancellations: [UInt64: @Sendable () -> Void] = [:]

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
  func enter(_ member: UInt64, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = content.withLock { content in
      content.count += 1
      content.cancellations[member] = cancel
      return content.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// A member has ended.
  func leave(_ member: UInt64, isCancelled: Bool = false) {
    let (cancellation, end, hasCancelledMember) = content.withLock { content in
      let cancellation = content.cancellations.removeValue(forKey: member)
      content.count -= 1
      if isCancelled { content.hasCancelledMember = true }
      guard content.count == 0 else { return (cancellation, nil as (@Sendable (Bool) -> Void)?, false) }
      defer { content.whenEnded = nil }
      return (cancellation, content.whenEnded, content.hasCancelledMember)
    }
    end?(hasCancelledMember)
    withExtendedLifetime(cancellation) {}
  }

  /// Cancels all members, and those that enter later.
  func cancel() {
    let cancellations = content.withLock { content in
      content.isCancelled = true
      return Array(content.cancellations.values)
    }
    for cancel in cancellations { cancel() }
  }
}
