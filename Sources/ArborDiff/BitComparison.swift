#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Comparison of memory. Values with equal bits are the same value.
package enum BitComparison {
  /// Returns `true` if two pieces of memory have the same bits in a range.
  static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    guard !range.isEmpty, let left = left.baseAddress, let right = right.baseAddress else { return true }
    return memcmp(left + range.lowerBound, right + range.lowerBound, range.count) == 0
  }

  /// Returns `true` if two values have the same type and the same bits. For types with unused bytes, it may return
  /// `false` for equal values.
  package static func isSame(_ left: Any, _ right: Any) -> Bool {
    func isSame<Value>(_ left: Value) -> Bool {
      // Opened instead of cast, because casting an optional returns its content.
      func isSame<Other>(_ right: Other) -> Bool {
        guard Other.self == Value.self else { return false }
        return withUnsafeBytes(of: left) { left in
          withUnsafeBytes(of: right) { right in BitComparison.isSame(left, right, in: 0..<left.count) }
        }
      }
      return _openExistential(right, do: isSame)
    }
    return _openExistential(left, do: isSame)
  }
}

/// Compares many values of a type by their bits, ignoring unused bytes.
struct BitwiseComparison<Value> {
  private var layout: StateLayout<Value>?

  /// - Parameter sample: One of the two values whose memory is passed.
  mutating func isSame(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer,
    _ sample: @autoclosure () -> Value
  ) -> Bool {
    if BitComparison.isSame(left, right, in: 0..<left.count) { return true }
    let layout = layout ?? StateLayout(of: sample())
    self.layout = layout
    return layout.hasSameBits(left, right)
  }

  mutating func isSame(_ left: Value, _ right: Value) -> Bool {
    withUnsafeBytes(of: left) { leftMemory in
      withUnsafeBytes(of: right) { rightMemory in isSame(leftMemory, rightMemory, left) }
    }
  }
}
