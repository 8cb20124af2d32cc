/// Those who begin to listen.
extension StateNode {
  /// Gives an observer the current state, in the turn of its subscription; a new one gets its place first.
  @inlinable
  func greet(_ new: Subscription) {
    guard address.isOpen, let subscription = mailbox.enter(new, at: address) else { return new.release() }
    if subscription === new { link(new) } else { new.release() }
    // A monitor may have let the owner go.
    guard address.isOpen else { return }
    guard let state = read() else {
      if subscription.noticeAbsence() == .dead { takeOut(subscription) }
      return
    }
    mailbox.begin(.observers)
    _ = call(Unmanaged.passUnretained(subscription), with: state)
    mailbox.derivations.settle(in: mailbox)
  }
}
