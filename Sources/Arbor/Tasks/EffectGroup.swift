/// A group of effects that can be awaited and canceled together.
///
/// - May be used from any thread.
@usableFromInline
package final class EffectGroup: Sendable {
  private struct Content: Sendable {
    var count = 0

    /// The closures that cancel the members, including ended members, because their actions may still wait.
    var cancellations: [@Sendable () -> Void] = []

    /// `true` if the group or any of its members was canceled.
    var isCancelled = false

    /// `true` if the whole group was canceled: it accepts no more members.
    var isClosed = false
    var isEnded = false
    var whenEnded: (@Sendable (_ isCancelled: Bool) -> Void)?
  }

  private let content = Protected(Content())

  /// The group whose cancellation cancels this one. It is retained as long as this one.
  private let outer: EffectGroup?

  /// The declaration of the state effect whose tasks are the members; nil for any other group.
  package let stateEffect: StateEffectDeclaration?

  /// An object that the group keeps alive, and that identifies the caller that waits for the effects; nil for none.
  package let waiter: (any AnyObject & Sendable)?

  /// Makes a group without members.
  ///
  /// - Parameters:
  ///   - outer: When this group is canceled, it cancels the new one; nil if no group does.
  ///   - stateEffect: The declaration of the state effect that has the group. If nil, the group uses the outer group's.
  ///   - waiter: An object that the group keeps alive.
  package init(
    in outer: EffectGroup? = nil,
    of stateEffect: StateEffectDeclaration? = nil,
    for waiter: (any AnyObject & Sendable)? = nil
  ) {
    self.outer = outer
    self.waiter = waiter
    self.stateEffect = stateEffect ?? outer?.stateEffect
    outer?.whenCancelled { [weak self] in self?.cancel() }
  }

  /// Returns the group that tracks the effects of an action for a caller that waits; nil if there is none.
  @inlinable
  package static func of(_ tracker: EffectTracker?) -> EffectGroup? { tracker.map { $0 as! EffectGroup } }

  package var isEnded: Bool { content.withLock { $0.isEnded } }

  /// `true` while any member has not ended.
  package var isRunning: Bool { content.withLock { $0.count > 0 } }

  /// Adds a member, unless the whole group was canceled.
  ///
  /// - Returns: `true` if the member was added. Only then must it call ``leave(isCancelled:)``.
  @usableFromInline
  package func enter() -> Bool {
    content.withLock { content in
      if !content.isClosed { content.count += 1 }
      return !content.isClosed
    }
  }

  /// Runs a body that adds members. The group doesn't end before the body does, and ends at once if there are no
  /// members then.
  ///
  /// - If the whole group was canceled, the body isn't called: the group ends, as canceled, with the members it had.
  package func perform(_ body: () -> Void) {
    let isClosed = content.withLock { content in
      content.count += 1
      return content.isClosed
    }
    if !isClosed { body() }
    leave()
  }

  /// Runs a body that adds members, as one member of an outer group.
  ///
  /// - This group is canceled with the outer group, which doesn't end before it. If the outer group was canceled
  ///   earlier, the body can't add members.
  package func perform(within outer: EffectGroup?, _ body: () -> Void) {
    guard outer?.enter() != false else {
      cancel()
      return body()
    }
    outer?.whenCancelled { self.cancel() }
    perform(body)
    guard let outer else { return }
    if let isCancelled = whenEnded({ outer.leave(isCancelled: $0) }) { outer.leave(isCancelled: isCancelled) }
  }

  /// Removes a member that has ended. The group ends with its last member.
  ///
  /// - Parameter isCancelled: `true` if the member was canceled.
  package func leave(isCancelled: Bool = false) {
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

  /// Cancels all members. No members can be added afterward.
  package func cancel() {
    let cancellations = content.withLock { content in
      content.isCancelled = true
      content.isClosed = true
      return content.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  /// Calls a closure when the whole group is canceled, or at once if it was canceled earlier.
  @usableFromInline
  package func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    let isClosed = content.withLock { content in
      content.cancellations.append(cancel)
      return content.isClosed
    }
    if isClosed { cancel() }
  }

  /// Calls a closure once, when the group ends, with `true` if the group or any member was canceled.
  ///
  /// - Returns: Nil if the group hasn't ended yet. Otherwise the closure isn't called, and the result is the value that
  ///   it would receive.
  package func whenEnded(_ end: @escaping @Sendable (_ isCancelled: Bool) -> Void) -> Bool? {
    content.withLock { content in
      guard !content.isEnded else { return content.isCancelled }
      content.whenEnded = end
      return nil
    }
  }
}

/// Groups of effects, each recorded as long as one of its tasks runs or one of its actions may arrive. Until then,
/// those retain the group.
package struct ActiveGroups<Note> {
  package struct Member {
    package let note: Note
    package fileprivate(set) weak var group: EffectGroup?
  }

  package private(set) var members: [Member] = []

  package init() {}

  /// Adds a group. Apart from its tasks and actions, only the caller may refer to it.
  ///
  /// - Returns: `false` if the group has no tasks or actions: then it isn't added.
  @discardableResult
  package mutating func add(_ group: inout EffectGroup, _ note: Note) -> Bool {
    guard !isKnownUniquelyReferenced(&group) else { return false }
    members.append(Member(note: note, group: group))
    return true
  }

  /// Removes the groups whose actions can no longer arrive, and returns their notes.
  @discardableResult
  package mutating func removeSilent() -> [Note] {
    remove { $0.group == nil }.map(\.note)
  }

  /// Removes the members that fulfill a condition, and returns them. The condition is called once for each member, in
  /// order.
  package mutating func remove(where isRemoved: (Member) -> Bool) -> [Member] {
    var removed: [Member] = []
    members.removeAll { member in
      guard isRemoved(member) else { return false }
      removed.append(member)
      return true
    }
    return removed
  }
}
