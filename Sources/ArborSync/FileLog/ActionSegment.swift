internal import ArborPersistence

/// A file with the actions that start at a position, each in a frame whose number is its position.
///
/// - It keeps the offset of each frame at a multiple of ``stride``, so reading can start at any position.
struct ActionSegment {
  /// The number of positions between known offsets.
  private static let stride = 256

  /// The number of bytes that are read at once.
  private static let readLength = 1 << 18

  let first: Int
  let file: any FolderFile
  private let header: FrameFileHeader

  /// The position after the last action, and the offset there.
  private(set) var next: Int
  private(set) var end = FrameFileHeader.length

  /// The length of the file at the last read. Bytes after ``end`` are the rest of an append whose process was killed.
  private(set) var length = FrameFileHeader.length
  private var offsets: [Int] = []

  /// Makes the file. If that fails, the file is removed as far as possible.
  ///
  /// - Parameter salt: The salt of the file, which contains the number of the log.
  init(making first: Int, salt: UInt64, in folder: any FileFolder, _ durability: Durability) throws(FileError) {
    header = FrameFileHeader(.log, salt: salt, first: UInt64(first))
    (self.first, next) = (first, first)
    file = try folder.make(LogFileName.actions(first: first).text, header.bytes, durability)
  }

  /// Opens the file. Returns nil if there is none, or if its header is incomplete because a process was killed while making it.
  ///
  /// - Parameter log: The number of the log to which the file belongs.
  /// - Throws: ``LogError/refused(_:)`` if the header of a longer file is damaged, or if the file belongs to another log, or if
  ///   it doesn't start with the position in its name.
  init?(opening first: Int, of log: UInt32, in folder: any FileFolder) throws {
    let name = LogFileName.actions(first: first).text
    guard let file = try folder.open(name) else { return nil }
    let bytes = try file.read(at: 0, count: FrameFileHeader.length)
    guard
      case .header(let header) = bytes.withUnsafeBytes({ FrameFileHeader.read(from: $0) }),
      header.kind == .log
    else {
      guard try file.length() > FrameFileHeader.length else { return nil }
      throw LogError.refused("the beginning of \(name) is damaged")
    }
    guard header.storage == log else { throw LogError.refused("\(name) is a file of another log") }
    guard header.first == UInt64(first) else {
      throw LogError.refused("\(name) begins with position \(header.first): it was renamed")
    }
    (self.first, self.file, self.header, next) = (first, file, header, first)
  }

  /// `true` if everything in the file was read.
  var isRead: Bool { get throws(FileError) { try file.length() == length } }

  /// Reads the records that were appended since the last read.
  ///
  /// - Returns: The records, each with its position.
  mutating func readOn() throws -> [(position: Int, record: ArraySlice<UInt8>)] {
    length = try file.length()
    guard length >= end else {
      throw LogError.refused("\(LogFileName.actions(first: first).text) has \(length) bytes, but had \(end)")
    }
    var records: [(position: Int, record: ArraySlice<UInt8>)] = []
    for (frame, offset) in frames(in: try file.read(at: end, count: length - end), from: next) {
      if next.isMultiple(of: Self.stride) || next == first { offsets.append(end + offset) }
      records.append((next, frame.payload))
      next += 1
    }
    if let last = records.last { end += last.record.endIndex }
    return records
  }

  /// Reads records from a position in the file, until there are enough or the file ends.
  func records(from position: Int, atMost count: Int) throws(FileError) -> [(position: Int, record: ArraySlice<UInt8>)]
  {
    // The first offset belongs to the first position, and the others belong to the multiples that follow it.
    let index = min(position / Self.stride - first / Self.stride, offsets.count - 1)
    var offset = index > 0 ? offsets[index] : FrameFileHeader.length
    var number = index > 0 ? (first / Self.stride + index) * Self.stride : first
    var records: [(position: Int, record: ArraySlice<UInt8>)] = []
    var readLength = Self.readLength
    while records.count < count, offset < end {
      let bytes = try file.read(at: offset, count: min(readLength, end - offset))
      let frames = frames(in: bytes, from: number)
      // A frame may be longer than the bytes that are read at once.
      guard let last = frames.last else {
        guard readLength < end - offset else { break }
        readLength *= 2
        continue
      }
      for (frame, _) in frames where frame.number >= UInt64(position) && records.count < count {
        records.append((Int(frame.number), frame.payload))
      }
      number += frames.count
      offset += last.frame.payload.endIndex
    }
    return records
  }

  /// Returns the complete frames at the beginning of the bytes, numbered from `first`, each with its offset.
  private func frames(in bytes: [UInt8], from first: Int) -> [(frame: Frame, offset: Int)] {
    var frames: [(frame: Frame, offset: Int)] = []
    bytes.withUnsafeBytes { buffer in
      var (offset, number) = (0, UInt64(first))
      while let frame = Frame(at: offset, of: bytes, buffer, salt: header.salt), frame.number == number {
        frames.append((frame, offset))
        offset = frame.payload.endIndex
        number += 1
      }
    }
    return frames
  }

  /// Appends records, and makes them durable. If that fails, they are removed from the file as far as possible.
  mutating func append(_ records: [[UInt8]], _ durability: Durability) throws(FileError) {
    var bytes: [UInt8] = []
    var newOffsets: [Int] = []
    for (index, record) in records.enumerated() {
      let position = next + index
      if position.isMultiple(of: Self.stride) || position == first { newOffsets.append(end + bytes.count) }
      Frame(UInt64(position), durableThrough: UInt64(next - 1), record[...]).write(to: &bytes, salt: header.salt)
    }
    do throws(FileError) {
      try file.append(bytes)
      try file.sync(durability)
    } catch {
      // After a failed sync, other processes would read bytes that may never reach the disk.
      try? file.truncate(to: end)
      throw error
    }
    next += records.count
    end += bytes.count
    length = end
    offsets += newOffsets
  }

  /// `true` if the bytes after the last action are damage, because they state that more actions were durable. Needs the lock.
  var isDamaged: Bool {
    get throws(FileError) {
      guard length > end, case .damage = FrameScan(of: try file.readAll(), header).rest else { return false }
      return true
    }
  }

  /// Removes the bytes after the last action that a process left when it was killed while writing.
  mutating func removeTornEnd(_ durability: Durability) throws(FileError) {
    guard length > end else { return }
    try file.truncate(to: end)
    try file.sync(durability)
    length = end
  }
}
