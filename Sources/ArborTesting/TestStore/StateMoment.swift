/// One of the two states around an action.
enum StateMoment: Sendable {
  case before
  case after
}
