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
      if !RecordedValue.shareMemory(left, right) { pairs.append(contentsOf: zip(left, right)) }
      return true
    case (.object(let left), .object(let right)): return left.hasEqualKeys(as: right, &pairs)
    default: return false
    }
  }

  /// `true` if two arrays of the same length are the same one.
  private static func shareMemory(_ left: [RecordedValue], _ right: [RecordedValue]) -> Bool {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress }
    }
  }
}

extension RecordedValue: CustomStringConvertible {
  /// The tree as JSON, on one line.
  public var description: String { String(decoding: JSONText(of: self).bytes, as: UTF8.self) }
}
