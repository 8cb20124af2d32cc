/// The first bytes of a file of frames: a mark, a salt, a version, and their checksum.
package struct FrameFileHeader: Hashable, Sendable {
  /// The number of bytes of a header.
  package static let length = 24

  private static let mark = Array("ARBORLOG".utf8)

  /// The version of the format that is written.
  private static let version: UInt32 = 1

  /// A number that is drawn at random for each file: frames of an older file, whose place on the disk this one has taken,
  /// are not taken for its own.
  package let salt: UInt64

  package init(salt: UInt64) {
    self.salt = salt
  }

  /// The bytes of the header.
  package var bytes: [UInt8] {
    var bytes = Self.mark
    withUnsafeBytes(of: salt.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: Self.version.littleEndian) { bytes.append(contentsOf: $0) }
    var checksum = Checksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    withUnsafeBytes(of: checksum.value.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The header at the beginning of a file; nil if the file does not begin with a whole one of this version.
  package init?(readingFrom bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.length else { return nil }
    let salt = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let header = FrameFileHeader(salt: salt)
    guard header.bytes.elementsEqual(bytes[..<Self.length]) else { return nil }
    self = header
  }
}
