import ArborPersistence
import TestSupport
import Testing

@Suite("Files of frames", .oneThread)
struct FrameScanTests {
  private static let salt: UInt64 = 0x0123_4567_89AB_CDEF
  private static let header = FrameFileHeader(.log, salt: salt)

  /// Three frames. Each states that the frames before it are durable.
  private static let frames = (1...3).map { number in
    Frame(UInt64(number), durableThrough: UInt64(number - 1), Array(repeating: UInt8(number), count: number * 3)[...])
  }

  /// Returns the bytes of a file with the first `count` frames.
  private func bytes(_ count: Int) -> [UInt8] { bytes(of: Array(Self.frames[..<count])) }

  private func bytes(of frames: [Frame]) -> [UInt8] {
    var bytes = Self.header.bytes
    for frame in frames { frame.write(to: &bytes, salt: Self.salt) }
    return bytes
  }

  private func scan(_ bytes: [UInt8]) -> FrameScan {
    FrameScan(of: bytes, Self.header)
  }

  @Test func `written frames are read`() {
    let scan = scan(bytes(3))
    #expect(scan.frames == Self.frames)
    #expect(scan.rest == .nothing)
    #expect(scan.end == bytes(3).count)
    #expect(scan.durableThrough == 2)
  }

  @Test func `P2 a header with any flipped bit is unreadable, and a header of a newer version is reported as newer`() {
    func read(_ bytes: [UInt8]) -> FrameFileHeader.Reading { bytes.withUnsafeBytes { FrameFileHeader.read(from: $0) } }
    let header = FrameFileHeader(.state, salt: Self.salt, first: 7)
    #expect(read(header.bytes) == .header(header))
    for length in 0..<FrameFileHeader.length { #expect(read(Array(header.bytes[..<length])) == .unreadable) }
    for bit in 0..<(FrameFileHeader.length * 8) {
      var flipped = header.bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(read(flipped) == .unreadable)
    }
    var newer = header.bytes
    newer[24] = 2
    var checksum = Checksum()
    newer[..<28].withUnsafeBytes { checksum.add($0) }
    withUnsafeBytes(of: checksum.value.littleEndian) { newer.replaceSubrange(28..., with: $0) }
    #expect(read(newer) == .newerVersion(2))
  }

  @Test func `P2 a file that is cut to any length has intact frames and a torn end`() {
    let ends = (0...3).map { bytes($0).count }
    for length in ends[0]..<ends[3] {
      let scan = scan(Array(bytes(3)[..<length]))
      #expect(scan.frames == Array(Self.frames[..<(ends.lastIndex { $0 <= length })!]))
      #expect(scan.rest == (ends.contains(length) ? .nothing : .tornEnd))
    }
  }

  @Test func `P2 each flipped bit is reported, and no wrong frame is read`() {
    let ends = (0...3).map { bytes($0).count }
    for place in ends[0]..<ends[3] {
      for bit in 0..<8 {
        var flipped = bytes(3)
        flipped[place] ^= 1 << bit
        let scan = scan(flipped)
        let damaged = ends.lastIndex { $0 <= place }!
        #expect(scan.frames == Array(Self.frames[..<damaged]))
        // The next frame states that the damaged one was durable. There is no frame after the last one.
        #expect(
          scan.rest
            == (damaged < 2 ? .damage(nextNumber: UInt64(damaged + 2), at: ends[damaged + 1]) : .tornEnd))
      }
    }
  }

  @Test func `P2 a damaged frame that no other frame calls durable is a torn end, even if frames follow`() {
    let frames = Self.frames.map { Frame($0.number, durableThrough: 1, $0.payload) }
    var bytes = bytes(of: frames)
    // The damage is in the second frame. The third one was written before the second one was synced.
    bytes[self.bytes(1).count + 25] ^= 1
    #expect(scan(bytes).frames == [frames[0]])
    #expect(scan(bytes).rest == .tornEnd)
  }

  @Test func `frames of another file are not read`() {
    var bytes = bytes(3)
    Frame(4, durableThrough: 3, [1]).write(to: &bytes, salt: Self.salt + 1)
    let scan = scan(bytes)
    #expect(scan.frames == Self.frames)
    #expect(scan.end == self.bytes(3).count)
    #expect(scan.rest == .tornEnd)
  }

  @Test func `bytes that look like many frames are read in linear time`() {
    var bytes = Self.header.bytes
    for number in 1...40_000 {
      // Each header claims a frame that contains all bytes after it.
      withUnsafeBytes(of: UInt32(900_000 - number).littleEndian) { bytes.append(contentsOf: $0) }
      bytes += [0, 0, 0, 0]
      withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.append(contentsOf: $0) }
      bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    }
    #expect(scan(bytes).frames == [])
    #expect(scan(bytes).rest == .tornEnd)
  }

  @Test func `zeros count as a torn end if the length of a file was written before its bytes`() {
    let scan = scan(bytes(3) + Array(repeating: 0, count: 4096))
    #expect(scan.frames == Self.frames)
    #expect(scan.rest == .tornEnd)
  }
}
