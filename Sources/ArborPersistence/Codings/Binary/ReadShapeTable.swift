internal import Foundation

/// The shapes of the objects of a value that is being decoded; see ``BinaryFormat``.
final class ReadShapeTable {
  /// The bytes from which the table was read.
  let bytes: [UInt8]

  let shapes: [ReadShape]

  private init(bytes: [UInt8], shapes: [ReadShape]) {
    self.bytes = bytes
    self.shapes = shapes
  }

  /// Reads the table in a range of a cursor's bytes; nil if the bytes aren't a table.
  convenience init?(_ cursor: BinaryCursor, _ range: Range<Int>) {
    let table = BinaryCursor(start: cursor.start, end: range.upperBound)
    var offset = range.lowerBound
    var names: [String] = []
    var shapes: [ReadShape] = []
    guard let count = table.count(&offset) else { return nil }
    shapes.reserveCapacity(count)
    for _ in 0..<count {
      guard let shape = ReadShapeTable.shape(table, &offset, &names) else { return nil }
      shapes.append(shape)
    }
    guard offset == range.upperBound else { return nil }
    self.init(bytes: Array(cursor.bytes(range)), shapes: shapes)
  }

  private static func shape(_ table: BinaryCursor, _ offset: inout Int, _ names: inout [String]) -> ReadShape? {
    guard let count = table.count(&offset) else { return nil }
    var keys: ContiguousArray<String> = []
    var numbers: [Int] = []
    keys.reserveCapacity(count)
    numbers.reserveCapacity(count)
    for _ in 0..<count {
      guard let key = table.number(&offset) else { return nil }
      if key.isMultiple(of: 2) {
        guard let name = table.string(&offset, count: key / 2) else { return nil }
        numbers.append(names.count)
        names.append(name)
      } else {
        guard key / 2 < names.count else { return nil }
        numbers.append(key / 2)
      }
      keys.append(names[numbers[numbers.count - 1]])
    }
    return ReadShape(keys, hasRepeats: hasRepeats(numbers))
  }

  private static func hasRepeats(_ numbers: [Int]) -> Bool {
    guard numbers.count <= 16 else { return Set(numbers).count < numbers.count }
    return numbers.indices.contains { numbers[..<$0].contains(numbers[$0]) }
  }

  /// Returns `true` if the table was read from the same bytes.
  func isRead(from other: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == other.count else { return false }
    return bytes.withUnsafeBytes { memcmp($0.baseAddress!, other.baseAddress!, other.count) == 0 }
  }
}

/// The keys of objects that are being decoded.
final class ReadShape {
  let keys: ContiguousArray<String>

  /// `true` if a key occurs twice: its last value is used.
  let hasRepeats: Bool

  /// The number of keys up to which a linear search is faster than making a dictionary.
  private static let fewKeys = 16

  /// The indexes of the keys, used if there are many.
  private lazy var places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })

  /// The keys of one type, without those that the type doesn't know.
  private var typedKeys: AnyObject?
  private var typeOfKeys: ObjectIdentifier?

  init(_ keys: ContiguousArray<String>, hasRepeats: Bool) {
    self.keys = keys
    self.hasRepeats = hasRepeats
  }

  /// Returns the index of a key, which is probably a given one; nil if there is none.
  @inline(__always)
  func place(of key: String, near guess: Int) -> Int? {
    if guess < keys.count, keys[guess] == key, !hasRepeats { return guess }
    return search(key, from: guess)
  }

  @inline(never)
  private func search(_ key: String, from guess: Int) -> Int? {
    if hasRepeats || keys.count > Self.fewKeys { return places[key] }
    var place = guess
    for _ in keys.indices {
      place = place + 1 < keys.count ? place + 1 : 0
      if keys[place] == key { return place }
    }
    return nil
  }

  /// Returns the keys of a type, in their order.
  func keys<Key: CodingKey>(as type: Key.Type) -> [Key] {
    if typeOfKeys == ObjectIdentifier(type) { return unsafeDowncast(typedKeys!, to: TypedKeys<Key>.self).keys }
    let typed = TypedKeys(keys: keys.compactMap { Key(stringValue: $0) })
    typedKeys = typed
    typeOfKeys = ObjectIdentifier(type)
    return typed.keys
  }

  private final class TypedKeys<Key: CodingKey> {
    let keys: [Key]

    init(keys: [Key]) { self.keys = keys }
  }
}
