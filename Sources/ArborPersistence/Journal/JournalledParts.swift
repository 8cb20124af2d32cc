internal import Arbor

/// The parts of a state, and the journal of the actions that change them. Used on the queue of its storage.
final class JournalledParts<State: Sendable, Action: Codable & Sendable>: MonitoredParts, @unchecked Sendable {
  // Sendable because all is used on the storage's queue, but for the buffer and the flag, which say so.

  private let parts: SavedParts<State>
  private let journal: Journal<State, Action>
  private let buffer = JournalBuffer<Action>()

  /// `true` if the state is another one without actions, so that it must be written.
  private let hasJumped = AtomicFlag(false)

  /// The number of entries since the last snapshot.
  private let count = AtomicNumber(0)

  /// `true` if the running action was written before it is reduced. On the tree's queue.
  private var isWritten = false

  var names: Set<String> { parts.names }
  let isJournalled = true

  init(_ parts: SavedParts<State>, _ journal: Journal<State, Action>) {
    self.parts = parts
    self.journal = journal
  }

  func begin(_ monitor: SavingMonitor<State>) {
    parts.begin(monitor)
  }

  func end(with state: State) {
    parts.end(with: state)
  }

  // MARK: Saving

  func wait() {
    parts.wait()
  }

  func save(in core: StorageCore) throws(StorageError) {
    if hasJumped.load() || core.writer.needsState { return try core.writeState() }
    do throws(StorageError) {
      try core.append(records(of: buffer.take()), beginning: LogEntry.journal(journal.form).bytes, of: self)
    } catch {
      guard case .cannotEncode = error else { throw error }
      // Without this action those behind it would be reduced on another state.
      core.tell(error)
      return try core.writeState()
    }
    if isSnapshotDue, core.maySnapshot { try snapshot(in: core) }
  }

  private var isSnapshotDue: Bool { count.load() >= journal.snapshotInterval }

  private func records(of steps: JournalBuffer<Action>.Steps) throws(StorageError) -> [[UInt8]] {
    var records: [[UInt8]] = []
    records.reserveCapacity(steps.actions.count)
    do {
      try steps.visit { actions in
        records.append(try record(of: actions))
      }
    } catch {
      throw StorageError(encoding: "\(Action.self)", error)
    }
    count.add(records.count)
    return records
  }

  private func record(of actions: some Collection<Action>) throws -> [UInt8] {
    LogEntry.actions(try actions.map { Array(try journal.coding.encode($0)) }).bytes
  }

  /// Begins a snapshot: what was reduced until then is in it, and what follows goes to another log.
  private func snapshot(in core: StorageCore) throws(StorageError) {
    var draft: FolderWriter.Draft?
    var steps = JournalBuffer<Action>.Steps()
    let state = parts.read { [buffer] in
      steps = buffer.take()
      if steps.actions.isEmpty { draft = core.writer.beginState(hasChanges: false) }
    }
    // What came in between is written first: nobody writes but this queue, unless each action is written at once.
    if draft == nil {
      try core.append(records(of: steps), beginning: LogEntry.journal(journal.form).bytes, of: self)
      draft = core.writer.beginState(hasChanges: false)
    }
    guard let draft else { throw .changedElsewhere }
    count.store(0)
    core.writeSnapshot(of: self, draft) { [encode = parts.encoder] in try encode(state) }
  }

  func whole(at begin: () -> Void) -> [StoredPart] {
    count.store(0)
    return parts.whole {
      _ = buffer.take()
      hasJumped.store(false)
      begin()
    }
  }

  /// Nothing: what is saved are actions.
  func didSave() {}

  func didFail() {
    parts.didFail()
  }

  func forget() {
    parts.forget()
    hasJumped.store(true)
  }

  // MARK: The tree's queue

  func actionReceiver<Reduced: Sendable>(of type: Reduced.Type) -> (@Sendable (Reduced) -> Void)? {
    let receive: @Sendable (Action) -> Void = { [self] action in
      if isWritten { isWritten = false } else { buffer.append(action) }
    }
    guard let receive = receive as? @Sendable (Reduced) -> Void else {
      Misuse.journallingOtherActions.stop(about: "\(Reduced.self) and not \(Action.self)")
    }
    return receive
  }

  func writeAhead<Sent: Sendable>(_ action: Sent, with storage: Storage) -> Bool {
    guard let action = action as? Action else { Misuse.writingAheadWithoutJournal.stop(about: "\(Sent.self)") }
    isWritten = false
    do throws(StorageError) {
      isWritten = try write(action, by: storage.core.object.writer)
    } catch {
      storage.problemStreams.tell(error)
    }
    if isWritten {
      count.add(1)
    } else {
      storage.problemStreams.tell(.refused("\(action)"))
      // What is stored is written anew, so that later actions are not refused.
      storage.runLater { core in try? core.save(self) }
    }
    return isWritten
  }

  /// Writes an action and makes it durable. Returns `false` if the whole state must be written before.
  private func write(_ action: Action, by writer: LockedWriter) throws(StorageError) -> Bool {
    if hasJumped.load() { return false }
    let record: [UInt8]
    do {
      record = try self.record(of: CollectionOfOne(action))
    } catch {
      throw StorageError(encoding: "\(Action.self)", error)
    }
    return try writer.append([record], beginning: LogEntry.journal(journal.form).bytes)
  }

  func didStep() -> Bool { buffer.endStep() || isSnapshotDue }

  func didTravel() -> Bool {
    hasJumped.store(true)
    return true
  }
}
