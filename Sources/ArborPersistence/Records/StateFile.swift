/// A file with all parts of a state at one moment. It is written once, and never changed.
///
/// - It is a file of frames: the contents (the number of the last entry that the state has in it, and the names of the
///   parts), each part, and the contents again.
/// - A damaged part costs that part alone.
package struct StateFile: Sendable {
  /// The number of the last entry that the state has in it.
  package var entry: UInt64

  /// The parts, but for damaged ones.
  package var parts: [StoredPart]

  /// The names of damaged parts.
  package var damaged: [String] = []

  /// `true` if every byte of the file is as it was written, and none follows.
  package private(set) var isWhole = true

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

  /// The state in a file; nil if neither of the contents is whole.
  package init?(readingFrom bytes: [UInt8], _ header: FrameFileHeader) {
    var frames: [UInt64: ArraySlice<UInt8>] = [:]
    var end = FrameFileHeader.length
    FrameScan.visitAll(of: bytes, header) { frame, offset in
      frames[frame.number] = frame.payload
      if offset == end { end += Frame.headerLength + frame.payload.count }
    }
    guard let (entry, names) = frames.values.lazy.compactMap(Self.contents).first else { return nil }
    self.init(entry: entry, parts: [])
    for (index, name) in names.enumerated() {
      if let part = frames[UInt64(index) + 2].flatMap(Self.part), part.name == name {
        parts.append(part)
      } else {
        damaged.append(name)
      }
    }
    isWhole = damaged.isEmpty && frames.count == names.count + 2 && end == bytes.count
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
