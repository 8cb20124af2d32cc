/// A closure that changes a state in place, if there is a state. Returns `true` if the change was made.
@usableFromInline
typealias StateWrite = (_ state: UnsafeMutableRawPointer?) -> Bool

/// An action that is a change, and may be none.
package protocol ChangeAction: Sendable {
  /// `true` if it takes place and changes nothing.
  var changesNothing: Bool { get }
}

/// The outcome of the mutations that reducers have applied themselves, each of which may fail.
@usableFromInline
enum WriteOutcome {
  /// No mutation was applied.
  case none

  /// At least one mutation has succeeded.
  case made

  /// Mutations were applied, and all of them have failed.
  case failed
}

/// A change whose caller waits for it, and whose closure is on the caller's stack.
///
/// - Mutations refer to this object instead of the closure, because a user may keep a mutation after the caller has
///   gone on.
@usableFromInline
final class AwaitedCommit: @unchecked Sendable {
  // Sendable because the variables are touched by the caller's thread alone: `apply(to:)` checks that.

  private let thread = Platform.Thread()

  /// The change; nil once it was called or the caller has gone on.
  ///
  /// - A closure that does not escape must be called neither later nor from within itself.
  private var change: StateWrite?

  /// `true` if the change was called, even if it was not made.
  private var wasCalled = false

  private init(_ change: @escaping StateWrite) {
    self.change = change
  }

  /// Runs a body with an awaited commit of a change. The commit can be applied only while the body runs.
  ///
  /// - Returns: `true` if the body has had the commit applied, even if the change was not made.
  @usableFromInline
  static func with(_ change: StateWrite, _ body: (AwaitedCommit) -> Void) -> Bool {
    withoutActuallyEscaping(change) { change in
      let commit = AwaitedCommit(change)
      body(commit)
      commit.change = nil
      return commit.wasCalled
    }
  }

  /// Calls the change, on the thread of the commit's caller.
  ///
  /// - Stops the program on any other thread, if the change was called before, or if the caller no longer waits.
  /// - Returns: `true` if the change was made.
  @usableFromInline
  func apply(to state: UnsafeMutableRawPointer?) -> Bool {
    guard thread.isCurrent, let change = change.take() else { Misuse.applyingCommitElsewhere.stop() }
    wasCalled = true
    Tree.didApplyCommit()
    return change(state)
  }
}

extension Tree {
  /// Returns `true` if the reducers that have just run have applied mutations and all of these have failed.
  ///
  /// - Resets the outcome: to be called once after the reducers.
  @inlinable
  func takeFailedWrite() -> Bool {
    guard writeOutcome != .none else { return false }
    let isFailed = writeOutcome == .failed
    writeOutcome = .none
    // The reducers may have changed other parts of the state beside the failed mutations.
    if isFailed { revision &+= 1 }
    return isFailed
  }

  /// Forgets the outcomes of mutations that a commit's closure has applied: the commit as a whole decides.
  @inlinable
  func disregardWrites() {
    writeOutcome = .none
  }

  /// Tells the recorder of the tree that the calling thread runs that a change was made whose caller waits for it.
  fileprivate static func didApplyCommit() {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { tree in tree.listener?.didApplyCommit() }
  }

  /// Notes the outcome of a mutation that was applied by a reducer of the tree that the calling thread runs.
  @usableFromInline
  static func note(change isMade: Bool) {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { tree in
      // Outside a reducer the mutation was applied to a copy of the state.
      guard tree.isReducing else { return }
      if isMade {
        tree.writeOutcome = .made
      } else if tree.writeOutcome == .none {
        tree.writeOutcome = .failed
      }
    }
  }
}
