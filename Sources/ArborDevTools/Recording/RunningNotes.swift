internal import Arbor

/// The actions of a running tree that aren't part of its recording yet.
///
/// - It is only used on the tree's queue, or before the tree has stores.
/// - It isn't generic over the tree's types, so noting an action looks up no type metadata. It is used by one function at
///   a time, which isn't checked for each action.
final class RunningNotes: @unchecked Sendable {  // Used on one queue.
  /// An action whose reducers have run, but that wasn't reported yet.
  private struct Draft {
    let number: UInt64

    /// The number of the root's action, counted from 0; -1 if none reached the root, or if it can't be repeated.
    var rootAction = -1

    /// The number of actions that the root has begun to reduce, up to this one.
    let begun: Int
    var steps: Steps?
  }

  /// The steps of the stores that reduced an action, unless only the root did.
  private final class Steps {
    /// The root's state after an action that can't be repeated.
    var rootState: (any Sendable)?
    var below: [(store: UInt64, step: ChildStep)] = []
    let isBarrier: Bool

    init(isBarrier: Bool) {
      self.isBarrier = isBarrier
    }
  }

  /// The notes, with the location of the root's actions and states to which they refer.
  struct Taken {
    let notes: ContiguousArray<ActionNote>
    let states: [any Sendable]

    /// The number of the root's last action to which no later note refers, counted from 0; -1 for none.
    let lastAction: Int

    /// `true` if any of the notes has details.
    let hasDetails: Bool
  }

  /// The tree's notes about its running action, and its root; nil before they are made and after they are gone.
  @exclusivity(unchecked) var tree: RecordingNotes?
  @exclusivity(unchecked) var root: RecordedStore?

  /// `true` while nothing is recorded.
  @exclusivity(unchecked) var isPaused = false

  /// The number of notes after which they must be taken.
  @exclusivity(unchecked) var room = 1

  /// The places of the root's actions in the notes count all actions that it has ever begun to reduce.
  @exclusivity(unchecked) private var notes = ContiguousArray<ActionNote>()
  @exclusivity(unchecked) private var states: [any Sendable] = []
  @exclusivity(unchecked) private var hasDetails = false

  @exclusivity(unchecked) private var drafts: [Draft] = []
  @exclusivity(unchecked) private var reported = 0

  var isEmpty: Bool { notes.isEmpty }
  var isFull: Bool { notes.count >= room }

  /// Notes the result of the reducers (see ``StateRecorder/didReduce(_:onlyBy:begun:)``).
  func didReduce(_ number: UInt64, onlyBy store: RecordedStore?, begun: Int) {
    if let store, store === root {
      return drafts.append(Draft(number: number, rootAction: begun - 1, begun: begun))
    }
    guard let tree else { return }
    var draft = Draft(number: number, begun: root?.begun ?? 0)
    noteStores(of: tree, &draft)
    drafts.append(draft)
  }

  private func noteStores(of tree: RecordingNotes, _ draft: inout Draft) {
    let steps = Steps(isBarrier: tree.hasAppliedCommit)
    for store in tree.reducing.map({ $0.takeUnretainedValue() }) {
      guard let action = store.lastAction else { continue }
      let isRepeatable = !steps.isBarrier || (action as? any ChangeAction)?.changesNothing == true
      let state = isRepeatable ? nil : store.state
      if store === root {
        steps.rootState = state
        if state == nil { draft.rootAction = store.begun - 1 }
      } else {
        steps.below.append((store.store.id, state.map(ChildStep.recorded) ?? .reduced(action)))
        store.dropActions()
      }
    }
    draft.steps = steps
  }

  /// Notes an action that was reported.
  func add(_ record: borrowing ActionRecord) {
    var draft = takeDraft(of: record.number)
    guard !isPaused, let root else {
      root?.dropActions()
      return
    }
    let store = record.action.store.id
    var details: ActionNote.Details?
    // Most actions need no details, because only the root has reduced them.
    if !record.isPlain || draft.rootAction < 0 || draft.steps != nil || store != root.store.id {
      details = makeDetails(of: record, &draft)
      hasDetails = hasDetails || details != nil
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

  private func makeDetails(of record: borrowing ActionRecord, _ draft: inout Draft) -> ActionNote.Details? {
    let outcome = record.outcome
    if case .failed = outcome { draft = Draft(number: record.number, begun: draft.begun) }
    if case .reduced = outcome, draft.rootAction >= 0, record.action.store.id == root?.store.id,
      draft.steps?.below.isEmpty != false
    {
      return nil
    }
    if record.isPlain, let steps = draft.steps, !steps.isBarrier, steps.below.count == 1,
      steps.below[0].store == record.action.store.id
    {
      return ActionNote.Details(record.action.value, reducedBy: record.action.store.id)
    }
    return ActionNote.Details(
      action: record.action.value,
      steps: draft.steps?.below ?? [],
      outcome: outcome,
      isBarrier: draft.steps?.isBarrier == true
    )
  }

  private func takeDraft(of number: UInt64) -> Draft {
    guard reported < drafts.count, drafts[reported].number == number else {
      return Draft(number: number, begun: 0)
    }
    let draft = drafts[reported]
    reported += 1
    if reported == drafts.count {
      // Most steps have a single draft.
      if reported == 1 { drafts.removeLast() } else { drafts.removeAll(keepingCapacity: true) }
      reported = 0
    }
    return draft
  }

  private func rootStep(of draft: Draft) -> ActionNote.RootStep {
    guard draft.rootAction < 0 else { return .reduced(at: draft.rootAction) }
    guard let state = draft.steps?.rootState else { return .none }
    states.append(state)
    return .recorded(at: states.count - 1)
  }

  /// Removes and returns the notes.
  func take() -> Taken {
    defer {
      (notes, states, hasDetails) = (ContiguousArray(), [], false)
      notes.reserveCapacity(min(room, 128))
    }
    return Taken(notes: notes, states: states, lastAction: firstActionInUse - 1, hasDetails: hasDetails)
  }

  /// The number of the first of the root's actions that is being reduced or wasn't reported yet.
  private var firstActionInUse: Int {
    if reported < drafts.count {
      let draft = drafts[reported]
      return draft.rootAction >= 0 ? draft.rootAction : draft.begun
    }
    guard let tree, let root else { return 0 }
    return tree.reducing.contains { $0.takeUnretainedValue() === root } ? root.begun - 1 : root.begun
  }
}
