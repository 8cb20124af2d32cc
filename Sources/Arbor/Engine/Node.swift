/// A place in the tree: who listens there, and what hangs below it. What depends on its types is in ``StateNode``.
@usableFromInline
class Node: @unchecked Sendable {  // Touched on the tree's queue only, or under its lock while it is idle.
  @usableFromInline let mailbox: Mailbox

  /// Kept alive: a node needs its ancestors' states and reducers.
  @usableFromInline let parent: Node?

  @usableFromInline let observers = SubscriptionList()
  @usableFromInline let children = SubscriptionList()
  private var members: Set<Member> = []

  /// This node's own place among its parent's children.
  private var membership: Subscription?

  /// How many observers listen here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var listeners = 0

  @usableFromInline
  init(mailbox: Mailbox, parent: Node?) {
    self.mailbox = mailbox
    self.parent = parent
  }

  /// Adds an observer's subscription at the end, unless its observer is subscribed there already.
  ///
  /// - Returns: The subscription that is in the list now; nil if the one that is there has ended and waits to be taken
  ///   out, because it was ended after this one was asked for.
  @usableFromInline
  final func link(_ subscription: Subscription) -> Subscription? {
    let (isInserted, member) = members.insert(Member(subscription: Unmanaged.passUnretained(subscription)))
    guard isInserted else {
      let existing = member.subscription.takeUnretainedValue()
      return existing.ending?.isEnded == true ? nil : existing
    }
    observers.append(subscription)
    addListeners(1)
    return subscription
  }

  /// Takes an observer's subscription out and hands the list's reference over.
  @usableFromInline
  @discardableResult
  final func unlink(_ subscription: Subscription) -> Subscription {
    members.remove(Member(subscription: Unmanaged.passUnretained(subscription)))
    addListeners(-1)
    return observers.remove(subscription)
  }

  /// Takes out an observer's subscription that has ended, and lets the observer go.
  @usableFromInline @inline(never)
  final func takeOut(_ subscription: Subscription) {
    unlink(subscription).ending?.releaseClosure()
  }

  /// Makes this node the last child of its parent.
  @usableFromInline
  final func join(_ membership: Subscription) {
    self.membership = membership
    parent?.children.append(membership)
  }

  /// Forgets its place among its parent's children, which the parent is about to take out.
  @usableFromInline @inline(never)
  final func forgetMembership() {
    membership = nil
  }

  /// Takes this node out of its parent. Once, when its door was closed.
  ///
  /// - Keeps the membership, whose closures hold what is a user's: they go with the node, when no lock is held.
  final func detach() {
    parent?.addListeners(-listeners)
    if let membership { _ = parent?.children.remove(membership) }
  }

  private func addListeners(_ count: Int) {
    var node: Node? = self
    while let current = node {
      current.listeners += count
      node = current.parent
    }
  }

  /// A subscription in a set, found by its key.
  private struct Member: Hashable {
    let subscription: Unmanaged<Subscription>

    static func == (left: Member, right: Member) -> Bool {
      left.key == right.key
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
    }

    private var key: Subscription.Key { subscription._withUnsafeGuaranteedRef { $0.key } }
  }
}
