internal import Foundation

/// The limit of the depth of values in ``JSONCoding``. Foundation's coders recurse as deep as a value is, regardless of
/// the size of the stack.
enum JSONDepth {
  /// The greatest depth of a value. Each `Codable` value and each container in it is one level. Foundation's decoder
  /// rejects deeper values.
  static let limit = 512

  /// The greatest depth for which the smallest stacks, of half a megabyte, are large enough.
  private static let limitOfAnyStack = 64

  private static let sentence = "The value is more than \(limit) levels deep."

  /// Encodes a value on a stack that is large enough.
  ///
  /// - Parameter userInfo: The encoder's `userInfo`, for types that read it while their depth is measured.
  /// - Throws: `EncodingError` with the path to a value that is too deep, and the errors of the body.
  static func encode(
    _ value: some Encodable,
    _ userInfo: [CodingUserInfoKey: Any],
    _ body: () throws -> Data
  ) throws -> Data {
    guard DepthMeter.isBeyond(limitOfAnyStack, value, userInfo) else { return try body() }
    return try LargeStack.run {
      if DepthMeter.isBeyond(limit, value, userInfo) {
        let path = DepthMeter.pathBeyond(limit, of: value, userInfo)
        throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: sentence))
      }
      return try body()
    }
  }

  /// Decodes JSON on a stack that is large enough.
  ///
  /// - Throws: `DecodingError` with the path to a value that is too deep, and the errors of the body.
  static func decode<Value>(_ data: Data, _ body: () throws -> Value) throws -> Value {
    let depth = depth(of: data)
    guard depth <= limit else {
      throw DecodingError.dataCorrupted(.init(codingPath: pathBeyond(limit, in: data), debugDescription: sentence))
    }
    return try depth <= limitOfAnyStack ? body() : LargeStack.run(body)
  }

  // MARK: Text

  private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

  /// Returns the number of nested arrays and objects in JSON.
  private static func depth(of data: Data) -> Int {
    data.withUnsafeBytes { bytes in
      var (depth, greatest, isText, isEscaped) = (0, 0, false, false)
      for byte in bytes {
        if isText {
          isText = isEscaped || byte != quote
          isEscaped = !isEscaped && byte == backslash
        } else if byte == quote {
          isText = true
        } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
          depth += 1
          greatest = max(greatest, depth)
        } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
          depth -= 1
        }
      }
      return greatest
    }
  }

  /// Returns the path of the first array or object that is deeper than a limit.
  private static func pathBeyond(_ limit: Int, in data: Data) -> [any CodingKey] {
    var path: [BinaryKey] = []
    var text: [UInt8]?
    var (lastText, isEscaped): ([UInt8], Bool) = ([], false)
    for byte in data {
      if let characters = text {
        if !isEscaped, byte == quote { (lastText, text) = (characters, nil) } else { text?.append(byte) }
        isEscaped = !isEscaped && byte == backslash
        continue
      }
      switch byte {
      case quote: text = []
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard path.count < limit else { return path }
        path.append(byte == UInt8(ascii: "[") ? BinaryKey(index: 0) : BinaryKey(stringValue: ""))
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = path.popLast()
      case UInt8(ascii: ","):
        if let index = path.last?.intValue { path[path.count - 1] = BinaryKey(index: index + 1) }
      case UInt8(ascii: ":"):
        if !path.isEmpty { path[path.count - 1] = BinaryKey(stringValue: String(decoding: lastText, as: UTF8.self)) }
      default: break
      }
    }
    return path
  }
}

// MARK: - Values

/// An encoder that writes nothing and measures the depth of a value.
private final class DepthMeter {
  struct TooDeep: Error {}

  let limit: Int
  let userInfo: [CodingUserInfoKey: Any]

  /// `true` if the path to a value that is too deep is needed. It costs an array for each container.
  private let wantsPath: Bool

  /// The path to a value that is too deep, in reverse; nil if there is none.
  private var path: [any CodingKey]?

  private init(limit: Int, _ userInfo: [CodingUserInfoKey: Any], wantsPath: Bool) {
    self.limit = limit
    self.userInfo = userInfo
    self.wantsPath = wantsPath
  }

