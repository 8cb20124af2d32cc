internal import Dispatch
internal import Synchronization

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
  }

  /// `true` if the caller is on the main queue and in no callback of a tree.
  static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Calls a subscriber on the main actor. Stops the program if the caller is elsewhere.
  static func call(_ body: @MainActor () -> Void) {
    guard isOnMain else { Misuse.steppingOffTheMainActor.stop() }
    MainActor.assumeIsolated(body)
  }

  private let content = Protected(Content())
  private let areWaiting = Atomic(false)

  /// Adds a delivery that waits for the main actor.
  ///
  /// - Returns: The number of the delivery, for ``remove(_:)``.
  func add(_ deliver: @escaping @Sendable () -> Void) -> UInt64 {
    content.withLock { content in
      content.lastNumber += 1
      content.deliveries[content.lastNumber] = deliver
      areWaiting.store(true, ordering: .releasing)
      return content.lastNumber
    }
  }

  /// Removes a delivery, which no longer waits.
  func remove(_ number: UInt64) {
    // The closure is released outside the lock: its release may run user code.
    _ = content.withLock { content in
      defer { areWaiting.store(!content.deliveries.isEmpty, ordering: .releasing) }
      return content.deliveries.removeValue(forKey: number)
    }
  }

  /// Makes the waiting deliveries at once, if the caller is on the main queue and in no callback of a tree.
  func deliverNow() {
    guard areWaiting.load(ordering: .acquiring) else { return }
    guard MainDeliveries.isOnMain else { return }
    let deliveries = content.withLock { content in
      content.deliveries.sorted { $0.key < $1.key }.map(\.value)
    }
    for deliver in deliveries { deliver() }
  }
}
