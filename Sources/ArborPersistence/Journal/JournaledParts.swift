internal import Arbor

/// The parts of a state, and the journal of the actions that change them. Used on the queue of its storage.
final class JournaledParts<State: Sendable, Action: Codable & Sendable>: MonitoredParts, @unchecked Sendable {
  // Sendable because everything is used on the storage's queue, except the buffer, which is used on the tree's queue.

  let parts: SavedParts<State>
  let journal: Journal<State, Action>
  let writer: LockedWriter

  /// The actions to be written, and the function that adds one. Set once, before there is a store.
  private let attachment = Protected<Attachment?>(nil)

  private struct Attachment: Sendable {
    let buffer: JournalBuffer<Action>
    let receive: @Sendable (Action) -> Void
  }

  /// `true` if the written and waiting actions don't lead to the current state, so that all parts must be written.
  let needsAllParts = AtomicFlag(false)

  /// `true` once nothing is saved for this source anymore.
  private let isOutdated = AtomicFlag(false)

  /// The number of entries since the last snapshot.
  let count = AtomicNumber(0)

  /// The refusals of the storage.
  let refusals: Refusals

  /// The last refusal and the turn in which it occurred; nil if its caller has received it or it was recorded. Used on
  /// the tree's queue.
  var refusal: (error: StorageError, turn: UInt64?)?
  let hasRefusal = AtomicFlag(false)

  /// The first entry of a log with the actions.
  let beginning: [UInt8]

  var names: Set<String> { parts.names }
  var load: Int { parts.load }
  let isJournaled = true

  /// `true` if actions were reduced after the parts were erased, or discarded because they aren't saved anymore, or if
  /// other actions have changed a part.
  private let hasActions = AtomicFlag(false)

  /// Makes the source of some parts with a journal.
  ///
  /// - Parameters:
  ///   - writer: The writer of the storage, which knows if the parts are erased.
  ///   - refusals: Receives the refusals of actions.
  ///   - count: The number of entries since the last snapshot.
  init(
    _ parts: SavedParts<State>,
    _ journal: Journal<State, Action>,
    _ writer: LockedWriter,
    _ refusals: Refusals,
    count: Int
  ) {
    self.parts = parts
    self.journal = journal
    self.writer = writer
    self.refusals = refusals
    self.count.store(count)
    beginning = LogEntry.journal(journal.form, parts: parts.names.sorted()).bytes
  }

  /// Sets the buffer, and the function that adds an action to it.
  ///
  /// - Stops the program if they were set before.
  func use(_ buffer: JournalBuffer<Action>, _ receive: @escaping @Sendable (Action) -> Void) {
    let isFirst = attachment.withLock { attachment in
      guard attachment == nil else { return false }
      attachment = Attachment(buffer: buffer, receive: receive)
      return true
    }
    guard isFirst else { Misuse.savingTwice.stop() }
  }

  var buffer: JournalBuffer<Action>? { attachment.withLock { $0?.buffer } }

  func begin(_ monitor: SavingMonitor<State>) {
    guard parts.isChanged(byBeginning: monitor) else { return }
    // The store's actions are reduced on its initial state.
    needsAllParts.store(true)
    buffer?.hasOtherChange = true
  }

  func end(with state: State) {
    parts.end(with: state)
  }

  // MARK: Saving

  func save(in core: StorageCore) throws(StorageError) {
    if writer.needsState { return try core.writeState(for: self) }
    do throws(StorageError) {
      var steps: [ArraySlice<Action>] = []
      var mustWriteState = needsAllParts.load()
      parts.state.wait {
        // Read on the tree's queue, because work that was accepted earlier may have replaced the state.
        mustWriteState = needsAllParts.load()
        if !mustWriteState { steps = buffer?.take() ?? [] }
      }
      // Erased parts stay erased until an action is reduced.
      let isErased = writer.lacksParts
      if isErased, !steps.isEmpty { hasActions.store(true) }
      if mustWriteState || isErased && hasActions.load() { return try core.writeState(for: self) }
      if isErased { return }
      let isAppended = try core.append(records(of: steps), beginning: beginning, of: self)
      if isAppended, isSnapshotDue, core.mayBeginSnapshot { try snapshot(in: core) }
    } catch {
      // Steps were taken out but not written. Without them, later steps would be reduced on another state.
      needsAllParts.store(true)
      guard case .cannotEncode = error else { throw error }
      core.tell(error)
      try core.writeState(for: self)
    }
  }

  private var isSnapshotDue: Bool { count.load() >= journal.snapshotInterval }

  private func records(of steps: [ArraySlice<Action>]) throws(StorageError) -> [[UInt8]] {
    do {
      let records = try steps.map(record)
      count.add(records.count)
      return records
    } catch {
      throw StorageError(encoding: "\(Action.self)", error)
    }
  }

  func record(of actions: ArraySlice<Action>) throws -> [UInt8] {
    try LogEntry.actions(actions.count) { index in try journal.coding.encode(actions[actions.startIndex + index]) }
  }

