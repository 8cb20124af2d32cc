import Foundation
import Synchronization

/// Detects closures that run at the same time but must not: those of one tree, or of one subscription.
///
/// - A closure may call another one on its own thread.
/// - It does not synchronize anything, so that the thread sanitizer sees if the closures are synchronized.
final class OverlapWitness: @unchecked Sendable {  // The variables that are not atomic are meant to race.
  private let name: String
  private let flaws: FlawList
  private let thread = Atomic<UInt>(0)
  private var calls = 0
  private let enteredCalls = Atomic(0)

  init(_ name: String, _ flaws: FlawList) {
    self.name = name
    self.flaws = flaws
  }

  private static var currentThread: UInt {
    #if os(Linux)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// Runs a closure's body.
  func within<Result>(_ closure: StaticString, _ body: () throws -> Result) rethrows -> Result {
    let me = OverlapWitness.currentThread
    let isNested = thread.load(ordering: .relaxed) == me
    if !isNested, !thread.compareExchange(expected: 0, desired: me, ordering: .relaxed).exchanged {
      flaws.note("O1 \(name): \(closure) runs at the same time as another closure")
    }
    enteredCalls.add(1, ordering: .relaxed)
    calls += 1
    defer { if !isNested { thread.store(0, ordering: .relaxed) } }
    return try body()
  }

  /// Checks at rest that no two calls were counted at once.
  func check() {
    let entered = enteredCalls.load(ordering: .relaxed)
    flaws.expect(calls == entered, "O1 \(name): \(entered) calls have counted to \(calls)")
  }
}
