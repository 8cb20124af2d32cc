internal import Dispatch

/// The deliveries of a tree that wait for the main actor, in the order in which they were added.
final class MainDeliveries: Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private struct Content: Sendable {
    var deliveries: [UInt64: @Sendable () -> Void] = [:]
    var lastNumber: UInt64 = 0

    /// `true` if the main queue is to make them.
    var areOnTheirWay = false
  }

  /// `true` if the caller is on the main queue and in no callback of a tree.
  static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Calls a subscriber on the main actor. Stops the program if the caller is elsewhere.
  static func call(_ body: @MainActor () -> Void) {
    guard isOnMain else { Misuse.steppingOffTheMainActor.stop() }
    MainActor.assumeIsolated { MainDeliveryRound.run(body) }
  }

  private let content = Protected(Content())
  private let areWaiting = AtomicFlag(false)

  /// Adds a delivery that waits for the main actor.
  ///
  /// - Returns: The number of the delivery, for ``remove(_:)``.
  func add(_ deliver: @escaping @Sendable () -> Void) -> UInt64 {
    content.withLock { content in
      content.lastNumber += 1
      content.deliveries[content.lastNumber] = deliver
      areWaiting.store(true)
      return content.lastNumber
    }
  }

  /// Removes a delivery, which no longer waits.
  func remove(_ number: UInt64) {
    // The closure is released outside the lock: its release may run user code.
    _ = content.withLock { content in
      defer { areWaiting.store(!content.deliveries.isEmpty) }
      return content.deliveries.removeValue(forKey: number)
    }
  }

  /// Sends the waiting deliveries to the main queue, where they are made together: what one step has changed is shown at
  /// once, what follows the deliveries finds all of them made, and a flood costs the main queue one turn for them all.
  ///
  /// - Parameter send: Has a function called on the main queue. Not called if one is on its way already.
  func send(by send: (_ arrive: @escaping @Sendable () -> Void) -> Void) {
    let isFirst = content.withLock { content in
      defer { content.areOnTheirWay = true }
      return !content.areOnTheirWay
    }
    guard isFirst else { return }
    send {
      // Before they are taken: whoever comes now is taken with them, or sends anew.
      self.content.withLock { $0.areOnTheirWay = false }
      self.deliverAll()
    }
  }

  /// Makes the deliveries that have arrived.
  private func deliverAll() {
    if MainDeliveries.isOnMain { return deliverNow() }
    // Stepped elsewhere by a manual executor, each finds out for itself that it cannot be made, or is sent again.
    for deliver in inOrder() { deliver() }
  }

  /// Makes the waiting deliveries at once, if the caller is on the main queue and in no callback of a tree.
  func deliverNow() {
    guard areWaiting.load() else { return }
    guard MainDeliveries.isOnMain else { return }
    let deliveries = inOrder()
    MainActor.assumeIsolated {
      MainDeliveryRound.run { for deliver in deliveries { deliver() } }
    }
  }

  private func inOrder() -> [@Sendable () -> Void] {
    content.withLock { content in content.deliveries.sorted { $0.key < $1.key }.map(\.value) }
  }
}

/// The deliveries to the main actor that are made together, and what is to follow them.
@MainActor
package enum MainDeliveryRound {
  private static var depth = 0
  private static var followers = Followers()
  private static var lastPlace: UInt64 = 0

  /// `true` if the caller is on the main queue and in no callback of a tree.
  package nonisolated static var isOnMain: Bool { MainDeliveries.isOnMain }

  /// A place for ``follow(in:_:)``, behind all that were made before.
  package static func newPlace() -> UInt64 {
    lastPlace += 1
    return lastPlace
  }

  /// Has a function called when the deliveries that are being made have been made, in the order of the places.
  ///
  /// - Returns: `false` if none are being made, and the function is not called.
  package static func follow(in place: UInt64, _ body: @escaping @MainActor () -> Void) -> Bool {
    guard depth > 0 else { return false }
    // Observation tells its readers in an order that differs from one run of a program to the next.
    followers.insert(body, in: place)
    return true
  }

  /// Makes deliveries, and then calls what follows them.
  fileprivate static func run(_ deliver: () -> Void) {
    depth += 1
    deliver()
    depth -= 1
    // One at a time: what follows may wait for a step, and so make deliveries of its own.
    while depth == 0, let body = followers.removeFirst() { body() }
  }

  /// Functions in the order of their places: a binary heap.
  private struct Followers {
    private var heap: [(place: UInt64, body: @MainActor () -> Void)] = []

    /// Inserts a function. Cost: O(log n).
    mutating func insert(_ body: @escaping @MainActor () -> Void, in place: UInt64) {
      heap.append((place, body))
      var child = heap.count - 1
      while child > 0, heap[child].place < heap[(child - 1) / 2].place {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    /// Removes and returns the function with the lowest place; nil if there is none. Cost: O(log n).
    mutating func removeFirst() -> (@MainActor () -> Void)? {
      guard !heap.isEmpty else { return nil }
      heap.swapAt(0, heap.count - 1)
      let first = heap.removeLast()
      var parent = 0
      while 2 * parent + 1 < heap.count {
        var child = 2 * parent + 1
        if child + 1 < heap.count, heap[child + 1].place < heap[child].place { child += 1 }
        guard heap[child].place < heap[parent].place else { break }
        heap.swapAt(parent, child)
        parent = child
      }
      return first.body
    }
  }
}
