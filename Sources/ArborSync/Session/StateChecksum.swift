internal import Arbor
internal import Foundation

/// The checksum of a value's encoded content. It is the same in each process, regardless of the order of sets and dictionaries.
enum StateChecksum {
  static func of(_ value: some Encodable) -> UInt64 { checksum(of: value) }

  fileprivate static func checksum<Value: Encodable>(of value: Value) -> UInt64 {
    switch value {
    case let text as String: return checksum(ofBytes: text.utf8)
    case let bytes as Data: return checksum(ofBytes: bytes)
    case let flag as Bool: return flag ? 1 : 2
    // Equal numbers may have different bits.
    case let number as Double: return number == 0 ? 3 : number.bitPattern
    case let number as Float: return number == 0 ? 3 : UInt64(number.bitPattern)
    case let number as any BinaryInteger: return UInt64(truncatingIfNeeded: number)
    case let collection as any Unordered: return collection.checksum
    default:
      let parts = ChecksumParts()
      do {
        try value.encode(to: parts)
      } catch {
        return checksum(ofBytes: "\(error)".utf8)
      }
      return parts.checksum
    }
  }

  /// Returns the checksum of bytes with the function FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo.
  fileprivate static func checksum(ofBytes bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Mixes two numbers with the last steps of MurmurHash3, by Austin Appleby.
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

/// The parts of a value being encoded: its encoder, and the container of an array or a single value.
private final class ChecksumParts: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  private var sum: UInt64 = 0
  private(set) var count = 0

  /// Containers that may be written to until the value is encoded.
  private var open: [(key: UInt64, parts: ChecksumParts)] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The number of the next part without a key.
  private var next: UInt64 { UInt64(count) }

  var checksum: UInt64 {
    open.reduce(sum &+ next) { $0 &+ StateChecksum.mix($1.key, $1.parts.checksum) }
  }

  /// Adds a part. The order of the additions doesn't matter, because the key is in each summand.
  func add(_ checksum: UInt64, at key: UInt64) {
    count += 1
    sum &+= StateChecksum.mix(key, checksum)
  }

  func addContainer(at key: UInt64) -> ChecksumParts {
    count += 1
    open.append((key, ChecksumParts()))
    return open[open.count - 1].parts
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedChecksum<Key>(parts: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { add(0, at: next) }

  func encode<Value: Encodable>(_ value: Value) { add(StateChecksum.checksum(of: value), at: next) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    addContainer(at: next).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { addContainer(at: next) }

  func superEncoder() -> any Encoder { addContainer(at: next) }
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
    parts.addContainer(at: name(key))
  }

  func superEncoder() -> any Encoder { parts.addContainer(at: StateChecksum.checksum(ofBytes: "super".utf8)) }

  func superEncoder(forKey key: Key) -> any Encoder { parts.addContainer(at: name(key)) }
}

/// The checksums of all clients' confirmed states at some positions.
final class StateChecksums: Sendable {
  /// The number of positions whose checksums are stored.
  private static let kept = 16

  private struct Content: Sendable {
    var own: [Int: UInt64] = [:]

    /// The other clients' checksums at positions that this client hasn't reached.
    var others: [Int: Set<UInt64>] = [:]
  }

  private let interval: Int
  private let content = Protected(Content())

  /// - Parameter interval: The distance between compared positions; 0 to compare none.
  init(interval: Int) {
    self.interval = interval
  }

  /// Returns the first position, from a given one on, at which states are compared.
  func nextPosition(from position: Int) -> Int {
    guard interval > 0 else { return .max }
    let (next, isTooGreat) = position.addingReportingOverflow((interval - position % interval) % interval)
    return isTooGreat ? .max : next
  }

  func isDue(at position: Int) -> Bool { interval > 0 && position.isMultiple(of: interval) }

  /// Returns this client's checksum at a position; nil if it isn't stored.
  func own(at position: Int) -> UInt64? { content.withLock { $0.own[position] } }

  /// Notes this client's checksum. Returns `false` if another client has sent a different one.
  func note(_ checksum: UInt64, at position: Int) -> Bool {
    content.withLock { content in
      content.own[position] = checksum
      if content.own.count > Self.kept, let oldest = content.own.keys.min() { content.own[oldest] = nil }
      let others = content.others.removeValue(forKey: position) ?? []
      content.others = content.others.filter { $0.key > position }
      return others.isSubset(of: [checksum])
    }
  }

  /// Notes the checksum of another client. Returns `false` if this client has a different one.
  func agrees(_ checksum: UInt64, at position: Int) -> Bool {
    content.withLock { content in
      if let own = content.own[position] { return own == checksum }
      guard position > content.own.keys.max() ?? -1 else { return true }
      // Two different ones are enough.
      if content.others.count < Self.kept || content.others[position] != nil, content.others[position]?.count ?? 0 < 2 {
        content.others[position, default: []].insert(checksum)
      }
      return true
    }
  }
}
