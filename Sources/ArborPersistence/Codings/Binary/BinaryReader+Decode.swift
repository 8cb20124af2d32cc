internal import Arbor
internal import Foundation

extension BinaryReader {
  /// Readers that are not in use, with the tables of keys that they have read.
  private static let pool = Protected<[BinaryReader]>([])
  private static let poolLimit = 4

  /// Returns the value of bytes.
  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var reader = pool.withLock { $0.popLast() } ?? BinaryReader()
    defer { put(back: &reader) }
    do {
      let value = try reader.decode(type, from: data, depthLimit: BinaryFormat.depthLimitOfAnyStack)
      if !reader.isTooDeep { return value }
    } catch {
      guard reader.isTooDeep else { throw error }
    }
    // The value may have caught the error of what was too deep.
    return try LargeStack.run { try reader.decode(type, from: data, depthLimit: BinaryFormat.depthLimit) }
  }

  private static func put(back reader: inout BinaryReader) {
    // A decoder that somebody keeps must not read another value.
    guard isKnownUniquelyReferenced(&reader) else { return }
    let spare = reader
    pool.withLock { if $0.count < poolLimit { $0.append(spare) } }
  }

  private func decode<Value: Decodable>(_ type: Value.Type, from data: Data, depthLimit: Int) throws -> Value {
    defer { end() }
    return try data.withUnsafeBytes { bytes in
      var offset = try begin(bytes, depthLimit: depthLimit)
      // The value is in no other one: neither it nor what has no keys around it is at a key.
      let root = BinaryPlace(self, start: offset, in: nil, at: nil)
      var spare: BinaryPlace?
      let value = try root.value(type, &offset, at: nil, &spare)
      guard offset == bytes.count else { throw damage("There are bytes behind the value.", at: offset) }
      return value
    }
  }
}
