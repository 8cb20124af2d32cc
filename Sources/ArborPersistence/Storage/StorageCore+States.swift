internal import Arbor

/// States: all parts at one moment, in place of the files so far.
extension StorageCore {
  /// Writes all parts of all sources, each as it is now, and those that are kept, in place of the files so far.
  ///
  /// - Parameter asking: The source whose parts are to be saved. That a part of another one cannot be encoded is told.
  func writeState(for asking: (any PartsSource)?) throws(StorageError) {
    var draft: FolderWriter.Draft?
    let begin = { if draft == nil { draft = self.writer.beginState(hasChanges: true) } }
    var parts: [StoredPart] = []
    var (own, others): ([StorageError], [StorageError]) = ([], [])
    var erased: Set<String> = []
    var journalError: StorageError?
    let sources = sources.saved
    // The journaled ones last: their actions are in the state if they are reduced when it is begun. When the others are
    // read is of no importance: what they change is written by this queue alone.
    for source in sources.filter({ !$0.isJournaled }) + sources.filter(\.isJournaled) {
      let whole = source.whole(at: source.isJournaled ? begin : {})
      parts += whole.parts
      if source === asking { own += whole.errors } else { others += whole.errors }
      // Erased parts may still be in the files, if the erasure has failed: they are not kept.
      if whole.parts.isEmpty, whole.errors.isEmpty { erased.formUnion(source.names) }
      guard source.isJournaled else { continue }
      journalError = journalError ?? whole.errors.first
      if !whole.parts.isEmpty { writer.noteParts() }
    }
    let names = Set(parts.map(\.name))
    for source in ending {
      let whole = source.whole(at: {})
      // Where a store has one of the parts already, that is newer.
      parts += whole.parts.filter { !names.contains($0.name) }
      journalError = journalError ?? whole.errors.first
    }
    begin()
    guard let draft else { throw .changedElsewhere }
    do {
      // A part that cannot be encoded is stored as it was before the actions that the state would make superfluous.
      if let journalError { throw journalError }
      parts += try keptParts(besides: erased.union(parts.map(\.name))).parts
      let size = try draft.write(parts)
      for source in sources { source.didSave() }
      stored = Set(parts.map(\.name))
      ending = []
      writer.finish(draft, size: size, telling: problems)
    } catch {
      writer.abandon(draft)
      for source in sources { source.didFail(mayRetry: true) }
      throw StorageError(reading: error)
    }
    // All else is saved.
    for error in others + own.dropFirst() { problems.tell(error) }
    if let error = own.first { throw error }
  }

  /// The stored parts that are not among others, as they are in the files.
  ///
  /// - Damaged files are kept aside, and told: they are removed behind the next state.
  ///
  /// - Returns: The parts, and `true` if something is damaged.
  private func keptParts(besides names: Set<String>) throws -> (parts: [StoredPart], isDamaged: Bool) {
    let missing = stored.subtracting(names)
    guard !missing.isEmpty else { return ([], false) }
    let contents = try FolderContents(of: folder)
    let keptAside = KeptAside(folder: folder, durability: durability)
    for finding in contents.findings where finding.isDamage {
      if let file = finding.file { _ = try keptAside.keep(file: file) }
      problems.tell(.damaged(finding))
    }
    let isDamaged = contents.findings.contains(where: \.isDamage)
    return (contents.parts.filter { missing.contains($0.name) }, isDamaged)
  }

  /// Begins a snapshot of all entries so far, which is written beside the queue while entries are appended.
  ///
  /// - Parameters:
  ///   - source: The source whose actions are in the entries.
  ///   - draft: The state that was begun.
  ///   - encode: Encodes the parts of the source as they were then.
  func writeSnapshot(
    of source: any PartsSource,
    _ draft: FolderWriter.Draft,
    _ encode: @escaping @Sendable () throws -> [StoredPart]
  ) throws(StorageError) {
    do {
      // Of all others what is stored: what they have changed since is not in the entries so far, either.
      let (kept, isDamaged) = try keptParts(besides: source.names)
      guard isDamaged else { return snapshots.begin(draft, of: self) { try draft.write(try encode() + kept) } }
      // The stores have the parts that are damaged in the files.
      writer.requireState()
    } catch {
      writer.abandon(draft)
      throw StorageError(reading: error)
    }
    writer.abandon(draft)
    try writeState(for: source)
  }

  /// Writes a state in place of the entries that follow the last one. Does nothing if there are none.
  func snapshot() throws(StorageError) {
    snapshots.settle()
    if writer.needsState || writer.sizes.logCount > 0 { try writeState(for: nil) }
  }

  /// `true` if a snapshot may be begun.
  var mayBeginSnapshot: Bool { maySnapshot && !snapshots.isRunning }

  /// Removes everything that is stored. The parts of a source are saved again, all of them, once one has changed.
  func erase() throws(StorageError) {
    do {
      guard !isClosed else { throw StorageError.closed }
      if sources.isBehind { throw StorageError.changedElsewhere }
      snapshots.settle()
      if !writer.exists { beginWriting(try FolderContents(of: folder)) }
      // Nothing that others have put into the folder keeps the state there.
      if try folder.names().contains(LoadNote.name) { try folder.remove(LoadNote.name) }
      try writeNothing()
      try KeptAside(folder: folder, durability: durability).removeAll()
      try folder.sync(durability)
    } catch {
      let error = StorageError(reading: error)
      problems.tell(error)
      throw error
    }
  }

  /// Writes a state without parts. If that fails, the next save does it.
  private func writeNothing() throws {
    (stored, ending) = ([], [])
    // Before the state is begun: an action that is to be written ahead would wait for it, and this for the action.
    sources.noteErasure()
    guard let draft = writer.beginState(hasChanges: true, isEmpty: true) else {
      throw StorageError.changedElsewhere
    }
    let size: Int
    do {
      size = try draft.write([])
    } catch {
      writer.abandon(draft)
      throw error
    }
    // Older files hold the erased parts until they are removed: if that fails, so does the erasure.
    try writer.finish(draft, size: size)
  }
}
