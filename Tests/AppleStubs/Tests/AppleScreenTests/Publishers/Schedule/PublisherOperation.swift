/// An operation of a schedule on a counter and its subscribers.
enum PublisherOperation: Sendable {
  case add(Int)

  /// Subscribes a new subscriber. Nil is unlimited demand.
  case subscribe(requesting: Int?)
  case request(Int?, Int)
  case cancel(Int)
  case step, run

  /// Releases the factory.
  case release
}

/// The values that a subscriber has received.
struct Receipts: Equatable, Sendable {
  var values: [Int] = []
  var completions = 0
}

/// Returns how many more values a subscriber requests as it receives one.
func demand(at value: Int) -> Int { value.isMultiple(of: 3) ? 1 : 0 }
