/// The actions of a counter.
enum CounterAction: Sendable {
  case increment
  case add(Int)
  case reset
}
