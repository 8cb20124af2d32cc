/// The writer of the files of a storage.
///
/// - It appends entries to a log, and now and then writes a state that makes the files before superfluous.
/// - **A failed operation on a log abandons it**: what the system has of it is not known, and to sync it again proves
///   nothing. From then on nothing is durable until a state was written.
package final class FolderWriter: @unchecked Sendable {  // One thread at a time uses it: a storage has a lock for it.
  private let folder: any FileFolder
  private let durability: Durability
  private let makeSalt: () -> UInt64

  /// The number of the storage, which all of its files have.
  private let storage: UInt32

  /// The number of the last entry.
  package private(set) var entry: UInt64

  /// The number of the last entry that was synced.
  private var syncedEntry: UInt64

  /// The number up to which all entries can be read again after a crash.
  package private(set) var durableEntry: UInt64

  /// `true` if the files do not hold what was appended last: a state must be written.
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

  /// The last log, also when it is not open any more, and its length as this writer has left it; nil if that is not known.
  var lastLog: (file: any FolderFile, number: UInt64, length: Int?)?

  /// The logs with entries that were not synced, but for the open one.
  private var unsynced: [(file: any FolderFile, number: UInt64)] = []

  /// `true` if the names of new files were not synced.
  private var hasNewNames = false

  private var files: KnownFiles

  /// The numbers that folders, links and devices have, which are left out.
  private let takenNumbers: Set<UInt64>
  private var lastNumber: UInt64

  /// The number of times that a state was required, by ``requireState()``.
  private var failures = 0

  /// The errors of the preparations, after which it works all the same.
  package private(set) var problems: [FileError] = []

  /// Makes a writer that goes on from what is in a folder.
  ///
  /// - Parameter makeSalt: Makes the salts of new files, and a number for a new storage, at random unless in a test.
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
      // Entries that were cut off without a sync may be there again after a crash, with the numbers of those to come.
      for name in contents.logs { try folder.open(name)?.sync(durability) }
      // The header of a log without a durable entry may be in the system's memory alone, and never leave it: see below.
      if let open = contents.openLog, contents.unsynced.isEmpty, contents.durableEntry >= open.header.first,
        let file = try folder.open(open.name.text)
      {
        let length = try file.length()
        openLog = (file, open.header, open.name.number, length)
        lastLog = (file, open.name.number, length)
      }
      // A process that has ended may have left files that a state has made superfluous.
      let superfluous = files.names.filter { $0.kind == .unfinished || $0.number < contents.stateNumber }
      try files.remove(superfluous.filter { name in !contents.findings.contains { $0.file == name.text } })
      try writeAgain(contents)
    } catch {
      problems.append(error)
      (needsState, durableEntry) = (true, 0)
    }
  }

  /// Writes entries again that were read, and of which nobody says that they are durable: a process that was killed may
  /// have left them in the system's memory alone, and after a sync that has failed they never leave it.
  private func writeAgain(_ contents: FolderContents) throws(FileError) {
    guard !contents.unsynced.isEmpty, !needsState else { return }
    (entry, syncedEntry, durableEntry) = (contents.durableEntry, contents.durableEntry, contents.durableEntry)
    try append(contents.unsynced.map { Array($0.record) })
    try sync()
  }

  // MARK: Logs

  /// Appends entries, which are not durable yet. Numbers them from the one behind ``entry`` on.
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

  /// Throws if one of some records is too long for a frame.
  private static func requireFrames(of records: [[UInt8]]) throws(FileError) {
    guard records.allSatisfy({ $0.count <= Frame.longest }) else { throw .tooLong }
  }

  /// Throws if there are no numbers for entries, which could not be read again.
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

  /// Returns `true` if nobody else has written into the folder.
  package func isAsLeft() throws(FileError) -> Bool {
    guard try files.isAll else { return false }
    guard let lastLog else { return true }
    return try lastLog.file.length() == lastLog.length
  }

  /// Notes that all entries so far are durable: at the end of a program, where no later entry will say so.
  package func noteEnd() throws(FileError) {
    let end = FileName(durableEntry, .end)
    guard durableEntry > 0, !files.ends.contains(end) else { return }
    _ = try folder.create(end.text)
    let older = files.ends
    files.append(end)
    try files.remove(older)
  }

  /// Makes durable what was appended. Afterwards ``durableEntry`` is the last entry, unless a state is missing.
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
      // The failed entries may be there in part; but without the lock none were appended, and others may have appended.
      let length = error.reason == .lockLost ? lastLog?.length : try? lastLog?.file.length()
      lastLog?.length = length
      openLog = nil
      unsynced = []
      requireState()
      throw error
    }
  }

  // MARK: States

  /// Says that the files do not hold what is to be continued: a state must be written.
  package func requireState() {
    needsState = true
    // A state that was begun before is not enough.
    failures += 1
  }

  /// Begins a state of all entries so far: those that are appended from now on follow it, in another log.
  ///
  /// - Parameter hasChanges: `true` if the state has changes in it that are no entry; it is an entry itself then.
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

  /// Gives up a state that could not be written.
  package func abandon(_ draft: Draft) {
    if draft.hasChanges { requireState() }
    files.noteRemains(of: draft)
  }

  /// Takes over a state that was written, and removes the files that it makes superfluous.
  ///
  /// - Throws: If one of them could not be removed. It is tried again with the next state.
  package func finish(_ draft: Draft, size: Int) throws(FileError) {
    guard draft.number > lastState else {
      // Another one was begun later and finished before.
      files.append(draft.name)
      return try files.remove([draft.name])
    }
    lastState = draft.number
    files.append(draft.name)
    stateSize = size
    syncedEntry = max(syncedEntry, draft.entry)
    // Entries that have failed since the draft was begun are not in this state.
    needsState = draft.failures != failures
    durableEntry = max(durableEntry, needsState ? draft.entry : syncedEntry)
    // Their entries are in the state, and what was removed cannot be synced.
    unsynced.removeAll { $0.number < draft.number }
    // Its file would take up space for as long as it is open.
    if let number = lastLog?.number, number < draft.number { lastLog = nil }
    logCount = files.names.count { $0.kind == .log && $0.number >= draft.number }
    logSize -= draft.logSize
    // A state that was begun before is finished later, if at all, and removes itself.
    try files.remove(before: draft.number)
  }

  private func newSalt() -> UInt64 { FrameFileHeader.salt(of: storage, makeSalt()) }

  private func newName(_ kind: FileName.Kind) -> FileName {
    repeat { lastNumber += 1 } while takenNumbers.contains(lastNumber)
    return FileName(lastNumber, kind)
  }
}
