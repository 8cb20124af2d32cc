/// What a schedule does with a counter and those who subscribe to it.
enum PublisherOperation: Sendable {
  case add(Int)

  /// Subscribes a new subscriber. Nil is unlimited demand.
  case subscribe(requesting: Int?)
  case request(Int?, Int)
  case cancel(Int)
  case step, run

  /// Lets go of the factory.
  case release
}

/// What a subscriber has received.
struct Receipts: Equatable, Sendable {
  var values: [Int] = []
  var completions = 0
}

/// How many more values a subscriber requests as it receives one.
func demand(at value: Int) -> Int { value.isMultiple(of: 3) ? 1 : 0 }
