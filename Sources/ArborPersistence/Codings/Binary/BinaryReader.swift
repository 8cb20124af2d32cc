internal import Arbor
internal import Foundation

/// The reader of the bytes of a value that is being decoded.
///
/// - It has the bytes only during a decoding: a decoder that is kept longer finds no value.
/// - Each function that reads a value moves the offset to its end. If another value or none is there, the function
///   returns nil, and the offset is then meaningless.
// Used by one thread at a time: the pool hands out each reader once.
final class BinaryReader: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var cursor = BinaryCursor.empty
  @exclusivity(unchecked) private(set) var shapes: [ReadShape] = []

  /// The start and the end of the value that was decoded last.
  @exclusivity(unchecked) private var knownStart = -1
  @exclusivity(unchecked) private var knownEnd = -1

  /// The greatest depth that is decoded, and `true` if a value was deeper.
  private var depthLimit = BinaryFormat.depthLimit
  private(set) var isTooDeep = false

  /// Tables that were read, in slots that depend on their bytes.
  private var tables: [ReadShapeTable?]

  /// Bytes that belong to the reader; nil if it reads others.
  private var ownBytes: UnsafeMutableRawPointer?

  private static let tableSlots = 64
  private static let largestKeptTable = 1024

  init() {
    tables = Array(repeating: nil, count: Self.tableSlots)
  }

  /// Makes the reader of a value without objects, and takes over its bytes.
  init(_ value: BinaryBuffer) {
    tables = []
    ownBytes = value.start
    cursor = BinaryCursor(start: UnsafeRawPointer(value.start), end: value.count)
  }

  deinit { if let ownBytes { free(ownBytes) } }

  /// Reads the version and the table, and returns the offset at which the value begins.
  func begin(_ bytes: UnsafeRawBufferPointer, depthLimit: Int) throws -> Int {
    self.depthLimit = depthLimit
    isTooDeep = false
    guard let start = bytes.baseAddress, bytes.count > 0 else { throw damage("The data is empty.", at: 0) }
    cursor = BinaryCursor(start: start, end: bytes.count)
    knownStart = -1
    guard bytes[0] == BinaryFormat.version else {
      throw damage("The form has version \(bytes[0]), but only version \(BinaryFormat.version) can be read.", at: 0)
    }
    var offset = 1
    guard let count = cursor.count(&offset) else { throw damage("The table of keys is incomplete.", at: 1) }
    let range = offset..<offset + count
    guard let shapes = shapes(range) else { throw damage("The table of keys is damaged.", at: offset) }
    self.shapes = shapes
    return offset + count
  }

  /// Ends the use of the bytes.
  func end() {
    cursor = BinaryCursor.empty
    shapes = []
    knownStart = -1
  }

  private func shapes(_ range: Range<Int>) -> [ReadShape]? {
    guard !range.isEmpty else { return [] }
    let bytes = cursor.bytes(range)
    guard bytes.count <= Self.largestKeptTable else { return ReadShapeTable(cursor, range)?.shapes }
    let slot = Self.slot(of: bytes)
    if let table = tables[slot], table.isRead(from: bytes) { return table.shapes }
    let table = ReadShapeTable(cursor, range)
    if let table { tables[slot] = table }
    return table?.shapes
  }

  private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
    var mixed = UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      mixed = (mixed ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      mixed ^= mixed >> 32
      offset += 8
    }
    for byte in bytes[offset...] { mixed = (mixed ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) % UInt64(tableSlots))
  }

  // MARK: Ends

  /// Remembers where a value ends.
  @inline(__always)
  func remember(_ start: Int, endsAt end: Int) {
    knownStart = start
    knownEnd = end
  }

  /// Returns the offset at which a value ends; nil if it is damaged.
  @inline(__always)
  func end(of start: Int) -> Int? {
    knownStart == start ? knownEnd : skip(start)
  }

  /// Finds the end of a value by reading it without its types; returns nil if it is damaged.
  private func skip(_ start: Int) -> Int? {
    var offset = start
    var pending = 1
    while pending > 0 {
      pending -= 1
      guard let tag = cursor.tag(at: offset) else { return nil }
      offset += 1
      guard let inside = skipContent(tag, &offset), inside <= cursor.end - offset - pending else { return nil }
      pending += inside
    }
    return offset
  }

  /// Skips the bytes after a tag up to the nested values, and returns the number of these.
  @inline(__always)
  private func skipContent(_ tag: UInt8, _ offset: inout Int) -> Int? {
    let length: Int
    switch tag {
    case 0..<BinaryTag.firstShape: return 0
    case BinaryTag.firstShape..<BinaryTag.shortString: return shape(tag, &offset)?.keys.count
    case BinaryTag.shortString..<BinaryTag.null: length = Int(tag - BinaryTag.shortString)
    case BinaryTag.null, BinaryTag.absent, BinaryTag.true, BinaryTag.false: return 0
    case BinaryTag.integer..<BinaryTag.negative: length = 1 << Int(tag - BinaryTag.integer)
    case BinaryTag.negative..<BinaryTag.float: length = 1 << Int(tag - BinaryTag.negative)
    case BinaryTag.float: length = 4
    case BinaryTag.double: length = 8
    case BinaryTag.string, BinaryTag.bytes:
      guard let count = cursor.count(&offset) else { return nil }
      length = count
    case BinaryTag.array: return cursor.count(&offset)
    case BinaryTag.dictionary: return cursor.count(&offset, ofWidth: 2).map { $0 * 2 }
    case BinaryTag.object: return shape(tag, &offset)?.keys.count
    default: return nil
    }
    guard length <= cursor.end - offset else { return nil }
    offset += length
    return 0
  }

  /// Returns the shape of an object whose tag was read.
  @inline(__always)
  func shape(_ tag: UInt8, _ offset: inout Int) -> ReadShape? {
    if tag >= BinaryTag.firstShape, tag < BinaryTag.shortString {
      let number = Int(tag - BinaryTag.firstShape)
      return number < shapes.count ? shapes[number] : nil
    }
    guard tag == BinaryTag.object, let number = cursor.number(&offset), number < shapes.count else { return nil }
    return shapes[number]
  }

  /// Returns `true` if a value of a depth is decoded.
  @inline(__always)
  func allows(_ depth: Int) -> Bool {
    if depth > depthLimit { isTooDeep = true }
    return depth <= depthLimit
  }

  func damage(_ text: String, at offset: Int, _ path: [any CodingKey] = []) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: "\(text) At byte \(offset) of \(cursor.end)."))
  }
}

extension BinaryReader {
  /// Unused readers, with the tables of keys that they have read.
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
    // The value may have caught the error of a nested value that is too deep.
    return try LargeStack.run { try reader.decode(type, from: data, depthLimit: BinaryFormat.depthLimit) }
  }

  private static func put(back reader: inout BinaryReader) {
    // A decoder that is still in use must not read another value.
    guard isKnownUniquelyReferenced(&reader) else { return }
    let spare = reader
    pool.withLock { if $0.count < poolLimit { $0.append(spare) } }
  }

  private func decode<Value: Decodable>(_ type: Value.Type, from data: Data, depthLimit: Int) throws -> Value {
    defer { end() }
    return try data.withUnsafeBytes { bytes in
      var offset = try begin(bytes, depthLimit: depthLimit)
      // The root has no enclosing value and no key, and the value in it has no key, either.
      let root = BinaryPlace(self, start: offset, in: nil, at: nil)
      var spare: BinaryPlace?
      let value = try root.value(type, &offset, at: nil, &spare)
      guard offset == bytes.count else { throw damage("There are extra bytes after the value.", at: offset) }
      return value
    }
  }
}
