/// A record in a file of frames, with a checksum that shows if it is intact.
///
/// | bytes | |
/// |---|---|
/// | 4 | the length of the payload |
/// | 4 | the ``Checksum`` of the file's salt, the length, the two numbers and the payload |
/// | 8 | the frame's number: the previous frame's number plus one |
/// | 8 | the number of the last frame that was durable when this one was written |
/// | | the payload |
///
/// - All numbers are little-endian.
/// - **Lost frames.** After a power failure, bytes that weren't synced may be there in part, in any order, so intact
///   frames may follow a damaged one. If one of these states that the damaged frame was durable, the file was damaged
///   later, and that is reported. Otherwise, the frames from the damaged one on were never acknowledged, and form the
///   torn end.
package struct Frame: Hashable, Sendable {
  /// The number of bytes before the payload.
  package static let headerLength = 24

  /// The upper bound of the numbers of frames. No file comes near it, so each lower number can be incremented.
  package static let bound: UInt64 = 1 << 62

  /// The number of the frame.
  package var number: UInt64

  /// The number of the last frame that was durable when this one was written.
  package var durableThrough: UInt64

  /// The greatest length of a payload.
  static let longest = Int(clamping: UInt32.max)

  /// The bytes of the record, at most 4 GB.
  package var payload: ArraySlice<UInt8>

  package init(_ number: UInt64, durableThrough: UInt64, _ payload: ArraySlice<UInt8>) {
    self.number = number
    self.durableThrough = durableThrough
    self.payload = payload
  }

  /// Appends the frame's bytes, for a file with a salt.
  package func write(to bytes: inout [UInt8], salt: UInt64) {
    let length = UInt32(payload.count)
    let checksum = payload.withUnsafeBytes { Frame.checksum(of: $0, number, durableThrough, salt) }
    bytes.reserveCapacity(bytes.count + Frame.headerLength + payload.count)
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: durableThrough.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
  }

  static func checksum(
    of payload: UnsafeRawBufferPointer,
    _ number: UInt64,
    _ durableThrough: UInt64,
    _ salt: UInt64
  ) -> UInt32 {
    var checksum = Checksum()
    checksum.add(salt)
    checksum.add(UInt64(payload.count))
    checksum.add(number)
    checksum.add(durableThrough)
    checksum.add(payload)
    return checksum.value
  }

  /// Reads the frame at an offset of a file; nil if there is no intact one. Its payload shares the memory of the file's
  /// bytes.
  package init?(at offset: Int, of file: [UInt8], _ bytes: UnsafeRawBufferPointer, salt: UInt64) {
    guard bytes.count - offset >= Frame.headerLength else { return nil }
    let length = Frame.payloadLength(at: offset, of: bytes)
    guard length <= bytes.count - offset - Frame.headerLength else { return nil }
    let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
    let number = Frame.number(at: offset, of: bytes)
    let durable = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
    let begin = offset + Frame.headerLength
    let payload = UnsafeRawBufferPointer(rebasing: bytes[begin..<(begin + length)])
    guard checksum == Frame.checksum(of: payload, number, durable, salt) else { return nil }
    self.init(number, durableThrough: durable, file[begin..<(begin + length)])
  }

  /// Reads the length of the payload from the header at an offset.
  static func payloadLength(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Int {
    // On a watch, `Int` has 32 bits, one of them for the sign.
    Int(clamping: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Reads the frame's number from the header at an offset.
  static func number(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }
}

/// The frames of a file, and a description of the bytes after the last intact one.
package struct FrameScan: Hashable, Sendable {
  /// The bytes after the last frame that was read.
  package enum Rest: Hashable, Sendable {
    /// There are no such bytes.
    case nothing

    /// Parts of frames that were never acknowledged.
    case tornEnd

    /// A damaged frame that was acknowledged, with the number and the offset of the next intact one.
    case damage(nextNumber: UInt64, at: Int)
  }

  /// The frames that were read, numbered consecutively from the first one of the file.
  package private(set) var frames: [Frame] = []

  /// The offset at which the last frame ends.
  package private(set) var end = FrameFileHeader.length

  package private(set) var rest = Rest.nothing

  /// The greatest number through which all frames were durable, according to any intact frame of the file.
  package private(set) var durableThrough: UInt64 = 0

  /// Reads the frames of a file.
  ///
  /// - It never stops the program, regardless of the bytes.
  package init(of bytes: [UInt8], _ header: FrameFileHeader) {
    var next = header.first
    FrameScan.visitAll(of: bytes, header) { frame, offset in
      durableThrough = max(durableThrough, frame.durableThrough)
      if frame.number == next, offset == end {
        next += 1
        end += Frame.headerLength + frame.payload.count
        frames.append(frame)
      } else if frame.durableThrough >= next {
        if case .damage = rest { return }
        rest = .damage(nextNumber: frame.number, at: offset)
      }
    }
    if rest == .nothing, end < bytes.count { rest = .tornEnd }
  }

  /// Calls a body with each intact frame of a file, including those after a damaged one.
  ///
  /// - Cost: O(n). After a damaged frame, each offset is tried. But a checksum is computed only if the frame's number
  ///   is possible in the file. In total, these checksums read at most about four times the bytes of the file.
  package static func visitAll(
    of file: [UInt8],
    _ header: FrameFileHeader,
    _ body: (_ frame: Frame, _ offset: Int) -> Void
  ) {
    file.withUnsafeBytes { bytes in visitAll(of: file, bytes, header, body) }
  }

  private static func visitAll(
    of file: [UInt8],
    _ bytes: UnsafeRawBufferPointer,
    _ header: FrameFileHeader,
    _ body: (_ frame: Frame, _ offset: Int) -> Void
  ) {
    var offset = FrameFileHeader.length
    var next = header.first
    var attempts = 4 * Int64(bytes.count)
    while bytes.count - offset >= Frame.headerLength, attempts >= 0 {
      let number = Frame.number(at: offset, of: bytes)
      if number >= next, number - next <= UInt64(bytes.count) {
        if let frame = Frame(at: offset, of: file, bytes, salt: header.salt) {
          body(frame, offset)
          offset += Frame.headerLength + frame.payload.count
          next = number &+ 1
          continue
        }
        attempts -= Int64(min(Frame.payloadLength(at: offset, of: bytes), bytes.count))
      }
      offset += 1
    }
  }
}

/// The header of a file of frames.
///
/// | bytes | |
/// |---|---|
/// | 8 | a mark: `ARBORLOG`, or `ARBORSTA` for a state |
/// | 8 | the salt: its upper half is drawn at random for each storage, its lower half for each file |
/// | 8 | the number of the first frame |
/// | 4 | the version of the format |
/// | 4 | the ``Checksum`` of all preceding bytes |
///
/// - All numbers are little-endian.
/// - Because of the salt, the frames of an older file aren't mistaken for this file's own if it reuses their place on
///   disk.
package struct FrameFileHeader: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case log = "ARBORLOG"
    case state = "ARBORSTA"
  }

  /// The number of bytes of a header.
  package static let length = 32

  /// The version of the format that is written.
  package static let version: UInt32 = 1

  /// The offset of the salt.
  package static let saltOffset = 8

  package let kind: Kind
  package let salt: UInt64
  package let first: UInt64

  package init(_ kind: Kind, salt: UInt64, first: UInt64 = 1) {
    self.kind = kind
    self.salt = salt
    self.first = first
  }

  /// The number of the storage to which the file belongs.
  package var storage: UInt32 { UInt32(salt >> 32) }

  /// Makes the salt of a file of a storage.
  package static func salt(of storage: UInt32, _ number: UInt64) -> UInt64 {
    UInt64(storage) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
  }

  /// The bytes of the header.
  package var bytes: [UInt8] { bytes(version: Self.version) }

  private func bytes(version: UInt32) -> [UInt8] {
    var bytes = Array(kind.rawValue.utf8)
    withUnsafeBytes(of: salt.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: first.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: version.littleEndian) { bytes.append(contentsOf: $0) }
    var checksum = Checksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    withUnsafeBytes(of: checksum.value.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The result of reading the beginning of a file.
  package enum Reading: Hashable, Sendable {
    /// A header of this version.
    case header(FrameFileHeader)

    /// An intact header of an unknown, newer version.
    case newerVersion(UInt32)

    /// There is no intact header.
    case unreadable
  }

  /// Reads the header at the beginning of a file.
  package static func read(from bytes: UnsafeRawBufferPointer) -> Reading {
    guard bytes.count >= length, let kind = Kind(rawValue: String(decoding: bytes[..<8], as: UTF8.self)) else {
      return .unreadable
    }
    let salt = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: saltOffset, as: UInt64.self))
    let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    let version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
    let header = FrameFileHeader(kind, salt: salt, first: first)
    guard header.bytes(version: version).elementsEqual(bytes[..<length]) else { return .unreadable }
    guard version == Self.version else { return .newerVersion(version) }
    return (1..<Frame.bound).contains(first) ? .header(header) : .unreadable
  }
}
