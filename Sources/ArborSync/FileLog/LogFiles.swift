internal import ArborPersistence
internal import Foundation

/// The files of a log as one process knows them. Used on one queue; all functions but ``isKnown(to:)`` need the folder's lock.
///
/// - All actions that are read were synced: a process holds the lock until it has synced its own, and syncs the ones that a
///   killed process has left.
final class LogFiles {
  /// The number of bytes at which an answer is long enough, and no further file is read for it.
  private static let longestAnswer = 16 << 20

  let folder: any FileFolder
  let durability: Durability
  private let fullLength: Int

  /// The identity; nil before the log is made.
  private(set) var identity: (id: UUID, reducerVersion: Int)?
  var segments: [ActionSegment] = []

  /// The last number of each client.
  private(set) var numbers: [LogClient: Int] = [:]

  /// The position of the newest snapshot whose content matches its name.
  private(set) var snapshotPosition: Int?

  /// The positions in the names of snapshots that belong to another position or another log. They aren't used.
  private var foreignSnapshots: Set<Int> = []

  /// `true` if there are actions of a log whose identity is missing.
  private var hasOrphans = false

  /// The positions in the names of snapshots that cannot be read.
  private var unreadableSnapshots: Set<Int> = []

  /// The greatest end of a log that was read. A log never loses actions at its end.
  private var knownEnd: (log: UUID, position: Int)?

  /// - Parameter fullLength: The length of a file of actions at which another one is begun.
  init(_ folder: any FileFolder, _ durability: Durability, fullLength: Int) {
    self.folder = folder
    self.durability = durability
    self.fullLength = fullLength
  }

  /// The position of the last action.
  var end: Int { segments.last.map { $0.next - 1 } ?? 0 }

  /// The position up to which actions were removed.
  var compactedEnd: Int { segments.first.map { $0.first - 1 } ?? 0 }

  // MARK: Reading

  /// `true` if nothing has changed since the last reading, as far as that is visible without the lock.
  func isKnown(to names: Set<LogFileName>) throws(FileError) -> Bool {
    guard let last = segments.last, let identity else { return false }
    guard names.contains(.identity(identity.id, reducerVersion: identity.reducerVersion)) else { return false }
    let isFollowed = last.next != last.first && names.contains(.actions(first: last.next))
    guard names.contains(.actions(first: last.first)), !isFollowed else { return false }
    return try last.isRead
  }

  /// The names of all files of the log.
  func names() throws(FileError) -> Set<LogFileName> { Set(try folder.names().compactMap { LogFileName($0) }) }

  /// Reads what other processes have written since the last reading.
  func refresh() throws {
    try attempt { try readOn(try names()) }
  }

  private func readOn(_ names: Set<LogFileName>) throws {
    let identities = names.compactMap {
      if case .identity(let id, let version) = $0 { (id: id, reducerVersion: version) } else { nil }
    }
    guard identities.count <= 1 else { throw LogError.refused("the folder has the files of several logs") }
    if identities.first?.id != identity?.id {
      (segments, numbers, snapshotPosition, foreignSnapshots, unreadableSnapshots) = ([], [:], nil, [], [])
    }
    identity = identities.first
    let firsts = names.compactMap { if case .actions(let first) = $0 { first } else { nil } }.sorted()
    hasOrphans = identity == nil && !firsts.isEmpty
    guard identity != nil else { return }
    try findSnapshot(names)
    segments.removeAll { !firsts.contains($0.first) }
    if segments.isEmpty, let first = firsts.first { try begin(with: first) }
    var hasNewActions = false
    while let last = segments.indices.last {
      let records = try segments[last].readOn()
      for (_, record) in records { try note(record) }
      hasNewActions = hasNewActions || !records.isEmpty
      let next = segments[last].next
      guard next != segments[last].first, firsts.contains(next) else { break }
      guard let segment = try ActionSegment(opening: next, of: number, in: folder) else { break }
      segments.append(segment)
    }
    if let last = segments.last, try last.isDamaged {
      throw LogError.refused("\(LogFileName.actions(first: last.first).text) is damaged after position \(end)")
    }
    if let last = firsts.last, last > end + 1 {
      throw LogError.refused("\(LogFileName.actions(first: last).text) follows actions that are missing or damaged")
    }
    try requireEnd()
    // Their process may have been killed before it synced them. Actions that another file follows were synced.
    if hasNewActions { try segments.last?.file.sync(durability) }
  }

  /// Throws if actions at the end are missing, because their positions would be given to the next ones.
  private func requireEnd() throws(LogError) {
    guard let log = identity?.id else { return }
    let known = max(
      knownEnd?.log == log ? knownEnd?.position ?? 0 : 0, snapshotPosition ?? 0, unreadableSnapshots.max() ?? 0)
    guard end >= known else { throw .refused("the actions after position \(end) are missing, up to \(known)") }
    knownEnd = (log, end)
  }

  /// Begins to read with the first existing file.
  private func begin(with first: Int) throws {
    numbers = [:]
    if first > 1 {
      guard let snapshot = try snapshot(), snapshot.position >= first - 1 else {
        throw LogError.refused("the snapshot of the actions before position \(first) is missing")
      }
      numbers = snapshot.numbers
    }
    if let segment = try ActionSegment(opening: first, of: number, in: folder) { segments = [segment] }
  }

  private func note(_ record: ArraySlice<UInt8>) throws {
    guard let (client, number) = try? LoggedAction.sender(of: record) else {
      throw LogError.refused("an action has an unknown form")
    }
    numbers[client] = max(numbers[client] ?? 0, number)
  }

