/// Changes a state at its place in memory; called with nil where there is none. Says whether it has done so.
@usableFromInline
typealias StateWrite = (_ state: UnsafeMutableRawPointer?) -> Bool

/// The outcome of changes that reducers apply by themselves, of which any may not take place.
@usableFromInline
enum WriteOutcome {
  /// None was applied.
  case none

  /// At least one has taken place.
  case made

  /// None of them has taken place.
  case failed
}

/// A change whose caller waits for it, on whose stack its closure is: for mutations of it, which anybody may keep.
@usableFromInline
final class AwaitedCommit: @unchecked Sendable {
  // Sendable because what varies is touched by the caller's thread alone, which is checked.

  private let thread = Platform.Thread()

  /// Nil once it was called, or the caller goes on: what does not escape must not be called again, least of all by itself.
  private var change: StateWrite?

  /// `true` if a reducer has come to it.
  private var isApplied = false

  private init(_ change: @escaping StateWrite) {
    self.change = change
  }

  /// Makes one of a change, for as long as a body runs.
  ///
  /// - Returns: Whether a reducer has come to the change by then.
  @usableFromInline
  static func with(_ change: StateWrite, _ body: (AwaitedCommit) -> Void) -> Bool {
    withoutActuallyEscaping(change) { change in
      let commit = AwaitedCommit(change)
      body(commit)
      commit.change = nil
      return commit.isApplied
    }
  }

  /// Makes the change; once.
  @usableFromInline
  func apply(to state: UnsafeMutableRawPointer?) -> Bool {
    guard thread.isCurrent, let change = change.take() else { Misuse.applyingCommitElsewhere.stop() }
    isApplied = true
    return change(state)
  }
}

extension Tree {
  /// `true` if the reducers that have just run have come to nothing but changes that did not take place. Asked once.
  @inlinable
  func takeFailedWrite() -> Bool {
    guard writeOutcome != .none else { return false }
    let isFailed = writeOutcome == .failed
    writeOutcome = .none
    // They may have changed what nobody can know of.
    if isFailed { revision &+= 1 }
    return isFailed
  }

  /// Notes the outcome of a change that a reducer of the tree that this thread runs has applied.
  @usableFromInline
  static func note(change isMade: Bool) {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { tree in
      // Elsewhere it is a copy of somebody's that was changed.
      guard tree.isReducing else { return }
      if isMade {
        tree.writeOutcome = .made
      } else if tree.writeOutcome == .none {
        tree.writeOutcome = .failed
      }
    }
  }
}
