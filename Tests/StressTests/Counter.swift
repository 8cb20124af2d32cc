import Synchronization

/// A number that any thread can increment.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func count() {
    number.add(1, ordering: .relaxed)
  }
}
