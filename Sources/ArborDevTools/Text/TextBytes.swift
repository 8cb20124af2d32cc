/// UTF-8 that is written piece by piece.
///
/// - Pieces are written where they lie. To append pieces as short as these to an array takes several times as long.
struct TextBytes: Sendable {
  /// The bytes that were written, and behind them some that will be.
  private var memory: [UInt8] = []
  private(set) var count = 0

  /// The bytes that were written.
  var written: ArraySlice<UInt8> { memory[..<count] }

  /// Forgets what was written, and keeps the memory for what comes.
  mutating func removeAll() {
    count = 0
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    write(atMost: bytes.count) { target in
      target.update(from: source, count: bytes.count)
      return bytes.count
    }
  }

  mutating func append(_ byte: UInt8) {
    write(atMost: 1) { target in
      target.pointee = byte
      return 1
    }
  }

  /// Writes a number, with zeros in front if it has fewer digits.
  mutating func append(_ number: UInt64, digits minimum: Int = 1) {
    let room = max(minimum, 20)
    write(atMost: room) { target in
      // From the last digit on, at the end of the room, so that nobody has to count them before.
      var (begin, rest) = (room, number)
      while rest > 0 || room - begin < minimum {
        begin -= 1
        target[begin] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      let count = room - begin
      if begin > 0 { target.update(from: target + begin, count: count) }
      return count
    }
  }

  /// Has a closure write behind what was written.
  ///
  /// - Parameter write: Returns the number of bytes that it has written.
  @inline(__always)
  private mutating func write(atMost room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if memory.count - count < room { grow(by: room) }
    count += memory.withUnsafeMutableBufferPointer { write($0.baseAddress.unsafelyUnwrapped + count) }
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    memory += repeatElement(0, count: max(room, memory.count, 64))
  }
}
