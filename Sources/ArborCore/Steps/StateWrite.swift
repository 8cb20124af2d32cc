/// A closure that changes a state in place, if there is a state. Returns `true` if the change was made.
@usableFromInline
package typealias StateWrite = (_ state: UnsafeMutableRawPointer?) -> Bool

/// An action that is a change, and may turn out not to be made.
package protocol ChangeAction: Sendable {
  /// `true` if the change is made but changes nothing.
  var changesNothing: Bool { get }

  /// Returns this change in the place of another one.
  ///
  /// - If a caller waits for the other change, it waits for this one instead.
  /// - If the other change may fail, this one fails when all mutations that it applies fail. It then leaves the state
  ///   unchanged.
  func replacing(_ other: Self) -> Self

  /// Returns the function that checks if an action may turn out not to be a step, because it is a change to a state of
  /// this type; nil if the action isn't such a change.
  static func failurePredicate<State, Action>(
    of action: Action.Type,
    in state: State.Type
  ) -> (@Sendable (Action) -> Bool)?
}

/// Returns the function that checks if an action may turn out not to be a step; nil if actions of the type aren't
/// changes to the state.
@usableFromInline
func failurePredicate<State, Action>(of action: Action.Type, in state: State.Type) -> (@Sendable (Action) -> Bool)? {
  (action as? any ChangeAction.Type)?.failurePredicate(of: action, in: state)
}

/// Returns the action that takes the place of another.
@usableFromInline
package func replacement<Action>(_ other: Action, for action: Action) -> Action {
  guard let action = action as? any ChangeAction else { return other }
  func replacing<Change: ChangeAction>(_ action: Change) -> Action? {
    (other as? Change).map { $0.replacing(action) } as? Action
  }
  return replacing(action) ?? other
}

/// A change whose caller waits for it, and whose closure is on the caller's stack.
///
/// - Mutations refer to this object instead of the closure, because a user may keep a mutation after the caller has
///   continued.
@usableFromInline
package final class AwaitedCommit: @unchecked Sendable {
  // Sendable because its variables are only used by the caller's thread: `apply(to:)` checks that.

  private let thread = Platform.Thread()

  /// The change; nil after it was called or the caller has continued.
  ///
  /// - A closure that doesn't escape must be called neither later nor from within itself.
  private var change: StateWrite?

  /// `true` if the change was called, even if it wasn't made.
  private var wasCalled = false

  private init(_ change: @escaping StateWrite) {
    self.change = change
  }

  /// Runs a body with an awaited commit of a change. The commit can only be applied while the body runs.
  ///
  /// - Returns: `true` if the commit was applied in the body, even if the change wasn't made.
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
  package func apply(to state: UnsafeMutableRawPointer?) -> Bool {
    guard thread.isCurrent, let change = change.take() else { Misuse.applyingCommitElsewhere.stop() }
    wasCalled = true
    Tree.didApplyCommit()
    return change(state)
  }
}

extension Tree {
  /// Notifies the listener of the tree whose work the thread runs that a change was made whose caller waits for it.
  fileprivate static func didApplyCommit() {
    withRunningTree { tree in tree.listener?.didApplyCommit() }
  }

  /// Records the outcome of a mutation that a reducer applied, for the tree whose work the thread runs.
  @usableFromInline
  package static func note(change isMade: Bool) {
    withRunningTree { tree in
      // Outside a reducer, the mutation was applied to a copy of the state.
      if tree.step.isReducing { tree.step.writes.note(isMade) }
    }
  }

  /// Makes a change, which may apply mutations itself. The change fails if all the mutations that it applies fail.
  @inlinable @inline(__always)
  func isMade(_ change: () -> Bool) -> Bool {
    let before = step.writes
    step.writes = .none
    let isMade = change() && step.writes != .failed
    step.writes = step.writes == .made ? .made : before
    return isMade
  }

  /// Makes a change for the tree whose reducers the thread runs. Elsewhere, the outcome of mutations isn't recorded.
  package static func isMade(_ change: () -> Bool) -> Bool {
    var isMade: Bool?
    withRunningTree { tree in isMade = tree.isMade(change) }
    return isMade ?? change()
  }

  private static func withRunningTree(_ body: (Tree) -> Void) {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef(body)
  }
}
