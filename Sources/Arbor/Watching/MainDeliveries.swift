internal import Dispatch

/// The deliveries of a tree that wait for the main actor, in the order they were added.
///
/// - May be used from any thread.
package final class MainDeliveries: Attachment {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private struct Content: Sendable {
    var deliveries: [UInt64: @Sendable () -> Void] = [:]
    var lastNumber: UInt64 = 0

    /// `true` if the main queue is about to make them.
    var areOnTheirWay = false
  }

  /// `true` if the caller is on the main queue and not in a callback of a tree.
  package static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Calls a subscriber on the main actor. Stops the program if the caller isn't on it.
  static func call(_ body: @MainActor () -> Void) {
    guard isOnMain else { Misuse.steppingOffTheMainActor.stop() }
    MainActor.assumeIsolated { makeTogether(body) }
  }

  /// The number of nested calls of ``makeTogether(_:)`` that haven't returned.
  @MainActor private static var depth = 0

  /// `true` while deliveries are being made.
  @MainActor package static var areBeingMade: Bool { depth > 0 }

  /// Called each time all pending deliveries have been made. The program has one such function.
  @MainActor package static var whenMade: @MainActor () -> Void = {}

  @MainActor
  private static func makeTogether(_ deliver: () -> Void) {
    depth += 1
    deliver()
    depth -= 1
    if depth == 0 { whenMade() }
  }

  private unowned let tree: Tree
  private let content = Protected(Content())
  private let areWaiting = AtomicFlag(false)

  private init(in tree: Tree) {
    self.tree = tree
  }

  /// Returns the deliveries of a tree.
  static func of(_ tree: Tree) -> MainDeliveries {
    tree.attachments.object { MainDeliveries(in: tree) }.takeUnretainedValue()
  }

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

  /// Removes a delivery that no longer waits.
  func remove(_ number: UInt64) {
    // The closure is released outside the lock: its release may run user code.
    _ = content.withLock { content in
      defer { areWaiting.store(!content.deliveries.isEmpty) }
      return content.deliveries.removeValue(forKey: number)
    }
  }

  /// Sends the waiting deliveries to the main queue, which makes them together. The tree doesn't count as settled until
  /// they are made.
  ///
  /// - All changes of one step are shown at the same time. Work that follows the deliveries finds all of them made. A
  ///   flood of deliveries only costs the main queue one turn.
  func send() {
    let isFirst = content.withLock { content in
      defer { content.areOnTheirWay = true }
      return !content.areOnTheirWay
    }
    guard isFirst else { return }
    tree.deliver(on: .main) {
      // Before they are taken: a delivery that is added now is taken with them, or sent again.
      self.content.withLock { $0.areOnTheirWay = false }
      self.deliverAll()
    }
  }

  /// Makes the deliveries that have arrived.
  private func deliverAll() {
    if MainDeliveries.isOnMain { return actAfterWait() }
    // If a manual executor steps them elsewhere, each finds out for itself that it can't be made, or is sent again.
    for deliver in inOrder() { deliver() }
  }

  /// Makes the waiting deliveries at once, if the caller is on the main queue and not in a callback of a tree.
  package func actAfterWait() {
    guard areWaiting.load() else { return }
    guard MainDeliveries.isOnMain else { return }
    let deliveries = inOrder()
    MainActor.assumeIsolated {
      MainDeliveries.makeTogether { for deliver in deliveries { deliver() } }
    }
  }

  private func inOrder() -> [@Sendable () -> Void] {
    content.withLock { content in content.deliveries.sorted { $0.key < $1.key }.map(\.value) }
  }
}
