/// What tasks and activities belong to: a node, or a scope with its own type of actions.
@usableFromInline
final class Place: Sendable {
  /// Calls a closure in each step with whether the value of an optional scope is there, until that answers dead.
  @usableFromInline typealias PresenceWatch =
    @Sendable (_ notice: @escaping @Sendable (_ isThere: Bool) -> ObserverStatus) -> Void

  @usableFromInline let mailbox: Mailbox

  /// The place around a scope; nil for a node.
  let parent: Place?

  /// What monitors know the node by; nil if there are none.
  let monitored: MonitoredStore?

  /// Watches that report whether the scope's value exists. Empty for nodes, which always exist.
  let watches: [PresenceWatch]

  @usableFromInline let attachments = Attachments()

  /// The place of a node.
  @usableFromInline
  init(on mailbox: Mailbox, monitored: MonitoredStore? = nil) {
    self.mailbox = mailbox
    self.monitored = monitored
    parent = nil
    watches = []
  }

  /// The place of a scope.
  @usableFromInline
  init(in parent: Place, watches: [PresenceWatch]) {
    mailbox = parent.mailbox
    monitored = parent.monitored
    self.parent = parent
    self.watches = watches
  }
}
