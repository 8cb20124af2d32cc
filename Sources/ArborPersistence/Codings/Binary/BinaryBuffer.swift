internal import Foundation

/// A growing buffer of bytes.
///
/// - Its owner must free it.
struct BinaryBuffer {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  /// A buffer with a larger capacity isn't kept for other values.
  private static let keptCapacity = 1 << 16

  init(capacity: Int = 256) {
    self.capacity = capacity
    start = malloc(capacity)!
  }

  func free() { Foundation.free(start) }

  /// A range of the bytes. It stays valid until more bytes are appended.
  @inline(__always)
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// Makes room for a number of additional bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
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

  /// Appends a byte, and then the lowest `width` bytes of a number.
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

  /// Removes the bytes after a length.
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = count }

  /// Removes all bytes.
  mutating func reset() {
    count = 0
    guard capacity > Self.keptCapacity else { return }
    free()
    self = BinaryBuffer()
  }
}

/// Writing values of primitive types.
extension BinaryBuffer {
  @inline(__always)
  mutating func put(_ value: Bool) { append(value ? BinaryTag.true : BinaryTag.false) }

  @inline(__always)
  mutating func put(_ value: Double) { append(BinaryTag.double, value.bitPattern, width: 8) }

  @inline(__always)
  mutating func put(_ value: Float) { append(BinaryTag.float, UInt64(value.bitPattern), width: 4) }

  @inline(__always)
  mutating func put(_ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      if utf8.count < BinaryTag.shortStrings {
        append(BinaryTag.shortString + UInt8(truncatingIfNeeded: utf8.count))
      } else {
        append(BinaryTag.string)
        append(count: utf8.count)
      }
      append(UnsafeRawBufferPointer(utf8))
    }
  }

  @inline(__always)
  mutating func put<Integer: FixedWidthInteger>(_ value: Integer) {
    let isNegative = Integer.isSigned && value < 0
    let magnitude = isNegative ? ~value : value
    if Integer.bitWidth > 64, magnitude >> 64 != 0 { return putWide(magnitude, isNegative) }
    let number = UInt64(truncatingIfNeeded: magnitude)
    if !isNegative, number < 0x80 { return append(UInt8(truncatingIfNeeded: number)) }
    let tag = isNegative ? BinaryTag.negative : BinaryTag.integer
    if number <= 0xFF {
      append(tag, number, width: 1)
    } else if number <= 0xFFFF {
      append(tag + 1, number, width: 2)
    } else if number <= 0xFFFF_FFFF {
      append(tag + 2, number, width: 4)
    } else {
      append(tag + 3, number, width: 8)
    }
  }

  private mutating func putWide<Integer: FixedWidthInteger>(_ magnitude: Integer, _ isNegative: Bool) {
    let tag = (isNegative ? BinaryTag.negative : BinaryTag.integer) + 4
    append(tag, UInt64(truncatingIfNeeded: magnitude), width: 8)
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: magnitude >> 64).littleEndian) { append($0) }
  }

  private mutating func put(bytes content: UnsafeRawBufferPointer) {
    append(BinaryTag.bytes)
    append(count: content.count)
    append(content)
  }

  /// Begins an object of a shape.
  @inline(__always)
  mutating func put(shape: Int) {
    if shape < BinaryTag.shortShapes { return append(BinaryTag.firstShape + UInt8(truncatingIfNeeded: shape)) }
    append(BinaryTag.object)
    append(count: shape)
  }

  /// Writes a value of a primitive type; returns nil for any other value.
  @inline(__always)
  mutating func putPlain<Value>(_ value: Value) -> Void? {
    // When the compiler knows the type, it removes these comparisons.
    if Value.self == String.self { return put(unsafeBitCast(value, to: String.self)) }
    if Value.self == Bool.self { return put(unsafeBitCast(value, to: Bool.self)) }
    if Value.self == Double.self { return put(unsafeBitCast(value, to: Double.self)) }
    if Value.self == Float.self { return put(unsafeBitCast(value, to: Float.self)) }
    if Value.self == Int.self { return put(unsafeBitCast(value, to: Int.self)) }
    if Value.self == Int8.self { return put(unsafeBitCast(value, to: Int8.self)) }
    if Value.self == Int16.self { return put(unsafeBitCast(value, to: Int16.self)) }
    if Value.self == Int32.self { return put(unsafeBitCast(value, to: Int32.self)) }
    if Value.self == Int64.self { return put(unsafeBitCast(value, to: Int64.self)) }
    if Value.self == UInt.self { return put(unsafeBitCast(value, to: UInt.self)) }
    if Value.self == UInt8.self { return put(unsafeBitCast(value, to: UInt8.self)) }
    if Value.self == UInt16.self { return put(unsafeBitCast(value, to: UInt16.self)) }
    if Value.self == UInt32.self { return put(unsafeBitCast(value, to: UInt32.self)) }
    if Value.self == UInt64.self { return put(unsafeBitCast(value, to: UInt64.self)) }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      if Value.self == Int128.self { return put(unsafeBitCast(value, to: Int128.self)) }
      if Value.self == UInt128.self { return put(unsafeBitCast(value, to: UInt128.self)) }
    }
    if Value.self == Date.self { return put(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate) }
    if Value.self == Data.self { return unsafeBitCast(value, to: Data.self).withUnsafeBytes { put(bytes: $0) } }
    if Value.self == [UInt8].self { return unsafeBitCast(value, to: [UInt8].self).withUnsafeBytes { put(bytes: $0) } }
    return nil
  }
}
