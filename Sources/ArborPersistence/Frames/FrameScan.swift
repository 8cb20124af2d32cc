/// The frames of a file, and what follows the last whole one.
package struct FrameScan: Hashable, Sendable {
  /// What follows the last frame that was read.
  package enum Rest: Hashable, Sendable {
    /// Nothing.
    case nothing

    /// Bytes of frames that were never acknowledged: they may be cut off.
    case tornEnd

    /// A damaged frame that was acknowledged, and the next whole one with its offset.
    case damage(nextNumber: UInt64, at: Int)

    /// The whole file: it does not begin with a header of this version.
    case unknownFile
  }

  /// The frames that were read, in order.
  package private(set) var frames: [Frame] = []

  /// The offset behind the last of them.
  package private(set) var end = 0

  /// What is there.
  package private(set) var rest = Rest.nothing

  /// The salt of the file; 0 if it is unknown.
  package private(set) var salt: UInt64 = 0

  /// Reads the frames of a file.
  ///
  /// - Never stops the program, whatever the bytes are.
  /// - Cost: O(n). Behind a damaged frame each offset is tried; but a checksum is made only of what has a number that may
  ///   follow.
  package init(of bytes: UnsafeRawBufferPointer) {
    guard let header = FrameFileHeader(readingFrom: bytes) else {
      rest = .unknownFile
      return
    }
    salt = header.salt
    end = FrameFileHeader.length
    while end < bytes.count, let frame = Self.frame(at: end, of: bytes, salt), follows(frame.number) {
      frames.append(frame)
      end += Frame.headerLength + frame.payload.count
    }
    if end < bytes.count { rest = rest(of: bytes) }
  }

  /// `true` if a number is that of the frame behind the last one.
  private func follows(_ number: UInt64) -> Bool { frames.last.map { $0.number &+ 1 == number } ?? true }

  private func rest(of bytes: UnsafeRawBufferPointer) -> Rest {
    // The number of the damaged frame; 0 if it is the first one of the file, and so unknown.
    let damaged = frames.last.map { $0.number &+ 1 } ?? 0
    var offset = end + 1
    while offset + Frame.headerLength <= bytes.count {
      let number = Self.number(at: offset, of: bytes)
      let mayFollow = number > damaged && (damaged == 0 || number - damaged <= UInt64(bytes.count))
      guard mayFollow, let frame = Self.frame(at: offset, of: bytes, salt) else {
        offset += 1
        continue
      }
      // It says whether the damaged frame was durable.
      if frame.durableThrough >= max(damaged, 1) { return .damage(nextNumber: number, at: offset) }
      offset += Frame.headerLength + frame.payload.count
    }
    return .tornEnd
  }

  private static func number(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }

  /// The frame at an offset; nil if there is no whole one.
  private static func frame(at offset: Int, of bytes: UnsafeRawBufferPointer, _ salt: UInt64) -> Frame? {
    guard bytes.count - offset >= Frame.headerLength else { return nil }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    guard length <= bytes.count - offset - Frame.headerLength else { return nil }
    let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
    let number = number(at: offset, of: bytes)
    let durable = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
    let begin = offset + Frame.headerLength
    let payload = UnsafeRawBufferPointer(rebasing: bytes[begin..<(begin + length)])
    guard checksum == Frame.checksum(of: payload, number, durable, salt) else { return nil }
    return Frame(number, durableThrough: durable, Array(payload))
  }
}
