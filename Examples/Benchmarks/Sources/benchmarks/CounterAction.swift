/// What happens to a counter.
enum CounterAction: Sendable {
  case increment
  case add(Int)
  case reset
}
