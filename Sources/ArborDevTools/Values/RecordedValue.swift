/// A state, an action or a part of one as a recording's file has it: a tree as JSON has it.
///
/// - Whole numbers from `Int64.min` to `UInt64.max` are exact.
/// - A value that a file does not show has a mark in its place, an object with the key `$arbor`:
///   `{"$arbor":"redacted"}`, or `{"$arbor":"omitted","text":"…"}` for what was too deep or too large.
/// - Numbers that are not finite are no doubles, but objects with such a mark, so that all of a tree can be written.
/// - A program's own key `$arbor` is `$$arbor` in the tree.
public enum RecordedValue: Sendable {
  /// Nothing.
  case null

  /// A truth value.
  case bool(Bool)

  /// A whole number that an `Int64` holds.
  case integer(Int64)

  /// A whole number beyond `Int64.max`; no other.
  case unsigned(UInt64)

  /// Any other finite number.
  case double(Double)

  /// A text.
  case string(String)

  /// Values in an order.
  case array([RecordedValue])

  /// Values with keys.
  case object(RecordedObject)

  /// Makes a whole number; of one that 64 bits do not hold, its marked text.
  package init(_ number: some BinaryInteger) {
    if let integer = Int64(exactly: number) {
      self = .integer(integer)
    } else if let unsigned = UInt64(exactly: number) {
      self = .unsigned(unsigned)
    } else {
      self = .number("\(number)")
    }
  }

  /// Makes a number; of one that is not finite, its marked text.
  package init(_ number: Double) {
    self = number.isFinite ? .double(number) : .number("\(number)")
  }

  /// Makes a number with as few digits as its type needs.
  package init(_ number: Float) {
    guard number.isFinite, let short = Double("\(number)"), Float(short) == number else {
      self.init(Double(number))
      return
    }
    self = .double(short)
  }
}

extension RecordedValue: Equatable {
  /// Compares two trees: objects without regard to the order of their keys, texts and numbers to the bit.
  ///
  /// - Parts that share their memory are not looked into.
  /// - Any depth takes the same stack.
  public static func == (left: RecordedValue, right: RecordedValue) -> Bool {
    var pairs: [(RecordedValue, RecordedValue)] = []
    var next: (RecordedValue, RecordedValue)? = (left, right)
    while let (left, right) = next {
      guard left.hasEqualContent(as: right, &pairs) else { return false }
      next = pairs.popLast()
    }
    return true
  }

  /// Compares two values, and adds the pairs of their parts that are still to be compared.
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
  /// The number that it is; nil if it is none.
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

  /// The mark in the place of a value that nobody shall see: `{"$arbor":"redacted"}`.
  package static let redacted = RecordedValue.object(RecordedObject([.init(mark, .string("redacted"))]))

  /// The mark in the place of a value that is too deep or too large: `{"$arbor":"omitted","text":"…"}`.
  package static func omitted(_ text: String) -> RecordedValue { marked("omitted", text) }

  /// A number that JSON has no digits for, or no double holds: `{"$arbor":"number","text":"nan"}`, `inf`, `-inf` or digits.
  package static func number(_ text: String) -> RecordedValue { marked("number", text) }

  private static func marked(_ name: String, _ text: String) -> RecordedValue {
    .object(RecordedObject([.init(mark, .string(name)), .init("text", .string(text))]))
  }

  /// The mark of a marked object, and its text.
  package var markedText: (mark: String, text: String)? {
    guard case .object(let object) = self, case .string(let mark)? = object[RecordedValue.mark] else { return nil }
    guard case .string(let text)? = object["text"] else { return (mark, "") }
    return (mark, text)
  }

  /// The key of a program as a tree has it: one with the name of a mark, `$arbor`, gets a `$` more, as does one that already
  /// has more.
  package static func escaped(_ key: String) -> String {
    escaped(key, from: mark)
  }

  /// The key of a program, of one that a tree has.
  package static func unescaped(_ key: String) -> String {
    looksLike(mark, key) && key.utf8.count > mark.utf8.count ? String(key.dropFirst()) : key
  }

  /// A key, with a `$` more if it is a mark that begins with `$`, or such a mark with more of them.
  static func escaped(_ key: String, from mark: String) -> String {
    looksLike(mark, key) ? "$" + key : key
  }

  private static func looksLike(_ mark: String, _ key: String) -> Bool {
    key.utf8.first == UInt8(ascii: "$") && key.utf8.count >= mark.utf8.count
      && key.utf8.suffix(mark.utf8.count).elementsEqual(mark.utf8)
      && key.utf8.dropLast(mark.utf8.count).allSatisfy { $0 == UInt8(ascii: "$") }
  }
}

/// A text that equals another one only if both have the same scalars; for strings it is enough to look the same.
struct ExactText {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension ExactText: Hashable {
  static func == (left: ExactText, right: ExactText) -> Bool {
    // Most keys are not the same: that is found without a look at each byte.
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
