internal import Arbor

/// The actions that were reduced and are not written yet, in steps. Filled on the tree's queue, and taken on that of the
/// storage.
final class JournalBuffer<Action: Sendable>: @unchecked Sendable {
  // Sendable because a lock guards the steps, and the rest is used on the tree's queue only.

  /// Steps in order.
  struct Steps: Sendable {
    /// The actions of all steps.
    var actions = ContiguousArray<Action>()

    /// The numbers of actions of those steps that have not one; by the index of their first action.
    var longer: [Int: Int] = [:]

    /// The number of steps.
    var count: Int { actions.count - longer.values.reduce(0) { $0 + $1 - 1 } }

    /// Calls a body with the actions of each step.
    func visit(_ body: (ArraySlice<Action>) throws -> Void) rethrows {
      var index = 0
      let actions = Array(actions)
      while index < actions.count {
        let end = index + (longer[index] ?? 1)
        try body(actions[index..<end])
        index = end
      }
    }
  }

  private let steps = Protected(Steps())

  // MARK: On the tree's queue

  /// The actions of the running step: the first, and those that follow in a batch.
  private var first: Action?
  private var following: [Action] = []

  /// Notes an action of the running step.
  func append(_ action: Action) {
    if first == nil { first = action } else { following.append(action) }
  }

  /// Ends the running step. Returns `true` if it is the first one that waits to be written.
  func endStep() -> Bool {
    guard let action = first.take() else { return false }
    guard following.isEmpty else { return endBatch(action) }
    return steps.withLock { steps in
      steps.actions.append(action)
      return steps.actions.count == 1
    }
  }

  private func endBatch(_ first: Action) -> Bool {
    let actions = [first] + following
    following = []
    return steps.withLock { steps in
      let isFirst = steps.actions.isEmpty
      steps.longer[steps.actions.count] = actions.count
      steps.actions += actions
      return isFirst
    }
  }

  // MARK: On the storage's queue

  /// Takes out all steps that have ended.
  func take() -> Steps {
    steps.withLock { steps in
      defer { steps = Steps() }
      return steps
    }
  }
}
