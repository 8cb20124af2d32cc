internal import Arbor
internal import Foundation

/// The state that all encoders of one tree share.
final class ValueEncoding {
  let depth: Int
  let userInfo: [CodingUserInfoKey: Any]

  /// The treatments that were already determined, by type.
  private var treatments: [ObjectIdentifier: ValueTreatment] = [:]

  init(depth: Int, userInfo: [CodingUserInfoKey: Any]) {
    self.depth = depth
    self.userInfo = userInfo
  }

  /// Returns the tree of a value that is part of another encoder's value.
  func tree<Value: Encodable>(
    of value: Value,
    in parent: ValueEncoder?,
    at key: @autoclosure () -> (any CodingKey)?
  ) throws -> RecordedValue {
    switch treatment(of: value) {
    case .leaf(let tree): return tree(value)
    case .own: return try ownTree(of: value, ValueEncoder(self, in: parent, at: key()))
    case .unordered(let type):
      var tree = try ownTree(of: value, ValueEncoder(self, in: parent, at: key()))
      type.sort(&tree)
      return tree
    }
  }

  private func ownTree(of value: some Encodable, _ encoder: ValueEncoder) throws -> RecordedValue {
    guard encoder.depth <= depth else { return .omitted("deeper than \(depth) parts") }
    defer { encoder.close() }
    try FreshStack.run(atLevel: encoder.depth) { try value.encode(to: encoder) }
    return try encoder.finish()
  }

  private func treatment(of value: Any) -> ValueTreatment {
    let type = ObjectIdentifier(type(of: value))
    if let treatment = treatments[type] { return treatment }
    let treatment = ValueTreatment(of: value)
    // An empty dictionary doesn't show if its keys are confidential.
    if let collection = value as? any UnorderedValue, collection.anyKey == nil { return treatment }
    treatments[type] = treatment
    return treatment
  }
}

extension RecordedValue {
  /// Encodes a value.
  ///
  /// - It encodes like `JSONEncoder` does by default, with these differences:
  ///   - Keys keep the order in which they are encoded, but the keys of dictionaries and the elements of sets are sorted.
  ///   - A `Decimal` is a text with all its digits.
  ///   - A number that isn't finite is marked.
  /// - A value that encodes nothing becomes an empty object.
  /// - A value that would encode itself deeper than the limit is omitted, so that no value overflows the stack.
  /// - Parameters:
  ///   - value: The value. Confidential values are left out, except one whose `encode(to:)` another value calls directly
  ///     with its own encoder.
  ///   - depth: The maximum depth, in parts, at which a value encodes itself; 0 for the whole value only.
  /// - Throws: The error of the value, or `EncodingError` if it encodes itself as two kinds of values.
  static func encoding(
    _ value: some Encodable,
    depth: Int = 1000,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> RecordedValue {
    let encoding = ValueEncoding(depth: depth, userInfo: userInfo)
    return try encoding.tree(of: value, in: nil, at: nil)
  }

  /// Encodes a value without the confidential values in it.
  package init(encoding value: some Encodable) throws {
    self = try RecordedValue.encoding(value)
  }
}

/// The way in which the values of a type are encoded.
private enum ValueTreatment {
  /// Encoded by the type itself.
  case own

  /// Encoded by the type itself, then sorted, so that the order doesn't depend on hashing.
  case unordered(any UnorderedValue.Type)

  /// Encoded directly, as one of the types that trees consist of.
  case leaf((Any) -> RecordedValue)

  init(of value: Any) {
    self =
      switch value {
      case _ where Confidentiality.hides(value): .redacted
      case is any OptionalValue: .own
      case let collection as any UnorderedValue:
        collection.anyKey.map(Confidentiality.hides) == true ? .redacted : .unordered(type(of: collection))
      case is Bool: .leaf { .bool($0 as! Bool) }
      case is String: .leaf { .string($0 as! String) }
      case is Double: .leaf { RecordedValue($0 as! Double) }
      case is Int: .leaf { .integer(Int64($0 as! Int)) }
      case is Float, is Int8, is Int16, is Int32, is Int64, is UInt, is UInt8, is UInt16, is UInt32, is UInt64:
        .leaf { RecordedValue(leaf: $0)! }
      case is Data: .leaf { .string(($0 as! Data).base64EncodedString()) }
      case is URL: .leaf { .string(($0 as! URL).absoluteString) }
      case is Decimal: .leaf { .string(($0 as! Decimal).description) }
      default: .own
      }
  }

  private static var redacted: ValueTreatment { .leaf { _ in .redacted } }
}

/// A collection without a defined order.
protocol UnorderedValue {
  /// Any of the keys; nil if there is none.
  var anyKey: Any? { get }

  /// Sorts an encoded collection.
  static func sort(_ value: inout RecordedValue)
}

extension Set: UnorderedValue {
  var anyKey: Any? { nil }

  static func sort(_ value: inout RecordedValue) {
    guard case .array(let elements) = value else { return }
    let texts = elements.map { ($0, JSONText(of: $0).bytes) }
    value = .array(texts.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
  }
}

extension Dictionary: UnorderedValue {
  var anyKey: Any? { keys.first }

  static func sort(_ value: inout RecordedValue) {
    switch value {
    case .object(var object):
      object.sort()
      value = .object(object)
    case .array(let parts) where parts.count.isMultiple(of: 2):
      // If keys aren't texts, each of them precedes its value.
      let pairs = stride(from: 0, to: parts.count, by: 2).map { ($0, JSONText(of: parts[$0]).bytes) }
      let sorted = pairs.sorted { $0.1.lexicographicallyPrecedes($1.1) }
      value = .array(sorted.flatMap { [parts[$0.0], parts[$0.0 + 1]] })
    default: break
    }
  }
}
