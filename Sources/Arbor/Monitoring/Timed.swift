/// What is sent to a node of a tree with monitors, as it waits in the mailbox: with the time at which it was accepted.
@usableFromInline
struct Timed<Payload: Sendable>: Sendable {
  @usableFromInline let payload: Payload
  @usableFromInline let accepted: TreeTime

  @inlinable
  init(_ payload: Payload, _ accepted: TreeTime) {
    self.payload = payload
    self.accepted = accepted
  }
}
