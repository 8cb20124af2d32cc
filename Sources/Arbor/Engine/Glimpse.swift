/// A state on its way from the queue to a thread that waits for it.
final class Glimpse<State: Sendable>: @unchecked Sendable {  // One writes, then the other reads.
  var state: State?
}
