#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Compares memory. What is the same to the bit is the same value.
package enum BitComparison {
  /// `true` if two pieces of memory are the same in a range.
  static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    guard !range.isEmpty, let left = left.baseAddress, let right = right.baseAddress else { return true }
    return memcmp(left + range.lowerBound, right + range.lowerBound, range.count) == 0
  }

  /// `true` if two values are of one type and the same to the bit; may be `false` though they are, of types with unused bytes.
  package static func isSame(_ left: Any, _ right: Any) -> Bool {
    func isSame<Value>(_ left: Value) -> Bool {
      // Opened and not cast: the cast of an optional gives what is inside.
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

/// Compares many values of a type by their bits, and no bytes that they do not use.
struct BitwiseComparison<Value> {
  private var layout: StateLayout<Value>?

  /// - Parameter sample: One of the two whose memory is given.
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
