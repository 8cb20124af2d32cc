extension JSONReader {
  /// An object or array whose end has not come yet.
  private struct Open {
    let isObject: Bool
    var key = ""
    var elements: [RecordedValue] = []
    var members: [RecordedObject.Member] = []

    mutating func append(_ value: RecordedValue) {
      if isObject { members.append(.init(key, value)) } else { elements.append(value) }
    }

    var value: RecordedValue { isObject ? .object(RecordedObject(members)) : .array(elements) }
  }

  /// Takes a value. However deep it is, the stack stays as it is.
  package mutating func value() throws(JSONReadingError) -> RecordedValue {
    var open: [Open] = []
    while true {
      guard var value = try leaf(orBegin: &open) else { continue }
      while true {
        guard !open.isEmpty else { return value }
        open[open.count - 1].append(value)
        guard try hasNext(in: &open[open.count - 1]) else {
          value = open.removeLast().value
          continue
        }
        break
      }
    }
  }

  /// Takes what comes behind a value: `true` if that is a comma, with the key behind it; `false` if it is the end.
  private mutating func hasNext(in open: inout Open) throws(JSONReadingError) -> Bool {
    if try takeIfNext(",") {
      if open.isObject { open.key = try key() }
      return true
    }
    guard try takeIfNext(open.isObject ? "}" : "]") else {
      guard let byte = try peek() else { throw error(.endsTooEarly) }
      throw error(.unexpected(byte, wanted: open.isObject ? "\",\" or \"}\"" : "\",\" or \"]\""))
    }
    return false
  }

  /// Takes a key and the colon behind it.
  mutating func key() throws(JSONReadingError) -> String {
    let key = try string()
    try take(":")
    return key
  }

  /// Takes a value that has no parts, or the beginning of one that has: then nil.
  private mutating func leaf(orBegin open: inout [Open]) throws(JSONReadingError) -> RecordedValue? {
    guard let byte = try token() else { throw error(.endsTooEarly) }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSONReader.depth else { throw error(.deeper(than: JSONReader.depth)) }
      _ = try next()
      let isObject = byte == UInt8(ascii: "{")
      if try takeIfNext(isObject ? "}" : "]") { return isObject ? .object(RecordedObject()) : .array([]) }
      open.append(Open(isObject: isObject))
      if isObject { open[open.count - 1].key = try key() }
      return nil
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error(.unexpected(byte, wanted: "a value"))
    }
  }

  private mutating func word(_ word: String, _ value: RecordedValue) throws(JSONReadingError) -> RecordedValue {
    let first = offset
    for wanted in word.utf8 {
      guard try next() == wanted else { throw error(.invalid("a word that is not \(word)"), at: first) }
    }
    return value
  }
}
