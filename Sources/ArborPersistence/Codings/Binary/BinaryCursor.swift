/// The bytes of a value, read at offsets.
///
/// - Each function moves the offset to the end of what it reads. If that isn't complete, the function returns nil, and
///   the offset may be anywhere up to the end.
struct BinaryCursor {
  let start: UnsafeRawPointer
  let end: Int

  /// A cursor without bytes.
  static var empty: BinaryCursor { BinaryCursor(start: UnsafeRawPointer(bitPattern: 1)!, end: 0) }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    start.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The tag of the value at an offset.
  @inline(__always)
  func tag(at offset: Int) -> UInt8? {
    offset < end ? byte(at: offset) : nil
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// Reads a number in groups of seven bits.
  @inline(__always)
  func number(_ offset: inout Int) -> Int? {
    guard offset < end else { return nil }
    let first = byte(at: offset)
    offset += 1
    return first < 0x80 ? Int(first) : longNumber(first, &offset)
  }

  @inline(never)
  private func longNumber(_ first: UInt8, _ offset: inout Int) -> Int? {
    var number = Int(first & 0x7F)
    var shift = 7
    while shift + 7 < Int.bitWidth {
      guard offset < end else { return nil }
      let byte = byte(at: offset)
      offset += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  /// Reads the number of items that follow, each at least `width` bytes long.
  @inline(__always)
  func count(_ offset: inout Int, ofWidth width: Int = 1) -> Int? {
    guard let count = number(&offset), count <= (end - offset) / width else { return nil }
    return count
  }

  /// Reads a little-endian number of fixed width.
  @inline(__always)
  func fixed<Number: FixedWidthInteger>(_ offset: inout Int, as type: Number.Type) -> Number? {
    guard end - offset >= MemoryLayout<Number>.size else { return nil }
    defer { offset += MemoryLayout<Number>.size }
    return Number(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Reads a string of `count` bytes of UTF-8.
  @inline(__always)
  func string(_ offset: inout Int, count: Int) -> String? {
    guard count <= end - offset else { return nil }
    let utf8 = bytes(offset..<offset + count)
    offset += count
    var string = String(decoding: utf8, as: UTF8.self)
    // Bytes that aren't UTF-8 were replaced by a replacement character.
    let isWhole = utf8.allSatisfy { $0 < 0x80 } || string.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(utf8) }
    return isWhole ? string : nil
  }
}
