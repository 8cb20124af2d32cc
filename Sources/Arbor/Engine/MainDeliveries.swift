internal import Dispatch
internal import Synchronization

/// The deliveries of a tree that wait for the main actor, in the order in which they began to.
final class MainDeliveries: Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private struct Delivery: Sendable {
    let owner: ObjectIdentifier
    let deliver: @Sendable () -> Void
  }

  /// Whether the caller is on the main queue, and in no callback of a tree.
  static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Calls a subscriber on the main actor, where the caller must be.
  static func call(_ body: @MainActor () -> Void) {
    guard isOnMain else { Misuse.steppingOffTheMainActor.stop() }
    MainActor.assumeIsolated(body)
  }

  private let waiting = Protected<[Delivery]>([])
  private let areWaiting = Atomic(false)

  /// Waits for the main actor.
  func wait(_ owner: AnyObject, _ deliver: @escaping @Sendable () -> Void) {
    waiting.withLock { waiting in
      waiting.append(Delivery(owner: ObjectIdentifier(owner), deliver: deliver))
      areWaiting.store(true, ordering: .releasing)
    }
  }

  /// Does not wait any more.
  func arrive(_ owner: AnyObject) {
    let arrived = waiting.withLock { waiting in
      let index = waiting.firstIndex { $0.owner == ObjectIdentifier(owner) }
      let arrived = index.map { waiting.remove(at: $0) }
      areWaiting.store(!waiting.isEmpty, ordering: .releasing)
      return arrived
    }
    withExtendedLifetime(arrived) {}
  }

  /// Delivers at once what waits, if the caller is on the main queue and in no callback of a tree.
  func hurry() {
    guard areWaiting.load(ordering: .acquiring) else { return }
    guard MainDeliveries.isOnMain else { return }
    for delivery in waiting.withLock({ $0 }) { delivery.deliver() }
  }
}
