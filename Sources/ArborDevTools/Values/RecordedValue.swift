/// A state, an action or a part of one as a recording keeps it: a tree as JSON has it.
///
/// - Whole numbers from `Int64.min` to `UInt64.max` are exact.
/// - Numbers that are not finite are no doubles, but marked objects (see ``number(_:)``), so that all of a tree can be written.
/// - Keys of a program that look like the marks of a recording are escaped in the tree already (see ``escaped(_:)``).
package enum RecordedValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)

  /// A whole number beyond `Int64.max`; no other.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([RecordedValue])
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
  package static func == (left: RecordedValue, right: RecordedValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}
