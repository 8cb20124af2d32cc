/// A group of effects whose common end is waited for, and that can be cancelled together.
///
/// - From any thread.
@usableFromInline
package final class EffectGroup: Sendable {
  private struct Content: Sendable {
    var count = 0

    /// The closures that cancel the members, ended members included: actions that these have sent may still wait.
    var cancellations: [@Sendable () -> Void] = []

    /// `true` if the group or any of its members was cancelled.
    var isCancelled = false

    /// `true` if the group was cancelled as a whole: it accepts no more members.
    var isClosed = false
    var isEnded = false
    var whenEnded: (@Sendable (_ isCancelled: Bool) -> Void)?
  }

  private let content = Protected(Content())

  /// The group with which this one is cancelled, retained as long as this one.
  private let outer: EffectGroup?

  /// The declaration of the state effect whose tasks are the members; nil for any other group.
  package let stateEffect: StateEffectDeclaration?

  /// An object that the group keeps alive, by which the caller that waits for the effects is found; nil for none.
  package let waiter: (any AnyObject & Sendable)?

  /// Makes a group without members.
  ///
  /// - Parameters:
  ///   - outer: Cancels this group when it is cancelled itself; nil if no group does.
  ///   - stateEffect: The declaration of the state effect that has the group. If nil, the group takes the outer group's.
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

  /// The group that tracks the effects of an action for a caller that waits; nil if there is none.
  @inlinable
  package static func of(_ tracker: EffectTracker?) -> EffectGroup? { tracker.map { $0 as! EffectGroup } }

  package var isEnded: Bool { content.withLock { $0.isEnded } }

  /// `true` while any member has not ended.
  package var isRunning: Bool { content.withLock { $0.count > 0 } }

  /// Adds a member, unless the group was cancelled as a whole.
  ///
  /// - Returns: `true` if the member was added. Only then it is to ``leave(isCancelled:)``.
  @usableFromInline
  package func enter() -> Bool {
    content.withLock { content in
      if !content.isClosed { content.count += 1 }
      return !content.isClosed
    }
  }

  /// Runs a body that adds members. The group does not end before that, and ends at once if there are none then.
  ///
  /// - The body is not called if the group was cancelled as a whole: it ends, as cancelled, with the members it had.
  package func perform(_ body: () -> Void) {
    let isClosed = content.withLock { content in
      content.count += 1
      return content.isClosed
    }
    if !isClosed { body() }
    leave()
  }

  /// Runs a body that adds members, as one member of an outer group: that is cancelled with the outer group, which does
  /// not end before it. If that was cancelled before, the body can add none.
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
  /// - Parameter isCancelled: `true` if the member was cancelled.
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

  /// Cancels all members. No member can be added afterwards.
  package func cancel() {
    let cancellations = content.withLock { content in
      content.isCancelled = true
      content.isClosed = true
      return content.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  /// Calls a closure when the group is cancelled as a whole; at once if the group was cancelled before.
  @usableFromInline
  package func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    let isClosed = content.withLock { content in
      content.cancellations.append(cancel)
      return content.isClosed
    }
    if isClosed { cancel() }
  }

  /// Calls a closure once, when the group ends, with `true` if the group or any member was cancelled.
  ///
  /// - Returns: Nil if the group has not ended yet. Otherwise the closure is not called, and the result is the value
  ///   that it would receive.
  package func whenEnded(_ end: @escaping @Sendable (_ isCancelled: Bool) -> Void) -> Bool? {
    content.withLock { content in
      guard !content.isEnded else { return content.isCancelled }
      content.whenEnded = end
      return nil
    }
  }
}

/// Groups of effects, each noted as long as a task of it runs or an action of it may arrive: until then these retain it.
package struct ActiveGroups<Note> {
  package struct Member {
    package let note: Note
    package fileprivate(set) weak var group: EffectGroup?
  }

  package private(set) var members: [Member] = []

  package init() {}

  /// Adds a group to which the caller's reference is the only one beside those of its tasks and actions.
  ///
  /// - Returns: `false` if there are none of these: then the group is not added.
  @discardableResult
  package mutating func add(_ group: inout EffectGroup, _ note: Note) -> Bool {
    guard !isKnownUniquelyReferenced(&group) else { return false }
    members.append(Member(note: note, group: group))
    return true
  }

  /// Removes the groups of which no action arrives any more, and returns their notes.
  @discardableResult
  package mutating func removeSilent() -> [Note] {
    remove { $0.group == nil }.map(\.note)
  }

  /// Removes the members that fulfil a condition, which is asked about each once and in order, and returns them.
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
