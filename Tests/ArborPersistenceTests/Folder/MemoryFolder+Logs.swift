import ArborPersistence

extension MemoryFolder {
  /// Puts a log with some entries into the folder. Returns the offsets of their frames.
  ///
  /// - Parameters:
  ///   - first: The number of the first entry.
  ///   - durable: The number of the last durable entry, as stated by each entry.
  @discardableResult
  func put(as name: String, first: UInt64 = 1, durable: UInt64 = 0, _ entries: LogEntry...) throws -> [Int] {
    var bytes = FrameFileHeader(.log, salt: 7, first: first).bytes
    var offsets: [Int] = []
    for (index, entry) in entries.enumerated() {
      offsets.append(bytes.count)
      Frame(first + UInt64(index), durableThrough: durable, entry.bytes[...]).write(to: &bytes, salt: 7)
    }
    try create(name).append(bytes)
    return offsets
  }
}
