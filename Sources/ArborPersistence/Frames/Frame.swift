/// A record in a file of frames, of which one can tell whether it is whole.
///
/// | bytes | |
/// |---|---|
/// | 4 | the length of the payload |
/// | 4 | the ``Checksum`` of the file's salt, the length, the two numbers and the payload |
/// | 8 | the frame's number: one more than that of the frame before |
/// | 8 | the number of the last frame that was durable when this one was written |
/// | | the payload |
///
/// - All numbers are little-endian.
/// - **Frames that may be lost.** After a loss of power what was not synced may be there in part, in any order: a damaged
///   frame may be followed by whole ones. If one of those says that the damaged one was durable, the file was damaged
///   later, and that is told; else the frames from the damaged one on were never acknowledged, and are the torn end.
package struct Frame: Hashable, Sendable {
  /// The number of bytes before the payload.
  package static let headerLength = 24

  /// The bound of the numbers of frames. No file comes near it, so that one may count on from each number below.
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

  /// The frame at an offset of a file; nil if there is no whole one. Its payload shares the memory of the file's bytes.
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

  /// The length of the payload that a header at an offset says.
  static func payloadLength(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Int {
    // Of a watch's 32 bits one is for the sign.
    Int(clamping: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The number that a header at an offset says.
  static func number(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }
}
