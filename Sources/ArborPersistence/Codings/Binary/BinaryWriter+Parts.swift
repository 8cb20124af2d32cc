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
