internal import Arbor

/// States, each with all parts at one moment, which replace the previous files.
extension StorageCore {
  /// Writes a state that replaces the previous files, with the current parts of all sources and the other stored parts.
  ///
  /// - Parameter asking: The source whose parts must be saved. If a part of another source can't be encoded, that is
  ///   only reported.
  func writeState(for asking: (any PartsSource)?) throws(StorageError) {
    var draft: FolderWriter.Draft?
    let begin = { if draft == nil { draft = self.writer.beginState(hasChanges: true) } }
    var parts: [StoredPart] = []
    var (own, others): ([StorageError], [StorageError]) = ([], [])
    var erased: Set<String> = []
    var journalError: StorageError?
    let sources = sources.saved
    // The journaled sources come last: the state contains the actions that were reduced before it is begun. For the
    // other sources that moment doesn't matter, because only this queue writes their changes.
    for source in sources.filter({ !$0.isJournaled }) + sources.filter(\.isJournaled) {
      let whole = source.whole(at: source.isJournaled ? begin : {})
      parts += whole.parts
      if source === asking { own += whole.errors } else { others += whole.errors }
      // If an erasure has failed, erased parts may still be in the files. They aren't kept.
      if whole.parts.isEmpty, whole.errors.isEmpty { erased.formUnion(source.names) }
      guard source.isJournaled else { continue }
      journalError = journalError ?? whole.errors.first
      if !whole.parts.isEmpty { writer.noteParts() }
    }
    let names = Set(parts.map(\.name))
    for source in ending {
      let whole = source.whole(at: {})
      // If a store already has one of the parts, that part is newer.
      parts += whole.parts.filter { !names.contains($0.name) }
      journalError = journalError ?? whole.errors.first
    }
    begin()
    guard let draft else { throw .changedElsewhere }
    do {
      // If a part can't be encoded, its stored value is older than the actions, which the state would make superfluous.
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
    // Everything else is saved.
    for error in others + own.dropFirst() { problems.tell(error) }
    if let error = own.first { throw error }
  }

  /// Returns the stored parts other than some, as they are in the files.
  ///
  /// - Damaged files are kept aside and reported, because they are removed after the next state.
  /// - Returns: The parts, and `true` if there is damage.
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

  /// Begins a snapshot of all entries so far, which is written outside the queue while entries are appended.
  ///
  /// - Parameters:
  ///   - source: The source whose actions are in the entries.
  ///   - draft: The state that was begun.
  ///   - encode: Encodes the parts of the source as they were when the state was begun.
  func writeSnapshot(
    of source: any PartsSource,
    _ draft: FolderWriter.Draft,
    _ encode: @escaping @Sendable () throws -> [StoredPart]
  ) throws(StorageError) {
    do {
      // The other parts are copied from the files, because their later changes aren't in the entries so far, either.
      let (kept, isDamaged) = try keptParts(besides: source.names)
      guard isDamaged else { return snapshots.begin(draft, of: self) { try draft.write(try encode() + kept) } }
      // The stores still have the parts that are damaged in the files.
      writer.requireState()
    } catch {
      writer.abandon(draft)
      throw StorageError(reading: error)
    }
    writer.abandon(draft)
    try writeState(for: source)
  }

  /// Writes a state that replaces the entries after the last state. Does nothing if there are none.
  func snapshot() throws(StorageError) {
    snapshots.settle()
    if writer.needsState || writer.sizes.logCount > 0 { try writeState(for: nil) }
  }

  /// `true` if a snapshot may be begun.
  var mayBeginSnapshot: Bool { maySnapshot && !snapshots.isRunning }

  /// Removes everything that is stored. Once a part of a source has changed, all of its parts are saved again.
  func erase() throws(StorageError) {
    do {
      guard !isClosed else { throw StorageError.closed }
      if sources.isBehind { throw StorageError.changedElsewhere }
      snapshots.settle()
      if !writer.exists { beginWriting(try FolderContents(of: folder)) }
      // Only a file is removed: if others have put a folder of this name here, it must not make the erasure fail.
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
    // Called before the state is begun. Otherwise, an action to be written ahead would wait for the state, and this for
    // the action.
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
    // Older files contain the erased parts until they are removed. If their removal fails, the erasure fails.
    try writer.finish(draft, size: size)
  }
}
