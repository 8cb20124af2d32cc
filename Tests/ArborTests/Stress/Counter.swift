import Synchronization

/// A number that any thread counts up.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func count(_ difference: Int = 1) {
    number.add(difference, ordering: .relaxed)
  }
}
