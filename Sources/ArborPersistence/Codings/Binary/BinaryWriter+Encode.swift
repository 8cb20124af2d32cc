internal import Arbor
internal import Foundation

extension BinaryWriter {
  /// Writers that are not in use, with the keys of the types that they have encoded.
  private static let pool = Protected<[BinaryWriter]>([])
  private static let poolLimit = 4

  /// More bytes than these are given away rather than copied.
  private static let keptCapacity = 1 << 16

  /// Returns the bytes of a value.
  static func encode<Value: Encodable>(_ value: Value) throws -> Data {
    do {
      return try encode(value, depthLimit: BinaryFormat.depthLimitOfAnyStack)
    } catch BinaryWriterError.tooDeepForStack {
      return try LargeStack.run { try encode(value, depthLimit: BinaryFormat.depthLimit) }
    }
  }

  private static func encode<Value: Encodable>(_ value: Value, depthLimit: Int) throws -> Data {
    var writer = pool.withLock { $0.popLast() } ?? BinaryWriter()
    if !writer.shapes.begin() { writer = BinaryWriter() }
    writer.begin(depthLimit: depthLimit)
    do {
      try writer.putAny(value)
    } catch {
      // The value may have caught the failure, and thrown an error of its own.
      guard let failure = writer.failure else { throw error }
      if case BinaryWriterError.inTurns = failure { return try LargeStack.run { try encodeInTurns(value) } }
      throw failure
    }
    let data = writer.finish()
    // A container that somebody keeps must not write into another value.
    if isKnownUniquelyReferenced(&writer) {
      let spare = writer
      pool.withLock { if $0.count < poolLimit { $0.append(spare) } }
    }
    return data
  }

  /// Returns the bytes of a value that writes to its containers in turns.
  private static func encodeInTurns<Value: Encodable>(_ value: Value) throws -> Data {
    let writer = BinaryWriter(parts: true)
    do {
      try writer.putAny(value)
      try writer.assemble()
    } catch BinaryWriterError.inTurns {
      let text = "A container was written to while a value inside it was encoded, or after its own was."
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: text))
    }
    return writer.finish()
  }

  /// The whole bytes: those written so far, behind the version and the table.
  private func finish() -> Data {
    let body = bytes.count
    shapes.write(to: &bytes)
    let table = bytes.count - body
    let header = 1 + BinaryBuffer.width(ofCount: table)
    bytes.makeGap(of: header + table, at: 0)
    memcpy(bytes.start + header, bytes.start + bytes.count - table, table)
    bytes.truncate(to: bytes.count - table)
    bytes.put(BinaryFormat.version, at: 0)
    bytes.put(count: table, at: 1)
    guard bytes.count > Self.keptCapacity else { return Data(bytes: bytes.start, count: bytes.count) }
    let count = bytes.count
    return Data(bytesNoCopy: bytes.release(), count: count, deallocator: .free)
  }
}
