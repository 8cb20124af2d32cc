internal import Synchronization

/// Whether anyone still has a selector, for those who remember what it gave.
///
/// A weak reference would tell as much, but it leaves a side table at the selector, which is known from there by a masked
/// address only: to a leak checker, each selector that is a `static let` would look like a leak.
final class SelectorLife: Sendable {
  private let isOverNow = Atomic(false)

  var isOver: Bool { isOverNow.load(ordering: .relaxed) }

  func end() {
    isOverNow.store(true, ordering: .relaxed)
  }
}
