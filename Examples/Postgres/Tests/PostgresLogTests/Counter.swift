import Synchronization

/// A number that several tasks change.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  func add(_ count: Int) {
    number.add(count, ordering: .sequentiallyConsistent)
  }
}
