/// Compares memory.
enum BitComparison {
  /// Whether two pieces of memory are the same in a range.
  static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    // Eight bytes at a time: this is done for each assertion of a test.
    while offset + 8 <= range.upperBound {
      guard
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < range.upperBound {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }
}
