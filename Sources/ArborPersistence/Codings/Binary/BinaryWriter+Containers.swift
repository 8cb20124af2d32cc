internal import Foundation

extension BinaryWriter {
  /// Writes the number of an object's shape over the byte that stands for it; or behind all, if that is where it belongs.
  @inline(__always)
  func putShape(of node: Int, at offset: Int) {
    let shape = shapes.shape(of: node)
    if offset == bytes.count { bytes.append(0) }
    if shape < BinaryTag.shortShapes {
      return bytes.put(BinaryTag.firstShape + UInt8(truncatingIfNeeded: shape), at: offset)
    }
    bytes.put(BinaryTag.object, at: offset)
    makeGap(of: BinaryBuffer.width(ofCount: shape), at: offset + 1)
    bytes.put(count: shape, at: offset + 1)
  }

  /// Writes a count over the byte that stands for it.
  @inline(__always)
  func putCount(_ count: Int, at offset: Int) {
    if count > 0x7F { makeGap(of: BinaryBuffer.width(ofCount: count) - 1, at: offset) }
    bytes.put(count: count, at: offset)
  }

  private func makeGap(of length: Int, at offset: Int) {
    bytes.makeGap(of: length, at: offset)
    for index in (parts ?? []).indices.reversed() {
      guard parts![index].offset >= offset else { return }
      parts![index].offset += length
    }
  }

  // MARK: Dictionaries

  /// Begins the entry of a dictionary.
  func beginEntry(_ key: String, of level: Int) {
    entries.append(bytes.count)
    levels[level].count += 1
    put(key)
  }

  /// The key of the last entry that begins before an offset.
  func lastEntryKey(before offset: Int) -> (any CodingKey)? {
    guard let entry = entries.last(where: { $0 < offset }) else { return nil }
    return BinaryKey(stringValue: String(decoding: key(at: entry), as: UTF8.self))
  }

  /// Sorts the entries of a dictionary that is complete, and writes their count.
  func closeDictionary(_ level: Level) {
    let own = entries.count - level.count..<entries.count
    var starts = Array(entries[own])
    entries.removeSubrange(own)
    sort(&starts)
    putCount(level.count, at: level.start + 1)
  }

  private func sort(_ starts: inout [Int]) {
    guard let first = starts.first else { return }
    let isSorted = starts.indices.dropFirst().allSatisfy { !isKey(at: starts[$0], before: starts[$0 - 1]) }
    guard !isSorted else { return }
    let end = bytes.count
    let ranges = starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : end) }
      .sorted { isKey(at: $0.lowerBound, before: $1.lowerBound) }
    let copy = Data(bytes: bytes.start + first, count: end - first)
    var moves: [(from: Range<Int>, to: Int)] = []
    var place = first
    for range in ranges {
      copy.withUnsafeBytes { bytes.put($0[(range.lowerBound - first)..<(range.upperBound - first)], at: place) }
      moves.append((range, place))
      place += range.count
    }
    if parts != nil { moveParts(moves.sorted { $0.from.lowerBound < $1.from.lowerBound }) }
  }

  /// Moves the parts that stand in the last ranges of the bytes with these.
  private func moveParts(_ moves: [(from: Range<Int>, to: Int)]) {
    var index = moves.count - 1
    for part in parts!.indices.reversed() {
      while index >= 0, parts![part].offset < moves[index].from.lowerBound { index -= 1 }
      guard index >= 0 else { break }
      parts![part].offset += moves[index].to - moves[index].from.lowerBound
    }
    parts!.sort { $0.offset < $1.offset }
  }

  private func isKey(at left: Int, before right: Int) -> Bool {
    let left = key(at: left)
    let right = key(at: right)
    let order = memcmp(left.baseAddress!, right.baseAddress!, min(left.count, right.count))
    return order == 0 ? left.count < right.count : order < 0
  }

  /// The UTF-8 of the key of an entry.
  private func key(at offset: Int) -> UnsafeRawBufferPointer {
    let written = UnsafeRawBufferPointer(start: bytes.start, count: bytes.count)
    if written[offset] != BinaryTag.string {
      let count = Int(written[offset] - BinaryTag.shortString)
      return UnsafeRawBufferPointer(start: bytes.start + offset + 1, count: count)
    }
    var count = 0
    var place = offset + 1
    var shift = 0
    while true {
      count |= Int(written[place] & 0x7F) << shift
      place += 1
      if written[place - 1] < 0x80 { break }
      shift += 7
    }
    return UnsafeRawBufferPointer(start: bytes.start + place, count: count)
  }
}

extension BinaryWriter {
  /// Opens a container or an encoder that was asked for alone; one that writes nothing if that is not possible.
  func openPart(_ content: Level.Content) -> BinaryEncoder {
    if parts == nil {
      if let encoder = open(content, isLoose: true) {
        begin(content)
        return encoder
      }
    } else {
      let path = path(to: depth)
      let part = BinaryWriter(shapes: shapes, parts: true, path: path, depth: depthInWhole)
      if let encoder = part.open(content, isLoose: true) {
        part.begin(content)
        parts!.append((bytes.count, part))
        bytes.append(0)
        return encoder
      }
    }
    _ = failByDepth(self)
    return .thatWritesNothing(self)
  }

  /// Writes the bytes that stand for what is not known yet of a container.
  @inline(__always)
  func begin(_ content: Level.Content) {
    switch content {
    case .nothing, .single: break
    case .object: bytes.append(0)
    case .array: bytes.append(BinaryTag.array, 0, width: 1)
    case .dictionary: bytes.append(BinaryTag.dictionary, 0, width: 1)
    }
  }

  /// Puts the bytes of the parts into their places.
  func assemble() throws {
    guard let parts, !parts.isEmpty else { return }
    var whole = BinaryBuffer(capacity: bytes.count + 256)
    var place = 0
    for (offset, part) in parts {
      whole.append(UnsafeRawBufferPointer(start: bytes.start + place, count: offset - place))
      if let failure = part.failure { fail(failure) }
      part.close(downTo: 0)
      do { try part.assemble() } catch { fail(error) }
      whole.append(UnsafeRawBufferPointer(start: part.bytes.start, count: part.bytes.count))
      place = offset + 1
    }
    whole.append(UnsafeRawBufferPointer(start: bytes.start + place, count: bytes.count - place))
    bytes.free()
    bytes = whole
    self.parts = []
    if let failure { throw failure }
  }
}
