internal import Arbor

/// The actions of a running tree that its recording has not yet.
///
/// - On the tree's queue only, or before the tree has stores.
/// - It knows none of the tree's types, so that noting an action looks up none.
final class RunningNotes: @unchecked Sendable {  // Used on one queue.
  /// An action whose reducers have run, and which was not reported yet.
  private struct Draft {
    let number: UInt64

    /// The number of the root's action, counted from 0; nil if none has reached the root, or if it cannot be repeated.
    var rootAction: Int?

    /// The root's state after an action that cannot be repeated.
    var rootState: (any Sendable)?
    var steps: [(store: UInt64, step: ChildStep)] = []
    var isBarrier = false
  }

  /// The notes, and where the root's actions and states for them are.
  struct Taken {
    let notes: ContiguousArray<ActionNote>
    let states: [any Sendable]

    /// The number of the root's last action that a note names, counted from 0; -1 for none.
    let lastAction: Int
  }

  /// The tree and its root; nil until they are made, and once they are gone.
  var tree: RecordedTree?
  var root: RecordedStore?

  /// `true` while nothing is recorded.
  var isPaused = false

  /// The number of notes after which they must be taken.
  var room = 1

  /// The places of the root's actions in these count all that it has ever begun to reduce.
  private var notes = ContiguousArray<ActionNote>()
  private var states: [any Sendable] = []
  private var lastAction = -1

  private var drafts: [Draft] = []
  private var reported = 0

  var isEmpty: Bool { notes.isEmpty }
  var isFull: Bool { notes.count >= room }

  /// Notes what the reducers have done.
  func didReduce(_ number: UInt64) {
    guard let tree else { return }
    var draft = Draft(number: number)
    if tree.reducing.count == 1, tree.reducing[0] === root, !tree.hasAppliedCommit {
      draft.rootAction = tree.reducing[0].begun - 1
    } else {
      noteSteps(of: tree, &draft)
    }
    drafts.append(draft)
  }

  private func noteSteps(of tree: RecordedTree, _ draft: inout Draft) {
    draft.isBarrier = tree.hasAppliedCommit
    for store in tree.reducing {
      guard let action = store.lastAction else { continue }
      let isRepeatable = !draft.isBarrier || (action as? any ChangeAction)?.changesNothing == true
      let state = isRepeatable ? nil : store.state
      if store === root {
        draft.rootState = state
        draft.rootAction = state == nil ? store.begun - 1 : nil
      } else {
        draft.steps.append((store.store.id, state.map(ChildStep.recorded) ?? .reduced(action)))
        store.dropActions()
      }
    }
  }

  /// Notes an action that was reported.
  func add(_ record: borrowing ActionRecord) {
    var draft = takeDraft(of: record.number)
    guard !isPaused, let root else {
      root?.dropActions()
      return
    }
    let (store, outcome) = (record.action.store.id, record.outcome)
    if case .failed = outcome { draft = Draft(number: record.number) }
    var details: ActionNote.Details?
    if case .reduced = outcome, draft.rootAction != nil, store == root.store.id, draft.steps.isEmpty {
      // The action is the root's, and nothing else is to be said of it.
    } else {
      details = ActionNote.Details(
        action: record.action.value,
        steps: draft.steps,
        outcome: outcome,
        isBarrier: draft.isBarrier
      )
    }
    notes.append(
      ActionNote(
        number: Int(record.number),
        store: store,
        cause: record.cause,
        details: details,
        root: rootStep(of: draft),
        isLastOfStep: record.isLastOfStep,
        times: CompactTimes(record.nanoseconds)
      )
    )
  }

  private func takeDraft(of number: UInt64) -> Draft {
    guard reported < drafts.count, drafts[reported].number == number else { return Draft(number: number) }
    defer {
      reported += 1
      if reported == drafts.count {
        drafts.removeAll(keepingCapacity: true)
        reported = 0
      }
    }
    return drafts[reported]
  }

  private func rootStep(of draft: Draft) -> ActionNote.RootStep {
    if let action = draft.rootAction {
      lastAction = action
      return .reduced(at: action)
    }
    guard let state = draft.rootState else { return .none }
    states.append(state)
    return .recorded(at: states.count - 1)
  }

  /// Takes out the notes.
  func take() -> Taken {
    defer { (notes, states, lastAction) = (ContiguousArray(), [], -1) }
    return Taken(notes: notes, states: states, lastAction: lastAction)
  }
}
