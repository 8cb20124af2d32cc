/// The first bytes of a file of frames.
///
/// | bytes | |
/// |---|---|
/// | 8 | a mark: `ARBORLOG`, or `ARBORSTA` for a state |
/// | 8 | the salt: its upper half is drawn at random for each storage, its lower half for each file |
/// | 8 | the number of the first frame |
/// | 4 | the version of the format |
/// | 4 | the ``Checksum`` of all before |
///
/// - All numbers are little-endian.
/// - Because of the salt, frames of an older file whose place on the disk this one has taken are not taken for its own.
package struct FrameFileHeader: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case log = "ARBORLOG"
    case state = "ARBORSTA"
  }

  /// The number of bytes of a header.
  package static let length = 32

  /// The version of the format that is written.
  package static let version: UInt32 = 1

  /// The offset of the salt.
  package static let saltOffset = 8

  package let kind: Kind
  package let salt: UInt64
  package let first: UInt64

  package init(_ kind: Kind, salt: UInt64, first: UInt64 = 1) {
    self.kind = kind
    self.salt = salt
    self.first = first
  }

  /// The number of the storage to which the file belongs.
  package var storage: UInt32 { UInt32(salt >> 32) }

  /// Makes the salt of a file of a storage.
  package static func salt(of storage: UInt32, _ number: UInt64) -> UInt64 {
    UInt64(storage) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
  }

  /// The bytes of the header.
  package var bytes: [UInt8] { bytes(version: Self.version) }

  private func bytes(version: UInt32) -> [UInt8] {
    var bytes = Array(kind.rawValue.utf8)
    withUnsafeBytes(of: salt.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: first.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: version.littleEndian) { bytes.append(contentsOf: $0) }
    var checksum = Checksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    withUnsafeBytes(of: checksum.value.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The beginning of a file.
  package enum Reading: Hashable, Sendable {
    /// A header of this version.
    case header(FrameFileHeader)

    /// A whole header of a version that is not known here.
    case newerVersion(UInt32)

    /// No whole header.
    case unreadable
  }

  /// Reads the header at the beginning of a file.
  package static func read(from bytes: UnsafeRawBufferPointer) -> Reading {
    guard bytes.count >= length, let kind = Kind(rawValue: String(decoding: bytes[..<8], as: UTF8.self)) else {
      return .unreadable
    }
    let salt = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: saltOffset, as: UInt64.self))
    let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    let version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
    let header = FrameFileHeader(kind, salt: salt, first: first)
    guard header.bytes(version: version).elementsEqual(bytes[..<length]) else { return .unreadable }
    guard version == Self.version else { return .newerVersion(version) }
    return (1..<Frame.bound).contains(first) ? .header(header) : .unreadable
  }
}
