internal import Foundation

/// Bytes to which others are appended, or among which a gap is made.
///
/// - The owner frees them.
struct BinaryBuffer {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int = 256) {
    self.capacity = capacity
    start = malloc(capacity)!
  }

  func free() { Foundation.free(start) }

  /// Makes room for so many more bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    start = realloc(start, capacity)!
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends a byte and the lowest so many bytes of a number.
  @inline(__always)
  mutating func append(_ byte: UInt8, _ number: UInt64, width: Int) {
    reserve(9)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    start.storeBytes(of: number.littleEndian, toByteOffset: count + 1, as: UInt64.self)
    count += 1 + width
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func append(count number: Int) {
    var rest = UInt(number)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// The number of bytes that a count is written in.
  static func width(ofCount number: Int) -> Int {
    max(1, (UInt.bitWidth - UInt(number).leadingZeroBitCount + 6) / 7)
  }

  /// Writes a count over bytes that are there.
  func put(count number: Int, at offset: Int) {
    var rest = UInt(number)
    var place = offset
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80, at: place)
      rest >>= 7
      place += 1
    }
    put(UInt8(rest), at: place)
  }

  @inline(__always)
  func put(_ byte: UInt8, at offset: Int) {
    start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  /// Writes bytes over others that are there.
  func put(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int) {
    guard let source = UnsafeRawBufferPointer(rebasing: bytes).baseAddress else { return }
    memcpy(start + offset, source, bytes.count)
  }

  /// Moves what stands from an offset on by so many bytes.
  mutating func makeGap(of length: Int, at offset: Int) {
    reserve(length)
    memmove(start + offset + length, start + offset, count - offset)
    count += length
  }

  /// Takes away what stands from an offset on.
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = count }

  /// Gives the bytes away: the receiver frees them.
  mutating func release() -> UnsafeMutableRawPointer {
    let bytes = realloc(start, max(count, 1))!
    self = BinaryBuffer()
    return bytes
  }
}
