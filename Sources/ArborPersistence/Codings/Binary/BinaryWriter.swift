internal import Arbor
internal import Foundation

/// The bytes of a value that is encoded, and the containers that are open.
///
/// - The containers are open one inside the other, and only the innermost is written to: the bytes follow each other without
///   a copy. Writing to an outer one ends those inside it that its nested containers and super encoders are.
/// - **Containers in turns.** A container may be written to after it has ended so. That is noticed, and the value is
///   encoded again with a writer for each such part, whose bytes are put into those of the whole at the end.
// Used by one thread at a time: the pool hands a writer out once.
final class BinaryWriter: @unchecked Sendable {
  /// A container that is open, or a value of which nothing is encoded yet.
  struct Level {
    enum Content: UInt8 {
      case nothing
      case single
      case object
      case dictionary
      case array

      /// `true` if containers of two contents may write to the same level, as a dictionary may to the level of an object.
      func isKind(of other: Content) -> Bool {
        self == other || (self == .object && other == .dictionary) || (self == .dictionary && other == .object)
      }
    }

    var content: Content

    /// Tells the level from others that were or will be as deep.
    let serial: Int

    /// The offset at which the bytes begin.
    let start: Int

    /// `true` if no call lasts as long as this: a container or encoder that was asked for alone.
    let isLoose: Bool

    /// The keys of the object so far.
    var node = ShapeTree.root

    /// The number of elements, of the entries of a dictionary, or of single values.
    var count = 0
  }

  @exclusivity(unchecked) var bytes: BinaryBuffer
  @exclusivity(unchecked) private(set) var levels: UnsafeMutablePointer<Level>
  private var capacity: Int

  /// The number of levels that are open.
  @exclusivity(unchecked) private(set) var depth = 0
  @exclusivity(unchecked) private var lastSerial = 0

  /// The offsets at which the entries of the open dictionaries begin.
  @exclusivity(unchecked) var entries: [Int] = []

  /// The number of levels that may be open.
  @exclusivity(unchecked) private var depthLimit = BinaryFormat.depthLimit

  /// The first error, which may have occurred where nothing can be thrown.
  @exclusivity(unchecked) private(set) var failure: (any Error)?

  let shapes: ShapeTree

  /// The path and the depth of what is written, if it is a part of another writer's.
  private let basePath: [any CodingKey]
  private let baseDepth: Int

  /// The parts with writers of their own, and where one byte stands for them; nil if parts are written in place.
  var parts: [(offset: Int, writer: BinaryWriter)]?

  init(shapes: ShapeTree = ShapeTree(), parts: Bool = false, path: [any CodingKey] = [], depth: Int = 0) {
    self.shapes = shapes
    self.parts = parts ? [] : nil
    basePath = path
    baseDepth = depth
    bytes = BinaryBuffer()
    capacity = 8
    levels = .allocate(capacity: capacity)
  }

  deinit {
    bytes.free()
    levels.deallocate()
  }

  // MARK: Levels

  /// Opens a level; nil if it is too deep.
  @inline(__always)
  func open(_ content: Level.Content, isLoose: Bool) -> BinaryEncoder? {
    guard baseDepth + depth < depthLimit else { return nil }
    if depth == capacity { growLevels() }
    lastSerial += 1
    levels[depth] = Level(content: content, serial: lastSerial, start: bytes.count, isLoose: isLoose)
    depth += 1
    return BinaryEncoder(writer: self, level: depth - 1, serial: lastSerial)
  }

  @inline(never)
  private func growLevels() {
    let larger = UnsafeMutablePointer<Level>.allocate(capacity: capacity * 2)
    larger.update(from: levels, count: depth)
    levels.deallocate()
    levels = larger
    capacity *= 2
  }

  /// Makes a level the innermost one.
  @inline(__always)
  func enter(_ level: Int, _ serial: Int) throws {
    if level == depth - 1, levels[level].serial == serial, failure == nil { return }
    try reenter(level, serial)
  }

