/// A CRC-32C (Castagnoli), as in iSCSI and LevelDB. It detects any error burst of up to 32 bits.
///
/// - Source: RFC 3720, appendix B.4, which contains test values.
package struct Checksum: Sendable {
  private var state: UInt32 = ~0

  package init() {}

  /// Makes the checksum of a text, as UTF-8.
  package init(of text: String) {
    Array(text.utf8).withUnsafeBytes { add($0) }
  }

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~state }

  /// Adds bytes.
  ///
  /// Offsets take the place of slices and ranges: without optimization, the runtime makes their metadata under a lock, again and
  /// again, which takes a hundred times as long as the checksum.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    var offset = 0
    Self.tables.withUnsafeBufferPointer { tables in
      // Eight bytes at a time, each with its own table.
      while bytes.count - offset >= 8 {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(state)
        state = 0
        var place = 0
        while place < 8 {
          state ^= tables[(7 - place) &* 256 &+ Int(truncatingIfNeeded: word &>> UInt64(place &* 8)) & 0xFF]
          place &+= 1
        }
        offset &+= 8
      }
      while offset < bytes.count {
        state = tables[Int((state ^ UInt32(bytes[offset])) & 0xFF)] ^ (state &>> 8)
        offset &+= 1
      }
    }
    self.state = state
  }

  /// Adds a number, as its bytes in little-endian order.
  package mutating func add(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }

  /// Eight tables: the effect of each byte on the checksum if 0 to 7 bytes follow it.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = (value & 1 == 0 ? 0 : 0x82F6_3B78) ^ (value >> 1) }
      tables[byte] = value
    }
    for place in 256..<tables.count {
      let before = tables[place - 256]
      tables[place] = tables[Int(before & 0xFF)] ^ (before >> 8)
    }
    return tables
  }()
}