  /// Begins a snapshot of everything reduced so far. Later actions go to another log.
  private func snapshot(in core: StorageCore) throws(StorageError) {
    var draft: FolderWriter.Draft?
    var steps: [ArraySlice<Action>] = []
    var mustWriteState = false
    let state = parts.state.read { hasBegun in
      mustWriteState = needsAllParts.load()
      guard !mustWriteState, hasBegun else { return }
      steps = buffer?.take() ?? []
      if steps.isEmpty { draft = writer.beginState(hasChanges: false) }
    }
    if mustWriteState { return try core.writeState(for: self) }
    // Actions reduced in the meantime are written first. Only this queue writes, unless actions are written ahead.
    if draft == nil {
      // If it returns `false`, a state was written, which makes a snapshot unnecessary.
      guard try core.append(records(of: steps), beginning: beginning, of: self) else { return }
      draft = writer.beginState(hasChanges: false)
    }
    guard let draft else { throw .changedElsewhere }
    count.store(0)
    try core.writeSnapshot(of: self, draft) { [encode = parts.encoder] in try encode(state) }
  }

  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError]) {
    count.store(0)
    // Released at the end of this function, and not on the tree's queue.
    var taken: [ArraySlice<Action>]?
    let whole = parts.whole {
      if taken?.isEmpty == false { hasActions.store(true) }
      return writer.lacksParts && !hasActions.load()
    } at: { hasBegun in
      if hasBegun { taken = buffer?.take() }
      needsAllParts.store(false)
      begin()
    }
    withExtendedLifetime(taken) {}
    // The actions were taken out and are in no file.
    if !whole.errors.isEmpty { needsAllParts.store(true) }
    return whole
  }

  var hasStore: Bool { parts.hasStore }

  var hasUnsavedChanges: Bool {
    var isUnsaved = needsAllParts.load()
    parts.state.wait { isUnsaved = needsAllParts.load() || buffer.map { !$0.actions.isEmpty } == true }
    // When parts are no longer saved, their actions aren't kept.
    return isUnsaved || isOutdated.load() && hasActions.load()
  }

  func didSave() {}

  func didFail(mayRetry: Bool) {
    // From now on, no actions are collected. The state is written when that is possible again, if ever.
    if mayRetry { needsAllParts.store(true) } else { isOutdated.store(true) }
    parts.didFail(mayRetry: mayRetry)
  }

  func didErase() {
    // Released at the end of this function, and not on the tree's queue.
    var taken: [ArraySlice<Action>]?
    parts.didErase { hasBegun in
      // The state that counts as erased contains the changes of these actions.
      if hasBegun { taken = buffer?.take() }
      needsAllParts.store(false)
      hasActions.store(false)
    }
    withExtendedLifetime(taken) {}
  }

  func beginErased() {
    parts.beginErased()
  }

  func noteRefusals() {
    // Waits for the end of the running step, because the caller of its action may still receive the refusal.
    if hasRefusal.load() { parts.state.wait(noteRefusal) }
  }

  // MARK: The tree's queue

  func actionReceiver<Reduced: Sendable>(of type: Reduced.Type) -> (@Sendable (Reduced) -> Void)? {
    if case .receiver(let receive) = hook(of: type) { receive } else { nil }
  }

  func reducer<Reduced: Sendable>(
    around reduce: @escaping @Sendable (Reduced) -> Bool
  ) -> (@Sendable (Reduced) -> Bool)? {
    guard let hook = hook(of: Reduced.self) else { return nil }
    #if DEBUG
      let reduce = journal.isChecked ? checking(reduce) : reduce
      guard case .reducer(let makeReducer) = hook else { return reduce }
    #else
      guard case .reducer(let makeReducer) = hook else { return nil }
    #endif
    return makeReducer(reduce)
  }

  /// Makes the hook of a store; nil if it doesn't journal.
  private func hook<Reduced: Sendable>(of type: Reduced.Type) -> JournalHook<Reduced>? {
    guard let attachment = attachment.withLock({ $0 }) else { return nil }
    let hook = journal.filter.hook(of: type, attachment.receive) { [self] reduce in reduceOther(reduce) }
    guard let hook else {
      Misuse.journalingOtherActions.stop(about: "\(Reduced.self) and not \(Action.self)")
    }
    return hook
  }

  /// Reduces an action that isn't journaled. If it changes a part, the parts are written instead of the actions.
  private func reduceOther(_ reduce: () -> Bool) -> Bool {
    // The parts are written in any case.
    if needsAllParts.loadRelaxed() { return reduce() }
    let isChanged = parts.makeChangeCheck()
    guard reduce() else { return false }
    if isChanged() {
      needsAllParts.store(true)
      hasActions.store(true)
      buffer?.hasOtherChange = true
    }
    return true
  }

  func stepReceiver(_ change: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    // Actions that were written ahead aren't in the buffer, but are included in `count`.
    guard let buffer = buffer.map({ $0 as JournalSteps }) else { return {} }
    return { [self, interval = journal.snapshotInterval] in
      if buffer.endStep() || count.loadRelaxed() >= interval { change() }
      // The actions aren't needed, because the state or nothing will be written. Only their existence is recorded.
      if needsAllParts.loadRelaxed() || isOutdated.loadRelaxed(), buffer.drop() { hasActions.store(true) }
    }
  }

  func didTravel() {
    needsAllParts.store(true)
  }
}
