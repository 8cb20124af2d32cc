internal import Foundation

extension BinaryReader {
  @inline(__always)
  func bool(_ offset: inout Int) -> Bool? {
    guard let tag = cursor.tag(at: offset), tag == BinaryTag.true || tag == BinaryTag.false else { return nil }
    offset += 1
    return tag == BinaryTag.true
  }

  /// Returns `true` and moves the offset if a tag is there.
  @inline(__always)
  func isTag(_ tag: UInt8, _ offset: inout Int) -> Bool {
    guard cursor.tag(at: offset) == tag else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  func string(_ offset: inout Int) -> String? {
    guard let tag = cursor.tag(at: offset) else { return nil }
    offset += 1
    if tag >= BinaryTag.shortString, tag < BinaryTag.null {
      return cursor.string(&offset, count: Int(tag - BinaryTag.shortString))
    }
    guard tag == BinaryTag.string, let count = cursor.count(&offset) else { return nil }
    return cursor.string(&offset, count: count)
  }

  /// Reads an integer if it fits the type.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ offset: inout Int, as type: Integer.Type) -> Integer? {
    guard let tag = cursor.tag(at: offset) else { return nil }
    if tag < BinaryTag.firstShape {
      offset += 1
      return Integer(truncatingIfNeeded: tag)
    }
    return longInteger(&offset, as: type)
  }

  private func longInteger<Integer: FixedWidthInteger>(_ offset: inout Int, as type: Integer.Type) -> Integer? {
    if let bits = integerBits(&offset) { return bits.integer(type) }
    return number(&offset).flatMap { Integer(exactly: $0) }
  }

  func integerBits(_ offset: inout Int) -> BinaryIntegerBits? {
    guard let tag = cursor.tag(at: offset) else { return nil }
    if tag < BinaryTag.firstShape {
      offset += 1
      return BinaryIntegerBits(isNegative: false, low: UInt64(tag))
    }
    guard tag >= BinaryTag.integer, tag < BinaryTag.float else { return nil }
    offset += 1
    let isNegative = tag >= BinaryTag.negative
    let low: UInt64?
    var high: UInt64? = 0
    switch tag - (isNegative ? BinaryTag.negative : BinaryTag.integer) {
    case 0: low = cursor.fixed(&offset, as: UInt8.self).map(UInt64.init)
    case 1: low = cursor.fixed(&offset, as: UInt16.self).map(UInt64.init)
    case 2: low = cursor.fixed(&offset, as: UInt32.self).map(UInt64.init)
    case 3: low = cursor.fixed(&offset, as: UInt64.self)
    default:
      low = cursor.fixed(&offset, as: UInt64.self)
      high = cursor.fixed(&offset, as: UInt64.self)
    }
    guard let low, let high else { return nil }
    return BinaryIntegerBits(isNegative: isNegative, low: low, high: high)
  }

  /// Reads a floating-point number.
  @inline(__always)
  private func number(_ offset: inout Int) -> Double? {
    switch cursor.tag(at: offset) {
    case BinaryTag.double:
      offset += 1
      return cursor.fixed(&offset, as: UInt64.self).map(Double.init(bitPattern:))
    case BinaryTag.float:
      offset += 1
      return cursor.fixed(&offset, as: UInt32.self).map { Double(Float(bitPattern: $0)) }
    default: return nil
    }
  }

  @inline(__always)
  func double(_ offset: inout Int) -> Double? {
    if let number = number(&offset) { return number }
    return integerBits(&offset)?.double
  }

  @inline(__always)
  func float(_ offset: inout Int) -> Float? {
    if isTag(BinaryTag.float, &offset) {
      return cursor.fixed(&offset, as: UInt32.self).map(Float.init(bitPattern:))
    }
    guard let double = double(&offset) else { return nil }
    let float = Float(double)
    return float.isFinite || !double.isFinite ? float : nil
  }

  /// Returns the location of bytes, without copying them.
  func bytes(_ offset: inout Int) -> UnsafeRawBufferPointer? {
    guard isTag(BinaryTag.bytes, &offset), let count = cursor.count(&offset) else { return nil }
    defer { offset += count }
    return cursor.bytes(offset..<offset + count)
  }
}

/// An integer of any width, in its written form.
struct BinaryIntegerBits {
  let isNegative: Bool

  /// The bits of the integer, or their complement if it is negative.
  let low: UInt64
  var high: UInt64 = 0

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    let bits: Integer
    if Integer.bitWidth > 64 {
      bits = Integer(truncatingIfNeeded: high) << 64 | Integer(truncatingIfNeeded: low)
      guard bits >= 0 else { return nil }
    } else {
      guard high == 0, let exact = Integer(exactly: low) else { return nil }
      bits = exact
    }
    return isNegative ? (Integer.isSigned ? ~bits : nil) : bits
  }

  /// The number as a `Double`; nil if it can't be represented exactly.
  var double: Double? {
    guard high == 0 else { return nil }
    guard isNegative else { return Double(exactly: low) }
    return integer(Int64.self).flatMap { Double(exactly: $0) }
  }
}
