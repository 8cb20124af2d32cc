internal import Foundation

/// <https://developer.apple.com/documentation/os/osallocatedunfairlock>
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // Sendable because the lock guards the state.
  private final class Storage {
    let lock = NSLock()
    var state: State

    init(_ state: State) {
      self.state = state
    }
  }

  private let storage: Storage

  /// <https://developer.apple.com/documentation/os/osallocatedunfairlock/init(uncheckedstate:)>
  public init(uncheckedState initialState: State) {
    storage = Storage(initialState)
  }

  /// <https://developer.apple.com/documentation/os/osallocatedunfairlock/withlockunchecked(_:)>
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}
