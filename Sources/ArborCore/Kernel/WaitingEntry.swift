/// A description of an entry that waits in a tree's queue, made before the entry runs.
@usableFromInline
package struct WaitingEntry: Sendable {
  /// The kind of work of an entry.
  @usableFromInline
  package enum Kind: Sendable {
    case actions

    /// Actions whose step a task waits for.
    case awaitedActions
    case subscription
    case release
    case activity

    /// State effects check the state, or one of their timers has ended. Nil if all state effects of a feature check it.
    case effect(of: (any AnyObject & Sendable)?)
    case event

    /// Work that keeps its place after the entries before it. It waits at a gate if any entry waits there. If it needs
    /// the present, it also waits while another moment is shown.
    case following(needsPresent: Bool)
    case other
  }

  package let kind: Kind

  /// The actions of the step; empty if the entry isn't a step, or if the actions were revoked.
  package let actions: [any Sendable]

  /// The identity of the node to which the actions were sent; nil without a listener.
  package let node: NodeIdentity?

  /// `true` if a task waits for the entry.
  package let isAwaited: Bool

  @usableFromInline
  init(_ kind: Kind, _ actions: [any Sendable] = [], at node: NodeIdentity? = nil, isAwaited: Bool = false) {
    self.kind = kind
    self.actions = actions
    self.isAwaited = isAwaited
    self.node = node
  }

  /// `true` if the entry is a step of actions.
  package var isStep: Bool { !actions.isEmpty }
}
