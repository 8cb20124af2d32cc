/// The state and the entries in the files of a folder, as of the last moment that is intact.
///
/// - They consist of the newest state and the entries of the logs that follow it without a gap. A torn entry, and
///   everything after it, was never acknowledged. If a later entry states that it was, the files are damaged.
package struct FolderContents: Sendable {
  /// The number of the last entry.
  package private(set) var entry: UInt64 = 0

  /// The parts, without the changes that the ``actions`` have made.
  package private(set) var parts: [StoredPart] = []

  /// The names of parts that are damaged.
  package private(set) var damagedParts: [String] = []

  private var journaled = JournaledActions()

  /// The entries with actions, and the entries with the form of the actions.
  package var actions: [LogEntry] { journaled.entries }

  /// The numbers of the entries in ``actions``.
  var actionNumbers: [UInt64] { journaled.numbers }

  /// The names of the logs that were read, each with the number of its first entry.
  private var logBeginnings: [(entry: UInt64, name: String)] = []

  /// Returns the name of the log that contains an entry with actions.
  func log(of entry: UInt64) -> String { logBeginnings.last { $0.entry <= entry }?.name ?? "" }

  /// The differences between the files and what was written to them.
  package private(set) var findings: [FolderFinding] = []

  /// The size of the state and of the logs, in bytes.
  package private(set) var (stateSize, logSize) = (0, 0)

  /// `true` if a state was read.
  package var hasState: Bool { stateNumber > 0 }

  /// The names of the parts that the actions may have changed.
  package var journaledParts: Set<String> { journaled.parts }

  /// Returns `true` if damage may have destroyed a part that isn't in ``parts``.
  func mayHaveLost(_ part: String) -> Bool {
    findings.contains { $0.mayConcern(part) }
  }

  /// The names of the logs that follow the state.
  package var logs: [String] { files.filter { $0.kind == .log && $0.number > stateNumber }.map(\.text) }

  /// The number of the file with the state; 0 if there is none.
  private(set) var stateNumber: UInt64 = 0

  /// The number of the storage, from the state or the first log; nil if there is neither.
  private(set) var storage: UInt32?

  /// The names of the files of the storage.
  private(set) var files: [FileName] = []

  /// The names of storage files that folders, links or devices have, so that no file of that name can be created.
  private(set) var taken: Set<FileName> = []

  /// The files whose names contain the number of the last durable entry.
  private(set) var ends: [FileName] = []

  /// The number of the last entry that is durable according to a state or another entry.
  private(set) var durableEntry: UInt64 = 0

  /// The records of the entries after the last durable one.
  private(set) var unsynced: [(number: UInt64, record: ArraySlice<UInt8>)] = []

  /// The log to which entries can be appended; nil if no log ends with an intact entry.
  private(set) var openLog: (name: FileName, header: FrameFileHeader)?

  /// The error of a folder whose files were written by a newer version of the library.
  package struct NewerFormat: Error, Hashable, Sendable {
    package let file: String
    package let version: UInt32
  }

  /// Reads a folder, without writing to it.
  package init(of folder: any FileFolder) throws {
    let names = try FileName.all(in: folder)
    files = names.filter { $0.kind != .end }.sorted { $0.number < $1.number }
    ends = names.filter { $0.kind == .end }
    taken = Set(try folder.foreignNames().compactMap { FileName($0) })
    try readStates(in: folder)
    try readLogs(in: folder)
  }

  // MARK: States

  private mutating func readStates(in folder: any FileFolder) throws {
    var newest: (file: StateFile, name: FileName, size: Int, storage: UInt32)?
    var readable: [(name: FileName, storage: UInt32)] = []
    for name in files where name.kind == .state {
      guard let bytes = try folder.open(name.text)?.readAll() else { continue }
      guard let header = try Self.header(of: bytes, name, .state) else {
        findings.append(.damagedState(file: name.text, offset: 0, parts: nil))
        continue
      }
      guard let file = StateFile(readingFrom: bytes, header) else {
        // The first frame is the table of contents.
        findings.append(.damagedState(file: name.text, offset: FrameFileHeader.length, parts: nil))
        continue
      }
      readable.append((name, header.storage))
      // A state that was written after another one contains more.
      newest = (file, name, bytes.count, header.storage)
    }
    guard let newest else { return }
    if let offset = newest.file.damageOffset {
      findings.append(.damagedState(file: newest.name.text, offset: offset, parts: newest.file.damaged))
    }
    (entry, parts, damagedParts) = (newest.file.entry, newest.file.parts, newest.file.damaged)
    (stateNumber, stateSize, durableEntry) = (newest.name.number, newest.size, newest.file.entry)
    storage = newest.storage
    try findForeignFiles(among: readable, in: folder)
  }

  /// Finds the states of other storages. If there are any, it also finds the other storages' logs before the newest
  /// state.
  private mutating func findForeignFiles(
    among states: [(name: FileName, storage: UInt32)],
    in folder: any FileFolder
  ) throws {
    var foreign = states.filter { $0.storage != storage }.map(\.name)
    guard !foreign.isEmpty else { return }
    for name in files where name.kind == .log && name.number < stateNumber {
      let header = try folder.open(name.text).flatMap { try Self.header(of: $0.readAll(), name, .log) }
      if let header, header.storage != storage { foreign.append(name) }
    }
    findings += foreign.map { .foreignFile(file: $0.text) }
  }

  private static func header(
    of bytes: [UInt8],
    _ name: FileName,
    _ kind: FrameFileHeader.Kind
  ) throws(NewerFormat) -> FrameFileHeader? {
    switch bytes.withUnsafeBytes({ FrameFileHeader.read(from: $0) }) {
    case .header(let header): return header.kind == kind ? header : nil
    case .newerVersion(let version): throw NewerFormat(file: name.text, version: version)
    case .unreadable: return nil
    }
  }

  // MARK: Logs

  private mutating func readLogs(in folder: any FileFolder) throws {
    var durableThrough = ends.map(\.number).max() ?? 0
    var (torn, damage): ([FolderFinding], [FolderFinding]) = ([], [])
    // The logs that begin after a gap. They were abandoned if no entry in the gap was acknowledged.
    var unused: [String] = []
    // A log that was created before the state is superfluous or was abandoned.
    for name in files where name.kind == .log && name.number > stateNumber {
      guard let bytes = try folder.open(name.text)?.readAll() else { continue }
      openLog = nil
      guard let header = try Self.header(of: bytes, name, .log) else {
        // A disk writes a sector completely or not at all. But if the disk was full, a file may end anywhere.
        let beginning = bytes.prefix(FrameFileHeader.length)
        let isTorn = beginning.count < FrameFileHeader.length || beginning.allSatisfy { $0 == 0 }
        if isTorn { torn.append(.tornEnd(file: name.text, offset: 0)) }
        if !isTorn { damage.append(.damagedLog(file: name.text, offset: 0)) }
        continue
      }
      guard header.storage == storage ?? header.storage else {
        // Its numbers may fit, but its entries belong to another state.
        damage.append(.foreignFile(file: name.text))
        continue
      }
      storage = header.storage
      logSize += bytes.count
      let scan = FrameScan(of: bytes, header)
      durableThrough = max(durableThrough, scan.durableThrough)
      let before = entry
      logBeginnings.append((entry + 1, name.text))
      let end = apply(scan, header)
      if let first = scan.frames.first, first.number > entry { unused.append(name.text) }
      if entry > before { torn = [] }
      if end < scan.end, entry >= header.first - 1 {
        damage.append(.damagedLog(file: name.text, offset: end))
      } else if case .damage = scan.rest {
        damage.append(.damagedLog(file: name.text, offset: end))
      } else if scan.rest == .tornEnd {
        torn.append(.tornEnd(file: name.text, offset: end))
      } else if entry == header.first + UInt64(scan.frames.count) - 1 {
        openLog = (name, header)
      }
    }
    durableEntry = min(max(durableThrough, durableEntry), entry)
    unsynced.removeAll { $0.number <= durableEntry }
    guard durableThrough > entry || !damage.isEmpty else {
      findings += torn
      return
    }
    // A torn end contains acknowledged entries, or comes before a log that does, so it is damage, too.
    damage += torn.map { finding in
      if case .tornEnd(let file, let offset) = finding { .damagedLog(file: file, offset: offset) } else { finding }
    }
    damage += unused.map { .unusedLog(file: $0) }
    openLog = nil
    findings += damage.isEmpty ? [.missingEntries(after: entry)] : damage
  }

  /// Applies the entries that follow the last one, and returns the offset after the last readable one.
  private mutating func apply(_ scan: FrameScan, _ header: FrameFileHeader) -> Int {
    var end = FrameFileHeader.length
    for frame in scan.frames {
      if frame.number > entry {
        guard frame.number == entry + 1, frame.number < Frame.bound,
          let change = LogEntry(readingFrom: frame.payload), isApplicable(change)
        else { return end }
        apply(change)
        entry += 1
        if entry > scan.durableThrough { unsynced.append((entry, frame.payload)) }
      }
      end += Frame.headerLength + frame.payload.count
    }
    return end
  }

  /// Returns `false` if an entry has a difference from a value that is in no file, and wasn't lost by damage.
  private func isApplicable(_ change: LogEntry) -> Bool {
    guard case .parts(let changes) = change else { return true }
    return changes.indices.allSatisfy { index in
      guard case .difference(let name, _) = changes[index] else { return true }
      return parts.contains { $0.name == name } || damagedParts.contains(name)
        || changes[..<index].contains { $0.name == name }
    }
  }

  private mutating func apply(_ change: LogEntry) {
    guard case .parts(let changes) = change else {
      journaled.append(change, entry + 1)
      return
    }
    journaled.remove(replacedBy: changes)
    for change in changes {
      let index = parts.firstIndex { $0.name == change.name }
      switch (change, index) {
      case (.value(let part), let index?): parts[index] = part
      case (.value(let part), nil):
        parts.append(part)
        damagedParts.removeAll { $0 == part.name }
      case (.difference(_, let bytes), let index?): parts[index].differences.append(bytes)
      // The difference belongs to a lost part.
      case (.difference, nil): break
      }
    }
  }
}

extension FolderContents {
  /// Reads a folder whose owner may write a state and remove older files at the same time.
  package init(beside folder: any FileFolder) throws {
    while true {
      let before = try FileName.all(in: folder)
      let contents = try FolderContents(of: folder)
      // A file that was removed in the meantime may be missing in the result.
      if try Set(before).isSubset(of: Set(FileName.all(in: folder))) {
        self = contents
        return
      }
    }
  }
}