  @inline(never)
  private func reenter(_ level: Int, _ serial: Int) throws {
    if let failure { throw failure }
    guard level < depth, levels[level].serial == serial, (level + 1..<depth).allSatisfy({ levels[$0].isLoose }) else {
      throw fail(BinaryWriterError.inTurns)
    }
    close(downTo: level + 1)
  }

  /// Ends the levels from one on.
  @inline(__always)
  func close(downTo level: Int) {
    while depth > level {
      depth -= 1
      close(levels[depth])
    }
  }

  @inline(__always)
  private func close(_ level: Level) {
    switch level.content {
    case .single where level.count > 0: break
    case .nothing, .single: putShape(of: ShapeTree.root, at: bytes.count)
    case .object: putShape(of: level.node, at: level.start)
    case .array: putCount(level.count, at: level.start + 1)
    case .dictionary: closeDictionary(level)
    }
  }

  /// Forgets what was written from a level on, of which an error was thrown.
  func abandon(downTo level: Int) {
    bytes.truncate(to: levels[level].start)
    depth = level
    while let entry = entries.last, entry >= bytes.count { entries.removeLast() }
    while let part = parts?.last, part.offset >= bytes.count { parts!.removeLast() }
  }

  /// Forgets a value of a level's of which an error was thrown, with its key.
  func abandonValue(of level: Int, after node: Int = ShapeTree.root) {
    guard failure == nil, level == depth - 1 else { return }
    switch levels[level].content {
    case .nothing: break
    case .single:
      levels[level].content = .nothing
      levels[level].count = 0
    case .object: levels[level].node = node
    case .array: levels[level].count -= 1
    case .dictionary:
      levels[level].count -= 1
      bytes.truncate(to: entries.removeLast())
    }
  }

  /// The number of elements that were written so far to an array.
  func count(of encoder: BinaryEncoder) -> Int {
    guard encoder.level < depth, levels[encoder.level].serial == encoder.serial else { return 0 }
    return levels[encoder.level].count
  }

  /// Remembers the first error, which ends the encoding in any case.
  @discardableResult
  func fail(_ error: any Error) -> any Error {
    if failure == nil { failure = error }
    return failure!
  }

  /// The error of a value that is inside too many others.
  func failByDepth(_ value: Any) -> any Error {
    guard depthLimit == BinaryFormat.depthLimit else { return fail(BinaryWriterError.tooDeepForStack) }
    return fail(error(value, "The value is more than \(depthLimit) levels deep.", at: depth))
  }

  /// Begins another value.
  func begin(depthLimit: Int) {
    self.depthLimit = depthLimit
    bytes.truncate(to: 0)
    entries.removeAll(keepingCapacity: true)
    depth = 0
    failure = nil
  }

  // MARK: Paths

  var depthInWhole: Int { baseDepth + depth }

  /// The path of a level's value.
  func path(to level: Int) -> [any CodingKey] {
    basePath + (0..<min(level, depth)).compactMap { lastKey(of: $0) }
  }

  /// The key of the value that was written last in a level.
  private func lastKey(of index: Int) -> (any CodingKey)? {
    let level = levels[index]
    switch level.content {
    case .nothing, .single: return nil
    case .object: return shapes.lastKey(of: level.node).map { BinaryKey(stringValue: $0) }
    case .array: return BinaryKey(index: max(level.count - 1, 0))
    case .dictionary: return lastEntryKey(before: index + 1 < depth ? levels[index + 1].start : bytes.count)
    }
  }

  func error(_ value: Any, _ text: String, at level: Int) -> EncodingError {
    .invalidValue(value, .init(codingPath: path(to: level), debugDescription: text))
  }
}

/// A condition that another writer deals with.
enum BinaryWriterError: Error {
  /// Containers were written to in turns.
  case inTurns

  /// The levels are more than any stack has room for, and fewer than are allowed.
  case tooDeepForStack
}

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
