/// A file with all parts of a state at one moment. It is written once, and never changed.
///
/// - It is a file of frames: a table of contents, each part, and the table of contents again. The table has the number
///   of the last entry in the state, and the names of the parts.
/// - If a part is damaged, only that part is lost.
package struct StateFile: Sendable {
  /// The number of the last entry that the state contains.
  package var entry: UInt64

  /// The parts, except for damaged ones.
  package var parts: [StoredPart]

  /// The names of damaged parts.
  package var damaged: [String] = []

  /// The offset of the first frame that differs from what was written; nil if the file is intact and has no more bytes.
  package private(set) var damageOffset: Int?

  private static let partMark: UInt8 = 1
  private static let contentsMark: UInt8 = 2

  package init(entry: UInt64, parts: [StoredPart]) {
    self.entry = entry
    self.parts = parts
  }

  /// The bytes of the file.
  package func bytes(salt: UInt64) -> [UInt8] {
    var contents = [Self.contentsMark]
    contents.append(number: entry)
    contents.append(number: UInt64(parts.count))
    for part in parts { contents.append(text: part.name) }
    var bytes = FrameFileHeader(.state, salt: salt).bytes
    bytes.reserveCapacity(parts.reduce(1_000) { $0 + $1.size + 200 })
    Frame(1, durableThrough: 0, contents[...]).write(to: &bytes, salt: salt)
    for (index, part) in parts.enumerated() {
      var record = [Self.partMark]
      record.reserveCapacity(part.size + 100)
      record.append(part)
      Frame(UInt64(index) + 2, durableThrough: 0, record[...]).write(to: &bytes, salt: salt)
    }
    Frame(UInt64(parts.count) + 2, durableThrough: 0, contents[...]).write(to: &bytes, salt: salt)
    return bytes
  }

  /// Reads the state in a file; nil if neither table of contents is intact.
  package init?(readingFrom bytes: [UInt8], _ header: FrameFileHeader) {
    var frames: [UInt64: ArraySlice<UInt8>] = [:]
    // The next number, and the offset after the frames that follow each other from the first one on.
    var (next, end) = (header.first, FrameFileHeader.length)
    FrameScan.visitAll(of: bytes, header) { frame, offset in
      frames[frame.number] = frame.payload
      guard frame.number == next, offset == end else { return }
      next += 1
      end += Frame.headerLength + frame.payload.count
    }
    guard let (entry, names) = frames.values.lazy.compactMap(Self.contents).first else { return nil }
    self.init(entry: entry, parts: [])
    let isComplete = frames.count == names.count + 2 && end == bytes.count
    damageOffset = isComplete ? nil : end
    for (index, name) in names.enumerated() {
      let record = frames[UInt64(index) + 2]
      if let part = record.flatMap(Self.part), part.name == name {
        parts.append(part)
      } else {
        damaged.append(name)
        let offset = record.map { $0.startIndex - Frame.headerLength } ?? end
        damageOffset = min(damageOffset ?? offset, offset)
      }
    }
  }

  private static func part(of bytes: ArraySlice<UInt8>) -> StoredPart? {
    var reader = RecordReader(bytes)
    guard (try? reader.byte()) == partMark, let part = try? reader.part(), reader.isAtEnd else { return nil }
    return part
  }

  private static func contents(of bytes: ArraySlice<UInt8>) -> (entry: UInt64, names: [String])? {
    var reader = RecordReader(bytes)
    guard (try? reader.byte()) == contentsMark else { return nil }
    guard let entry = try? reader.number(), entry < Frame.bound, let count = try? reader.number() else { return nil }
    var names: [String] = []
    for _ in 0..<count {
      guard let name = try? reader.text() else { return nil }
      names.append(name)
    }
    return reader.isAtEnd ? (entry, names) : nil
  }
}
