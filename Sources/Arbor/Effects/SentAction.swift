/// An action of a task, as it waits in the mailbox.
@usableFromInline
struct SentAction<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let sender: TaskSender

  @usableFromInline
  init(_ action: Action, by sender: TaskSender) {
    self.action = action
    self.sender = sender
  }
}
