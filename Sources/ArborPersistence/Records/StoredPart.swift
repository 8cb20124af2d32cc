/// A part of a state as it is stored: its complete value, and the differences since then.
package struct StoredPart: Hashable, Sendable {
  /// The name under which the part was declared.
  package var name: String

  /// The version of the part's type.
  package var version: Int

  /// The name of the coding.
  package var coding: String

  /// The bytes of the complete value.
  package var bytes: [UInt8]

  /// The bytes of the differences since then, in order.
  package var differences: [[UInt8]] = []

  package init(name: String, version: Int, coding: String, bytes: [UInt8]) {
    self.name = name
    self.version = version
    self.coding = coding
    self.bytes = bytes
  }

  /// The number of bytes of the value and its differences.
  package var size: Int { differences.reduce(bytes.count) { $0 + $1.count } }
}

/// The change to a part by one entry of a log.
package enum PartChange: Hashable, Sendable {
  /// A new value.
  case value(StoredPart)

  /// The bytes of the difference from the previous value.
  case difference(name: String, [UInt8])

  /// The name of the part.
  package var name: String {
    switch self {
    case .value(let part): part.name
    case .difference(let name, _): name
    }
  }

  /// The number of bytes of the value or the difference.
  package var size: Int {
    switch self {
    case .value(let part): part.size
    case .difference(_, let bytes): bytes.count
    }
  }
}

extension [UInt8] {
  /// Appends the record of a change.
  mutating func append(_ change: PartChange) {
    switch change {
    case .value(let part):
      append(0)
      append(part)
    case .difference(let name, let bytes):
      append(1)
      append(text: name)
      append(field: bytes)
    }
  }

  /// Appends the record of a part.
  mutating func append(_ part: StoredPart) {
    append(text: part.name)
    append(number: UInt64(part.version))
    append(text: part.coding)
    append(field: part.bytes)
    append(number: UInt64(part.differences.count))
    for difference in part.differences { append(field: difference) }
  }
}

extension RecordReader {
  mutating func part() throws(Malformed) -> StoredPart {
    let name = try text()
    var part = StoredPart(name: name, version: try count(), coding: try text(), bytes: Array(try field()))
    for _ in 0..<(try number()) { part.differences.append(Array(try field())) }
    return part
  }

  mutating func change() throws(Malformed) -> PartChange {
    switch try byte() {
    case 0: .value(try part())
    case 1: .difference(name: try text(), Array(try field()))
    default: throw Malformed()
    }
  }
}
