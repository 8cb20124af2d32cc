internal import Foundation

/// The checksum of a value by what it encodes: the same in each process, whatever order its sets and dictionaries have.
enum StateChecksum {
  static func of(_ value: some Encodable) -> UInt64 { checksum(of: value) }

  fileprivate static func checksum<Value: Encodable>(of value: Value) -> UInt64 {
    switch value {
    case let text as String: return checksum(ofBytes: text.utf8)
    case let bytes as Data: return checksum(ofBytes: bytes)
    case let flag as Bool: return flag ? 1 : 2
    // Equal numbers may have other bits.
    case let number as Double: return number == 0 ? 3 : number.bitPattern
    case let number as Float: return number == 0 ? 3 : UInt64(number.bitPattern)
    case let number as any BinaryInteger: return UInt64(truncatingIfNeeded: number)
    case let collection as any Unordered: return collection.checksum
    default:
      let parts = ChecksumParts()
      do {
        try value.encode(to: ChecksumEncoder(parts: parts))
      } catch {
        return checksum(ofBytes: "\(error)".utf8)
      }
      return parts.checksum
    }
  }

  /// The checksum of bytes by the function FNV-1a, of Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo.
  fileprivate static func checksum(ofBytes bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Mixes two numbers by the last steps of MurmurHash3, of Austin Appleby.
  fileprivate static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var hash = (left &+ 1) &* 0x9E37_79B9_7F4A_7C15 ^ right
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}

/// A collection whose elements have no order.
private protocol Unordered {
  var checksum: UInt64 { get }
}

extension Set: Unordered where Element: Encodable {
  fileprivate var checksum: UInt64 {
    reduce(UInt64(count)) { $0 &+ StateChecksum.mix(0, StateChecksum.checksum(of: $1)) }
  }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
  fileprivate var checksum: UInt64 {
    reduce(UInt64(count)) { sum, pair in
      sum &+ StateChecksum.mix(StateChecksum.checksum(of: pair.key), StateChecksum.checksum(of: pair.value))
    }
  }
}

/// The parts of a value that is encoded.
private final class ChecksumParts {
  private var sum: UInt64 = 0
  private var count = 0

  /// Containers that may be written to until the value is encoded.
  private var open: [(key: UInt64, parts: ChecksumParts)] = []

  /// The number of the next part without a key.
  var next: UInt64 { UInt64(count) }

  var checksum: UInt64 {
    open.reduce(sum &+ UInt64(count)) { $0 &+ StateChecksum.mix($1.key, $1.parts.checksum) }
  }

  /// Adds a part. The sum has no order, as the key is in each summand.
  func add(_ checksum: UInt64, at key: UInt64) {
    count += 1
    sum &+= StateChecksum.mix(key, checksum)
  }

  func addContainer(at key: UInt64) -> ChecksumEncoder {
    count += 1
    open.append((key, ChecksumParts()))
    return ChecksumEncoder(parts: open[open.count - 1].parts)
  }
}

private struct ChecksumEncoder: Encoder {
  let parts: ChecksumParts
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedChecksum<Key>(parts: parts))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedChecksum(parts: parts) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleChecksum(parts: parts) }
}

private struct KeyedChecksum<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let parts: ChecksumParts
  var codingPath: [any CodingKey] { [] }

  private func name(_ key: any CodingKey) -> UInt64 { StateChecksum.checksum(ofBytes: key.stringValue.utf8) }

  func encodeNil(forKey key: Key) { parts.add(0, at: name(key)) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
    parts.add(StateChecksum.checksum(of: value), at: name(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    parts.addContainer(at: name(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    parts.addContainer(at: name(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { parts.addContainer(at: StateChecksum.checksum(ofBytes: "super".utf8)) }

  func superEncoder(forKey key: Key) -> any Encoder { parts.addContainer(at: name(key)) }
}

private struct UnkeyedChecksum: UnkeyedEncodingContainer {
  let parts: ChecksumParts
  var codingPath: [any CodingKey] { [] }
  var count: Int { Int(parts.next) }

  func encodeNil() { parts.add(0, at: parts.next) }

  func encode<Value: Encodable>(_ value: Value) { parts.add(StateChecksum.checksum(of: value), at: parts.next) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    parts.addContainer(at: parts.next).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    parts.addContainer(at: parts.next).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { parts.addContainer(at: parts.next) }
}

private struct SingleChecksum: SingleValueEncodingContainer {
  let parts: ChecksumParts
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { parts.add(0, at: 0) }

  func encode<Value: Encodable>(_ value: Value) { parts.add(StateChecksum.checksum(of: value), at: 0) }
}
