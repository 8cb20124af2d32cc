/// Something that an interceptor or an observer does, once, when it first meets an action.
struct Reaction: Sendable {
  enum Place: Hashable, Sendable {
    case interceptor(of: Int)
    case observer(Int)
  }

  let number: Int
  let place: Place
  let operation: Operation
}
