/// Writing the fields of records: numbers in as few bytes as possible, texts and bytes after their length.
extension [UInt8] {
  /// Appends a number in groups of seven bits, the lowest first. All bytes except the last one have the highest bit
  /// set.
  package mutating func append(number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends the number of bytes, and then the bytes.
  package mutating func append(field bytes: some Collection<UInt8>) {
    // Copies the memory at once if possible, instead of iterating over the collection.
    let isAppended: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      append(number: UInt64(bytes.count))
      append(contentsOf: bytes)
    }
    guard isAppended == nil else { return }
    append(number: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  /// Appends a text as UTF-8, after the number of its bytes.
  package mutating func append(text: String) {
    append(field: text.utf8)
  }
}

/// A reader of the fields of a record.
///
/// - For bytes that aren't a record, it throws ``Malformed``; it never stops the program.
package struct RecordReader {
  /// The error of bytes that aren't a record of this version.
  package struct Malformed: Error {
    package init() {}
  }

  private let bytes: ArraySlice<UInt8>
  private var place: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  package var isAtEnd: Bool { place == bytes.endIndex }

  package mutating func byte() throws(Malformed) -> UInt8 {
    guard place < bytes.endIndex else { throw Malformed() }
    defer { place += 1 }
    return bytes[place]
  }

  package mutating func number() throws(Malformed) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || shift == 63 && bits <= 1 else { throw Malformed() }
      number |= bits << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  /// Reads a number that is a count, a length or a version.
  package mutating func count() throws(Malformed) -> Int {
    guard let count = Int(exactly: try number()) else { throw Malformed() }
    return count
  }

  package mutating func field() throws(Malformed) -> ArraySlice<UInt8> {
    let length = try count()
    guard length <= bytes.endIndex - place else { throw Malformed() }
    defer { place += length }
    return bytes[place..<(place + length)]
  }

  package mutating func text() throws(Malformed) -> String {
    let bytes = try field()
    let text = String(decoding: bytes, as: UTF8.self)
    // Bytes that aren't UTF-8 were replaced by a replacement character.
    guard text.utf8.elementsEqual(bytes) else { throw Malformed() }
    return text
  }
}