  /// Returns `true` if a value is deeper than a limit. A value that throws an error before it reaches the limit isn't.
  static func isBeyond(
    _ limit: Int,
    _ value: some Encodable,
    _ userInfo: [CodingUserInfoKey: Any]
  ) -> Bool {
    let meter = DepthMeter(limit: limit, userInfo, wantsPath: false)
    try? meter.visit(value, at: 0, [])
    return meter.path != nil
  }

  /// Returns the path to the first nested value that is deeper than a limit.
  static func pathBeyond(
    _ limit: Int,
    of value: some Encodable,
    _ userInfo: [CodingUserInfoKey: Any]
  ) -> [any CodingKey] {
    let meter = DepthMeter(limit: limit, userInfo, wantsPath: true)
    try? meter.visit(value, at: 0, [])
    return meter.path?.reversed() ?? []
  }

  /// Returns the path of a nested container, if paths are needed.
  func place(_ outer: [any CodingKey], _ key: @autoclosure () -> any CodingKey) -> [any CodingKey] {
    wantsPath ? outer + [key()] : []
  }

  /// Measures a nested value.
  ///
  /// - Parameters:
  ///   - depth: The number of enclosing values and containers.
  ///   - keys: The path of the value in the enclosing value.
  func visit<Value: Encodable>(_ value: Value, at depth: Int, _ keys: @autoclosure () -> [any CodingKey]) throws {
    if Self.isLeaf(Value.self) { return }
    guard depth < limit else { throw note(keys()) }
    do {
      try value.encode(to: DepthEncoder(meter: self, depth: depth + 1, type: Value.self))
    } catch let error as TooDeep {
      path? += keys().reversed()
      throw error
    }
  }

  @discardableResult
  func note(_ keys: [any CodingKey]) -> TooDeep {
    if path == nil { path = keys.reversed() }
    return TooDeep()
  }

  /// Returns `true` for common types of one level, so that their `encode(to:)` needn't be called. Any other type is
  /// measured.
  private static func isLeaf(_ type: Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == Date.self
      || type == Data.self || type == UUID.self || type == URL.self || type == [String].self || type == [Int].self
      || type == [Double].self || type == [UInt8].self
  }
}

private struct DepthEncoder: Encoder {
  let meter: DepthMeter
  let depth: Int

  /// The type of the value that is encoded.
  let type: Any.Type

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { meter.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DepthKeyedContainer<Key>(meter: meter, depth: depth, place: []))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    DepthElements(meter: meter, depth: depth, type: nil, place: [])
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    DepthElements(meter: meter, depth: depth, type: type, place: [])
  }
}

private struct DepthKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let meter: DepthMeter
  let depth: Int

  /// The path of a nested container in the value.
  let place: [any CodingKey]

  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil(forKey key: Key) {}

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try meter.visit(value, at: depth, place + [key])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    if depth >= meter.limit { meter.note(place + [key]) }
    return KeyedEncodingContainer(
      DepthKeyedContainer<Nested>(meter: meter, depth: depth + 1, place: meter.place(place, key)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    if depth >= meter.limit { meter.note(place + [key]) }
    return DepthElements(meter: meter, depth: depth + 1, type: nil, place: meter.place(place, key))
  }

  mutating func superEncoder() -> any Encoder { DepthEncoder(meter: meter, depth: depth + 1, type: Never.self) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// The container of an array or of a single value.
private struct DepthElements: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let meter: DepthMeter
  let depth: Int

  /// The type that encodes itself as a single value; nil for an array.
  let type: Any.Type?

  /// The path of a nested container in the value.
  let place: [any CodingKey]
  var count = 0

  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { count += 1 }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    guard let type else {
      try meter.visit(value, at: depth, place + [BinaryKey(index: count)])
      count += 1
      return
    }
    // If a type encodes itself as its own type, every encoder knows it, such as a number.
    if Value.self != type { try meter.visit(value, at: depth, []) }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(DepthKeyedContainer<Nested>(meter: meter, depth: depth + 1, place: nextPlace()))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    DepthElements(meter: meter, depth: depth + 1, type: nil, place: nextPlace())
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return DepthEncoder(meter: meter, depth: depth + 1, type: Never.self)
  }

  private mutating func nextPlace() -> [any CodingKey] {
    defer { count += 1 }
    if depth >= meter.limit { meter.note(place + [BinaryKey(index: count)]) }
    return meter.place(place, BinaryKey(index: count))
  }
}
