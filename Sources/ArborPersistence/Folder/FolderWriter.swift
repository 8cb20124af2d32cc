/// The writer of the files of a storage.
///
/// - It appends entries to a log. From time to time it writes a state that makes the older files superfluous.
/// - **A failed operation on a log abandons the log**: it isn't known which bytes the system has, and another sync
///   proves nothing. From then on, nothing is durable until a state was written.
package final class FolderWriter: @unchecked Sendable {  // One thread at a time uses it: a storage has a lock for it.
  private let folder: any FileFolder
  private let durability: Durability
  private let makeSalt: () -> UInt64

  /// The number of the storage, which is stored in all of its files.
  private let storage: UInt32

  /// The number of the last entry.
  package private(set) var entry: UInt64

  /// The number of the last entry that was synced.
  private var syncedEntry: UInt64

  /// The number of the last entry that can be read again after a crash.
  package private(set) var durableEntry: UInt64

  /// `true` if the files don't contain the last entries, so that a state must be written.
  package private(set) var needsState: Bool

  /// The sizes of the last state, and of the logs that follow it, in bytes.
  package private(set) var (stateSize, logSize): (Int, Int)

  /// The number of the log to which entries are appended; nil if the next entry begins one.
  package var log: UInt64? { openLog?.number }

  /// The number of the file of the last state.
  private var lastState: UInt64 = 0

  /// The number of logs that follow the last state.
  package private(set) var logCount: Int

  /// The log to which entries are appended, and its length; nil if the next entry begins one.
  private var openLog: (file: any FolderFile, header: FrameFileHeader, number: UInt64, length: Int)?

  /// The last log, even if it isn't open anymore, and its length as this writer left it; nil if the length isn't known.
  var lastLog: (file: any FolderFile, number: UInt64, length: Int?)?

  /// The logs with entries that weren't synced, except for the open one.
  private var unsynced: [(file: any FolderFile, number: UInt64)] = []

  /// `true` if the names of new files weren't synced.
  private var hasNewNames = false

  private var files: KnownFiles

  /// The numbers that can't be used, because folders, links or devices have them.
  private let takenNumbers: Set<UInt64>
  private var lastNumber: UInt64

  /// The number of calls of ``requireState()``.
  private var failures = 0

  /// The errors that occurred while the writer was prepared. It works despite these.
  package private(set) var problems: [FileError] = []

  /// Makes a writer that continues from the contents of a folder.
  ///
  /// - Parameter makeSalt: Returns the salt of a new file, and the number of a new storage. Random, except in tests.
  package init(
    _ folder: any FileFolder,
    goingOnFrom contents: FolderContents,
    durability: Durability,
    makeSalt: @escaping () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    self.folder = folder
    self.durability = durability
    self.makeSalt = makeSalt
    storage = contents.storage ?? UInt32(makeSalt() >> 32)
    files = KnownFiles(in: folder, of: contents)
    takenNumbers = Set(contents.taken.map(\.number))
    lastNumber = contents.files.last?.number ?? 0
    (entry, syncedEntry, durableEntry) = (contents.entry, contents.entry, contents.entry)
    (stateSize, logSize) = (contents.stateSize, contents.logSize)
    logCount = contents.files.count { $0.kind == .log }
    needsState = contents.findings.contains { $0.isDamage }
    do throws(FileError) {
      if !files.names.isEmpty { try folder.sync(durability) }
      // Without a sync, cut-off entries may reappear after a crash, with the same numbers as entries to come.
      for name in contents.logs { try folder.open(name)?.sync(durability) }
      // The header of a log without a durable entry may only be in the system's memory, and never reach the disk: see
      // below.
      if let open = contents.openLog, contents.unsynced.isEmpty, contents.durableEntry >= open.header.first,
        let file = try folder.open(open.name.text)
      {
        let length = try file.length()
        openLog = (file, open.header, open.name.number, length)
        lastLog = (file, open.name.number, length)
      }
      // A process that has ended may have left files that a state made superfluous.
      let superfluous = files.names.filter { $0.kind == .unfinished || $0.number < contents.stateNumber }
      try files.remove(superfluous.filter { name in !contents.findings.contains { $0.file == name.text } })
      try writeAgain(contents)
    } catch {
      problems.append(error)
      (needsState, durableEntry) = (true, 0)
    }
  }

  /// Writes entries again that may not be durable. A killed process may have left them only in the system's memory, and
  /// after a failed sync they never reach the disk.
  private func writeAgain(_ contents: FolderContents) throws(FileError) {
    guard !contents.unsynced.isEmpty, !needsState else { return }
    (entry, syncedEntry, durableEntry) = (contents.durableEntry, contents.durableEntry, contents.durableEntry)
    try append(contents.unsynced.map { Array($0.record) })
    try sync()
  }

  // MARK: Logs

  /// Appends entries, which aren't durable yet. They are numbered from ``entry`` plus one.
  package func append(_ records: [[UInt8]]) throws(FileError) {
    try FolderWriter.requireFrames(of: records)
    try requireNumbers(for: records)
    var log = try logToAppend()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.reduce(0) { $0 + $1.count + Frame.headerLength })
    for record in records {
      entry += 1
      Frame(entry, durableThrough: durableEntry, record[...]).write(to: &bytes, salt: log.header.salt)
    }
    try attempt { () throws(FileError) in try log.file.append(bytes, behind: log.length) }
    log.length += bytes.count
    logSize += bytes.count
    openLog = log
    lastLog?.length = log.length
  }

  /// Throws if a record is too long for a frame.
  private static func requireFrames(of records: [[UInt8]]) throws(FileError) {
    guard records.allSatisfy({ $0.count <= Frame.longest }) else { throw .tooLong }
  }

  /// Throws if no numbers are left for the entries, because these couldn't be read again.
  private func requireNumbers(for records: [[UInt8]]) throws(FileError) {
    let name = FileName(log ?? lastNumber + 1, .log)
    guard entry + UInt64(records.count) < Frame.bound else { throw .numberTooGreat(.write, folder.path(of: name.text)) }
  }

  private func logToAppend() throws(FileError) -> (
    file: any FolderFile, header: FrameFileHeader, number: UInt64, length: Int
  ) {
    if let openLog { return openLog }
    let header = FrameFileHeader(.log, salt: newSalt(), first: entry + 1)
    let name = newName(.log)
    var file: (any FolderFile)!
    try attempt { () throws(FileError) in
      try name.requireBound(in: folder)
      file = try folder.create(name.text)
      files.append(name)
      lastLog = (file, name.number, FrameFileHeader.length)
      try file.append(header.bytes, behind: 0)
    }
    hasNewNames = true
    logCount += 1
    logSize += FrameFileHeader.length
    let log = (file: file!, header: header, number: name.number, length: FrameFileHeader.length)
    openLog = log
    return log
  }

  /// Returns `true` if the folder is unchanged since this writer's last operation.
  package func isAsLeft() throws(FileError) -> Bool {
    guard try files.isAll else { return false }
    guard let lastLog else { return true }
    return try lastLog.file.length() == lastLog.length
  }

  /// Records that all entries so far are durable, at the end of a program, when no later entry can state that.
  package func noteEnd() throws(FileError) {
    let end = FileName(durableEntry, .end)
    guard durableEntry > 0, !files.ends.contains(end) else { return }
    _ = try folder.create(end.text)
    let older = files.ends
    files.append(end)
    try files.remove(older)
  }

  /// Makes the appended entries durable. Afterward, ``durableEntry`` is the last entry, unless a state must be written.
  package func sync() throws(FileError) {
    guard syncedEntry < entry || hasNewNames || !unsynced.isEmpty else { return }
    try attempt { () throws(FileError) in
      for log in unsynced { try log.file.sync(durability) }
      unsynced = []
      try openLog?.file.sync(durability)
      if hasNewNames { try folder.sync(durability) }
      hasNewNames = false
    }
    syncedEntry = entry
    if !needsState { durableEntry = syncedEntry }
  }

  private func attempt(_ body: () throws(FileError) -> Void) throws(FileError) {
    do throws(FileError) {
      try body()
    } catch {
      // Parts of the failed entries may be in the file. But without the lock none were appended, and others may have
      // appended.
      let length = error.reason == .lockLost ? lastLog?.length : try? lastLog?.file.length()
      lastLog?.length = length
      openLog = nil
      unsynced = []
      requireState()
      throw error
    }
  }

  // MARK: States

  /// Records that the files lack entries that were to follow, so that a state must be written.
  package func requireState() {
    needsState = true
    // A state that was begun earlier isn't sufficient.
    failures += 1
  }

  /// Begins a state of all entries so far. Entries appended from now on follow the state, in another log.
  ///
  /// - Parameter hasChanges: `true` if the state contains changes that aren't in an entry. The state then is an entry
  ///   itself.
  package func beginState(hasChanges: Bool) -> Draft {
    if hasChanges { entry += 1 }
    if let openLog {
      if syncedEntry < entry { unsynced.append((openLog.file, openLog.number)) }
      self.openLog = nil
    }
    return Draft(
      in: folder,
      durability,
      number: newName(.state).number,
      salt: newSalt(),
      entry: entry,
      hasChanges: hasChanges,
      logSize: logSize,
      failures: failures
    )
  }

  /// Abandons a state that couldn't be written.
  package func abandon(_ draft: Draft) {
    if draft.hasChanges { requireState() }
    files.noteRemains(of: draft)
  }

  /// Completes a state that was written, and removes the files that it makes superfluous.
  ///
  /// - Throws: The error of a file that couldn't be removed. Its removal is tried again with the next state.
  package func finish(_ draft: Draft, size: Int) throws(FileError) {
    guard draft.number > lastState else {
      // Another state was begun later and finished earlier.
      files.append(draft.name)
      return try files.remove([draft.name])
    }
    lastState = draft.number
    files.append(draft.name)
    stateSize = size
    syncedEntry = max(syncedEntry, draft.entry)
    // Entries that have failed since the draft was begun aren't in this state.
    needsState = draft.failures != failures
    durableEntry = max(durableEntry, needsState ? draft.entry : syncedEntry)
    // Their entries are in the state, and removed files can't be synced.
    unsynced.removeAll { $0.number < draft.number }
    // An open file would keep using disk space.
    if let number = lastLog?.number, number < draft.number { lastLog = nil }
    logCount = files.names.count { $0.kind == .log && $0.number >= draft.number }
    logSize -= draft.logSize
    // A state that was begun earlier finishes later, if at all, and removes itself.
    try files.remove(before: draft.number)
  }

  private func newSalt() -> UInt64 { FrameFileHeader.salt(of: storage, makeSalt()) }

  private func newName(_ kind: FileName.Kind) -> FileName {
    repeat { lastNumber += 1 } while takenNumbers.contains(lastNumber)
    return FileName(lastNumber, kind)
  }
}