  /// Returns the actions after a position.
  func actions(behind position: Int, atMost count: Int) throws -> [LoggedAction] {
    guard position >= compactedEnd else { throw LogError.compacted(through: compactedEnd) }
    var actions: [LoggedAction] = []
    var length = 0
    for segment in segments where segment.next - 1 > position && actions.count < count {
      let records = try segment.records(from: max(position + 1, segment.first), atMost: count - actions.count)
      actions += try records.map { try LoggedAction(at: $0.position, readingFrom: $0.record) }
      length += records.reduce(0) { $0 + $1.record.count }
      // This file had enough actions, or some are missing.
      guard actions.last?.position == segment.next - 1, length < Self.longestAnswer else { break }
    }
    guard !actions.isEmpty || position >= end else {
      throw LogError.refused("the actions after position \(position) are missing or damaged, up to \(end)")
    }
    return actions
  }

  /// The newest snapshot that can be read.
  func snapshot() throws -> LogSnapshot? { try snapshotPosition.flatMap { try snapshot(named: $0) } }

  /// Finds the newest snapshot whose content matches its name. One that is already known isn't read again.
  private func findSnapshot(_ names: Set<LogFileName>) throws {
    let positions = names.compactMap { if case .snapshot(let position) = $0 { position } else { nil } }
    foreignSnapshots.formIntersection(positions)
    unreadableSnapshots.formIntersection(positions)
    for position in positions.sorted(by: >)
    where !foreignSnapshots.contains(position) && !unreadableSnapshots.contains(position) {
      if try position == snapshotPosition || snapshot(named: position) != nil {
        snapshotPosition = position
        return
      }
    }
    snapshotPosition = nil
  }

  /// Reads the snapshot in the file of a position; nil if there is none, or if it isn't the log's snapshot of that position.
  private func snapshot(named position: Int) throws -> LogSnapshot? {
    guard let bytes = try folder.open(LogFileName.snapshot(position).text)?.readAll() else { return nil }
    guard
      case .header(let header) = bytes.withUnsafeBytes({ FrameFileHeader.read(from: $0) }), header.kind == .state,
      let frame = FrameScan(of: bytes, header).frames.first, let snapshot = try? LogSnapshot(readingFrom: frame.payload)
    else {
      unreadableSnapshots.insert(position)
      return nil
    }
    guard snapshot.position == position, header.storage == number else {
      foreignSnapshots.insert(position)
      return nil
    }
    return snapshot
  }

  // MARK: Writing

  /// Makes the log.
  func make(reducerVersion: Int) throws {
    guard !hasOrphans else { throw LogError.refused("the folder has the actions of a log, but not its identity") }
    try attempt {
      let identity = (id: UUID(), reducerVersion: reducerVersion)
      _ = try folder.create(LogFileName.identity(identity.id, reducerVersion: reducerVersion).text)
      try folder.sync(durability)
      self.identity = identity
    }
  }

  /// Appends actions that follow the last one.
  func append(_ actions: [LoggedAction]) throws {
    guard let last = actions.last else { return }
    try attempt {
      if let index = segments.indices.last { try segments[index].removeTornEnd(durability) }
      if segments.last.map({ $0.end >= fullLength }) ?? true {
        try beginSegment()
      } else if let last = segments.last, last.next == last.first {
        // The process that made the file may have been killed before the file's name was durable.
        try folder.sync(durability)
      }
      try segments[segments.count - 1].append(actions.map(\.record), durability)
      numbers[last.client] = last.number
    }
  }

  /// The number in a file that identifies its log.
  private var number: UInt32 {
    var checksum = Checksum()
    if let identity { withUnsafeBytes(of: identity.id.uuid) { checksum.add($0) } }
    return checksum.value
  }

  private func newSalt() -> UInt64 { FrameFileHeader.salt(of: number, .random(in: .min ... .max)) }

  func beginSegment() throws(FileError) {
    let next = end + 1
    // An incomplete file may be left by a process that was killed while making it.
    try folder.remove(LogFileName.actions(first: next).text)
    segments.append(try ActionSegment(making: next, salt: newSalt(), in: folder, durability))
  }

  /// Saves a snapshot in place of an older one.
  func save(_ snapshot: LogSnapshot) throws {
    guard snapshot.position > snapshotPosition ?? -1 else { return }
    try attempt {
      let header = FrameFileHeader(.state, salt: newSalt())
      var bytes = header.bytes
      Frame(1, durableThrough: 0, snapshot.record[...]).write(to: &bytes, salt: header.salt)
      try folder.remove(LogFileName.unfinished.text)
      let name = LogFileName.snapshot(snapshot.position).text
      try folder.make(LogFileName.unfinished.text, bytes, durability, renamedTo: name)
      let older = snapshotPosition
      snapshotPosition = snapshot.position
      foreignSnapshots.remove(snapshot.position)
      unreadableSnapshots.remove(snapshot.position)
      if let older { try folder.remove(LogFileName.snapshot(older).text) }
    }
  }

  func attempt(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      // The files are read again the next time.
      (segments, numbers, identity) = ([], [:], nil)
      throw error
    }
  }
}

extension LogError {
  /// Makes the error of a failure in a folder.
  init(file error: any Error) {
    self =
      switch error {
      case let error as LogError: error
      case let error as FileError where error.reason == .missing || error.reason == .lockLost: .anotherLog(nil)
      case let error as FileError: .unreachable("\(error)")
      default: .refused("an action or a snapshot has an unknown form")
      }
  }
}
