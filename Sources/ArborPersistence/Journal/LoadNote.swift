/// A record of a load's progress. If the process ends during the load, the next one reads here at which step or part it
/// was.
///
/// - It is a file in the storage's folder. Each record is two numbers: the first and the last place that the load has
///   begun. A process that ended without removing the file was within the last record.
/// - The records needn't be durable, because a power failure isn't the fault of a step. The removal must be durable. If
///   the file came back after a power failure, a load that succeeded would look like one that ended the process.
/// - **Two ends.** A place is skipped once two processes have ended there with a record of only that place. A single
///   end proves nothing, because the user may have killed the process. The steps of a long journal are recorded in
///   blocks, which limits the number of records. If a process ends in a block, the next load records its steps one by
///   one.
/// - Used on the storage's queue. If the file can't be written, loading continues without it.
final class LoadNote {
  /// The name of the file.
  static let name = "loading"

  /// The intended number of records for the steps of a long journal.
  private static let mostNotes = 100

  /// The number of steps that are recorded together.
  private var block: UInt64 = 1

  /// The record of a load that is doing no work that can be skipped.
  private static let rest: ClosedRange<UInt64> = 0...0

  private let folder: any FileFolder
  private let durability: Durability
  private var file: (any FolderFile)?

  /// The first record of a process that has found records of others.
  private static let beginning: ClosedRange<UInt64> = 0...UInt64.max

  /// The places at which processes have ended.
  private let ends: [ClosedRange<UInt64>]

  /// The places that were recorded last.
  private var noted = rest

  /// `true` if a place was skipped.
  private(set) var hasSkipped = false

  /// The error that prevents further records; nil if there is none.
  private(set) var problem: FileError?

  init(in folder: any FileFolder, durability: Durability) {
    self.folder = folder
    self.durability = durability
    var bytes: [UInt8] = []
    do throws(FileError) {
      if let file = try folder.open(Self.name) {
        bytes = try file.readAll()
        try file.truncate(to: bytes.count / 16 * 16)
        self.file = file
      }
    } catch {
      problem = error
    }
    ends = Self.ends(in: bytes)
    guard file != nil else { return }
    // This separates this process's records from the last process's.
    note(Self.beginning)
    noted = Self.rest
  }

  /// Returns `true` if two processes have ended at a place.
  func skips(_ place: UInt64) -> Bool {
    guard !ends.isEmpty, ends.count(where: { $0 == place...place }) > 1 else { return false }
    hasSkipped = true
    return true
  }

  /// Prepares for the steps of a journal.
  func begin(steps count: Int) {
    block = UInt64(max(count / Self.mostNotes, 1))
  }

  /// Records the beginning of a step of the journal.
  func begin(step number: UInt64) {
    let isDoubtful = !ends.isEmpty && ends.contains { $0.contains(number) }
    guard isDoubtful || !noted.contains(number) else { return }
    note(isDoubtful ? number...number : number...(number + block - 1))
  }

  /// Records the beginning of a part.
  func begin(part place: UInt64) {
    note(place...place)
  }

  /// Records that the load is doing no work that can be skipped.
  func pause() {
    if noted != Self.rest { note(Self.rest) }
  }

  /// Ends the record of a load.
  ///
  /// - Parameter isKept: `true` if the next load must know the places at which processes have ended.
  func end(isKept: Bool) {
    if isKept, !ends.isEmpty { return pause() }
    guard file != nil else { return }
    file = nil
    do throws(FileError) {
      try folder.remove(Self.name)
      try folder.sync(durability)
    } catch {
      problem = error
    }
  }

  private func note(_ places: ClosedRange<UInt64>) {
    noted = places
    guard problem == nil else { return }
    do throws(FileError) {
      if file == nil { file = try folder.create(Self.name) }
      var bytes: [UInt8] = []
      for number in [places.lowerBound, places.upperBound] {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
      }
      try file?.append(bytes)
    } catch {
      problem = error
    }
  }

  /// Returns the places at which processes have ended, according to their records.
  private static func ends(in bytes: [UInt8]) -> [ClosedRange<UInt64>] {
    var ends: [ClosedRange<UInt64>] = []
    var last = rest
    func number(at offset: Int) -> UInt64 {
      bytes[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    // A torn record isn't a beginning.
    for offset in stride(from: 0, through: bytes.count - 16, by: 16) {
      let (first, through) = (number(at: offset), number(at: offset + 8))
      guard first <= through else { break }
      if first...through == beginning {
        if last != rest { ends.append(last) }
        last = rest
      } else {
        last = first...through
      }
    }
    if last != rest { ends.append(last) }
    return ends
  }
}

extension LoadNote {
  /// Returns the place of a part. It follows the places of all steps, and differs if the part's bytes differ.
  static func place(of part: StoredPart) -> UInt64 {
    let name = Checksum(of: part.name)
    var content = Checksum()
    for bytes in [part.bytes] + part.differences {
      // For large values, the beginning and the end suffice to detect a different value.
      Array(bytes.prefix(4096)).withUnsafeBytes { content.add($0) }
      Array(bytes.suffix(4096)).withUnsafeBytes { content.add($0) }
    }
    return Frame.bound | UInt64(name.value & 0x3FFF_FFFF) << 32 | UInt64(content.value)
  }
}
