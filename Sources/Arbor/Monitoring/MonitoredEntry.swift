/// What is sent to a node of a tree with monitors, as it waits in the mailbox.
@usableFromInline
struct MonitoredEntry<Action: Sendable>: Sendable {
  @usableFromInline
  enum Content: Sendable {
    case action(Action)
    case batch([Action])
    case sent(SentAction<Action>)
  }

  @usableFromInline let content: Content

  /// When it was accepted; nil if its times are not to be read.
  @usableFromInline let accepted: Duration?

  @inlinable
  init(_ content: Content, in mailbox: Mailbox) {
    self.content = content
    accepted = mailbox.monitoring?.timeOfAcceptance()
  }
}
