/// An entry of a mailbox, as it is seen by who looks at it before it is run.
@usableFromInline
package struct WaitingEntry: Sendable {
  /// What it will do.
  @usableFromInline
  package enum Kind: Sendable {
    case actions
    case subscription
    case release
    case activity
    case event
    case other
  }

  package let kind: Kind

  /// The actions of the step; none if it is none, or if they were revoked.
  package let actions: [any Sendable]

  /// What monitors know the store by that they were sent to; nil if there are none.
  package let store: MonitoredStore?

  /// Whether a task waits for it.
  package let isAwaited: Bool

  @usableFromInline
  init(_ kind: Kind, _ actions: [any Sendable] = [], of node: Node? = nil, isAwaited: Bool = false) {
    self.kind = kind
    self.actions = actions
    self.isAwaited = isAwaited
    store = node?.monitored
  }

  /// Whether it is a step of actions.
  package var isStep: Bool { !actions.isEmpty }
}
