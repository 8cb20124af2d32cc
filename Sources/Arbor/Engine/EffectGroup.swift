/// A group of effects for whose end somebody waits.
///
/// From any thread.
@usableFromInline
final class EffectGroup: Sendable {
  private struct Content: Sendable {
    var count = 0

    /// How each member is cancelled, also one that has ended: what it has sent may still wait.
    var cancellations: [@Sendable () -> Void] = []

    /// `true` if the group or any of its members was cancelled.
    var isCancelled = false

    /// `true` if the members were cancelled as a whole, and those will be who come later.
    var isClosed = false
    var isEnded = false
    var whenEnded: (@Sendable (_ isCancelled: Bool) -> Void)?
  }

  private let content = Protected(Content())

  var isEnded: Bool { content.withLock { $0.isEnded } }

  /// `true` while any member has not ended.
  var isRunning: Bool { content.withLock { $0.count > 0 } }

  /// There is one more member, unless the group was cancelled.
  ///
  /// - Returns: Whether there is.
  @discardableResult
  @usableFromInline
  func enter() -> Bool {
    content.withLock { content in
      if !content.isClosed { content.count += 1 }
      return !content.isClosed
    }
  }

  /// A member has ended; the group, if it was the last one.
  func leave(isCancelled: Bool = false) {
    let (end, isCancelled) = content.withLock { content in
      content.count -= 1
      if isCancelled { content.isCancelled = true }
      guard content.count == 0 else { return (nil as (@Sendable (Bool) -> Void)?, false) }
      content.isEnded = true
      defer { content.whenEnded = nil }
      return (content.whenEnded, content.isCancelled)
    }
    end?(isCancelled)
  }

  /// Cancels all members, and lets none enter any more.
  func cancel() {
    let cancellations = content.withLock { content in
      content.isCancelled = true
      content.isClosed = true
      return content.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  /// Calls a closure if the group is cancelled as a whole; at once if it was.
  @usableFromInline
  func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    let isClosed = content.withLock { content in
      content.cancellations.append(cancel)
      return content.isClosed
    }
    if isClosed { cancel() }
  }

  /// Calls a closure once, when the group ends, with whether it or any member was cancelled.
  ///
  /// - Returns: The same if it has ended, and the closure is not called.
  func whenEnded(_ end: @escaping @Sendable (_ isCancelled: Bool) -> Void) -> Bool? {
    content.withLock { content in
      guard !content.isEnded else { return content.isCancelled }
      content.whenEnded = end
      return nil
    }
  }
}
