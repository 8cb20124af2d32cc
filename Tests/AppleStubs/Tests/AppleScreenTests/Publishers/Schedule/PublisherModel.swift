/// A model of the documentation of ``StatePublisher``: a list of waiting entries, and the rest of each subscriber's
/// demand.
struct PublisherModel {
  private enum Entry {
    case add(Int)

    /// Deliver the newest state to a subscriber that has requested values after one arrived without demand.
    case read(Int)
    case end
  }

  private struct Subscriber {
    var demand: Int?
    var hasMissed = false
    var isReading = false

    /// `true` if more was requested since the read began, so that its state may be older than the request.
    var isReadingTooEarly = false
    var isOver = false
    var receipts = Receipts()

    mutating func receive(_ value: Int) {
      guard !isOver else { return }
      hasMissed = demand == 0
      guard !hasMissed else { return }
      receipts.values.append(value)
      if let count = demand { demand = count - 1 + AppleScreenTests.demand(at: value) }
    }

    mutating func finish() {
      if !isOver { receipts.completions += 1 }
      isOver = true
    }
  }

  private var count = 0
  private var entries: [Entry] = []
  private var subscribers: [Subscriber] = []
  private var isReleased = false

  var receipts: [Receipts] { subscribers.map(\.receipts) }

  mutating func perform(_ operation: PublisherOperation) {
    switch operation {
    case .add(let number): if !isReleased { entries.append(.add(number)) }
    case .subscribe(let demand): subscribe(Subscriber(demand: demand))
    case .request(let count, let number): if subscribers.indices.contains(number) { request(count, number) }
    case .cancel(let number): if subscribers.indices.contains(number) { subscribers[number].isOver = true }
    case .step: step()
    case .run: while !entries.isEmpty { step() }
    case .release:
      guard !isReleased else { return }
      isReleased = true
      entries.append(.end)
      // With nothing to wait for, it is done immediately.
      if entries.count == 1 { step() }
    }
  }

  private mutating func subscribe(_ new: Subscriber) {
    var new = new
    if isReleased {
      new.finish()
    } else {
      // Everything accepted before, but not what follows from it.
      for _ in 0..<entries.count { step() }
    }
    new.receive(count)
    subscribers.append(new)
  }

  private mutating func request(_ count: Int?, _ number: Int) {
    if let count, let demand = subscribers[number].demand {
      subscribers[number].demand = demand + count
    } else {
      subscribers[number].demand = nil
    }
    if subscribers[number].hasMissed, subscribers[number].demand != 0, subscribers[number].isReading {
      subscribers[number].isReadingTooEarly = true
    }
    readIfNeeded(number)
  }

  private mutating func readIfNeeded(_ number: Int) {
    let subscriber = subscribers[number]
    guard subscriber.hasMissed, subscriber.demand != 0, !subscriber.isReading, !subscriber.isOver, !isReleased else {
      return
    }
    subscribers[number].isReading = true
    entries.append(.read(number))
  }

  private mutating func step() {
    guard !entries.isEmpty else { return }
    switch entries.removeFirst() {
    case .add(let number):
      count += number
      // Once the owner is gone, no subscriber receives a state, although everything accepted before is reduced.
      for index in subscribers.indices where !isReleased { subscribers[index].receive(count) }
    case .read(let number):
      subscribers[number].isReading = false
      if subscribers[number].isReadingTooEarly {
        subscribers[number].isReadingTooEarly = false
        readIfNeeded(number)
      } else if subscribers[number].hasMissed, !isReleased {
        subscribers[number].receive(count)
      }
    case .end:
      for index in subscribers.indices { subscribers[index].finish() }
    }
  }
}
