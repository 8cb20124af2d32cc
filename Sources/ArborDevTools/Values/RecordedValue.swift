/// A state, an action or a part of one in the form of a recording's file: a tree of JSON values.
///
/// - Whole numbers from `Int64.min` to `UInt64.max` are exact.
/// - A value that a file doesn't show is replaced by a mark, an object with the key `$arbor`. The mark is
///   `{"$arbor":"redacted"}`, or `{"$arbor":"omitted","text":"…"}` if the value was too deep or too large.
/// - Numbers that aren't finite are objects with such a mark instead of doubles, so that every tree can be written.
/// - A program's own key `$arbor` becomes `$$arbor` in the tree.
public enum RecordedValue: Sendable {
  /// JSON's null.
  case null

  /// A Boolean.
  case bool(Bool)

  /// An integer in the range of `Int64`.
  case integer(Int64)

  /// An integer greater than `Int64.max`; any smaller one is an `integer`.
  case unsigned(UInt64)

  /// Any other finite number.
  case double(Double)

  /// A text.
  case string(String)

  /// A list of values.
  case array([RecordedValue])

  /// Values with keys.
  case object(RecordedObject)

  /// Makes an integer; a marked text if it doesn't fit into 64 bits.
  package init(_ number: some BinaryInteger) {
    if let integer = Int64(exactly: number) {
      self = .integer(integer)
    } else if let unsigned = UInt64(exactly: number) {
      self = .unsigned(unsigned)
    } else {
      self = .number("\(number)")
    }
  }

  /// Makes a number; a marked text if it isn't finite.
  package init(_ number: Double) {
    self = number.isFinite ? .double(number) : .number("\(number)")
  }

  /// Makes a number with no more digits than its type needs.
  package init(_ number: Float) {
    guard number.isFinite, let short = Double("\(number)"), Float(short) == number else {
      self.init(Double(number))
      return
    }
    self = .double(short)
  }
}

extension RecordedValue: Equatable {
  /// Compares two trees, ignoring the order of keys. Texts and numbers must be bitwise identical.
  ///
  /// - Parts that share their memory aren't traversed.
  /// - It uses the same stack space for any depth.
  public static func == (left: RecordedValue, right: RecordedValue) -> Bool {
    var pairs: [(RecordedValue, RecordedValue)] = []
    var next: (RecordedValue, RecordedValue)? = (left, right)
    while let (left, right) = next {
      guard left.hasEqualContent(as: right, &pairs) else { return false }
      next = pairs.popLast()
    }
    return true
  }

  /// Compares two values, and adds the pairs of their parts that must still be compared.
  private func hasEqualContent(as other: RecordedValue, _ pairs: inout [(RecordedValue, RecordedValue)]) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.unsigned(let left), .unsigned(let right)): return left == right
    case (.double(let left), .double(let right)): return left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): return ExactText(left) == ExactText(right)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      if !left.sharesMemory(with: right) { pairs.append(contentsOf: zip(left, right)) }
      return true
    case (.object(let left), .object(let right)): return left.hasEqualKeys(as: right, &pairs)
    default: return false
    }
  }
}

extension RecordedValue {
  /// The value as a number; nil if it is of another kind.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension RecordedValue: CustomStringConvertible {
  /// The tree as JSON, on one line.
  public var description: String { String(decoding: JSONText(of: self).bytes, as: UTF8.self) }
}

extension RecordedValue {
  private static let mark = "$arbor"

  /// The mark in place of a redacted value: `{"$arbor":"redacted"}`.
  package static let redacted = RecordedValue.object(RecordedObject([.init(mark, .string("redacted"))]))

  /// Makes the mark in place of a value that is too deep or too large: `{"$arbor":"omitted","text":"…"}`.
  package static func omitted(_ text: String) -> RecordedValue { marked("omitted", text) }

  /// Makes the mark of a number that JSON or doubles can't represent: `{"$arbor":"number","text":"nan"}`, `inf`, `-inf`
  /// or digits.
  package static func number(_ text: String) -> RecordedValue { marked("number", text) }

  private static func marked(_ name: String, _ text: String) -> RecordedValue {
    .object(RecordedObject([.init(mark, .string(name)), .init("text", .string(text))]))
  }

  /// The name of the mark of a marked object, and its text; nil for any other value.
  package var markedText: (mark: String, text: String)? {
    guard case .object(let object) = self, case .string(let mark)? = object[RecordedValue.mark] else { return nil }
    guard case .string(let text)? = object["text"] else { return (mark, "") }
    return (mark, text)
  }

  /// Returns a program's key in its form in a tree. The key `$arbor` gets an additional `$`, and so does one that already
  /// has more.
  package static func escaped(_ key: String) -> String {
    escaped(key, from: mark)
  }

  /// Returns a program's own key from its form in a tree.
  package static func unescaped(_ key: String) -> String {
    looksLike(mark, key) && key.utf8.count > mark.utf8.count ? String(key.dropFirst()) : key
  }

  /// Adds a `$` to a key that equals a mark, which begins with `$`, or that is such a mark with additional ones.
  static func escaped(_ key: String, from mark: String) -> String {
    looksLike(mark, key) ? "$" + key : key
  }

  private static func looksLike(_ mark: String, _ key: String) -> Bool {
    key.utf8.first == UInt8(ascii: "$") && key.utf8.count >= mark.utf8.count
      && key.utf8.suffix(mark.utf8.count).elementsEqual(mark.utf8)
      && key.utf8.dropLast(mark.utf8.count).allSatisfy { $0 == UInt8(ascii: "$") }
  }
}

/// A text that is only equal to a text with the same scalars. Strings are already equal if they are canonically
/// equivalent.
struct ExactText {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension ExactText: Hashable {
  static func == (left: ExactText, right: ExactText) -> Bool {
    // Most keys differ, so this usually avoids comparing each byte.
    guard left.text.utf8.count == right.text.utf8.count, left.text == right.text else { return false }
    let (left, right) = (left.text.utf8, right.text.utf8)
    return left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { left.elementsEqual($0) }
    }.flatMap(\.self) ?? left.elementsEqual(right)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
