internal import ArborPersistence
internal import Foundation

/// The files that pass messages to other processes. Used on one queue.
///
/// - They aren't synced, and earlier messages aren't read: a message may be lost, and arrives at most once.
final class MessageFiles {
  /// The length from which on another file is begun.
  private static let fullLength = 1 << 18

  private let folder: any FileFolder

  /// The file that is being read; nil before the first reading.
  private var current: (number: Int, file: any FolderFile, header: FrameFileHeader)?
  private var (offset, next) = (FrameFileHeader.length, UInt64(1))
  private var hasLooked = false

  init(_ folder: any FileFolder) {
    self.folder = folder
  }

  /// Reads the messages since the last reading. The first reading returns none.
  func readOn(_ names: Set<LogFileName>) throws(FileError) -> [Data] {
    var messages: [Data] = []
    let numbers = names.compactMap { if case .messages(let number) = $0 { number } else { nil } }.sorted()
    for number in numbers where number >= current?.number ?? 0 {
      if number != current?.number, !(try open(number)) { continue }
      messages += try readCurrent()
    }
    defer { hasLooked = true }
    return hasLooked ? messages : []
  }

  private func open(_ number: Int) throws(FileError) -> Bool {
    guard let file = try folder.open(LogFileName.messages(number).text) else { return false }
    let bytes = try file.read(at: 0, count: FrameFileHeader.length)
    guard case .header(let header) = bytes.withUnsafeBytes({ FrameFileHeader.read(from: $0) }) else { return false }
    (current, offset, next) = ((number, file, header), FrameFileHeader.length, 1)
    return true
  }

  private func readCurrent() throws(FileError) -> [Data] {
    guard let (_, file, header) = current else { return [] }
    let bytes = try file.read(at: offset, count: max(try file.length() - offset, 0))
    var messages: [Data] = []
    bytes.withUnsafeBytes { buffer in
      var place = 0
      while let frame = Frame(at: place, of: bytes, buffer, salt: header.salt), frame.number == next {
        messages.append(Data(frame.payload))
        place = frame.payload.endIndex
        next += 1
      }
      offset += place
    }
    return messages
  }

  /// Sends a message. Needs the folder's lock.
  ///
  /// - Returns: The messages that others have sent since the last reading.
  func send(_ message: Data, _ names: Set<LogFileName>) throws(FileError) -> [Data] {
    let before = try readOn(names)
    // A file also ends with an incomplete message that a killed process has left.
    if try current?.file.length() != offset || offset > Self.fullLength { try begin(names) }
    guard let (_, file, header) = current else { return before }
    var bytes: [UInt8] = []
    Frame(next, durableThrough: 0, Array(message)[...]).write(to: &bytes, salt: header.salt)
    try file.append(bytes)
    (offset, next) = (offset + bytes.count, next + 1)
    return before
  }

  /// Begins another file.
  private func begin(_ names: Set<LogFileName>) throws(FileError) {
    let numbers = names.compactMap { if case .messages(let number) = $0 { number } else { nil } }
    let number = (numbers.max() ?? 0) + 1
    let header = FrameFileHeader(.log, salt: .random(in: .min ... .max))
    let file = try folder.create(LogFileName.messages(number).text)
    try file.append(header.bytes)
    (current, offset, next) = ((number, file, header), FrameFileHeader.length, 1)
    // The last file stays for readers that haven't reached its end. Older files are removed: a message may be lost.
    for old in numbers where old < number - 1 { try folder.remove(LogFileName.messages(old).text) }
  }
}
