internal import Arbor
internal import Foundation

/// The common part of the encoders of one tree.
final class ValueEncoding {
  let depth: Int
  let userInfo: [CodingUserInfoKey: Any]

  /// The treatments that were found, by the types.
  private var treatments: [ObjectIdentifier: ValueTreatment] = [:]

  init(depth: Int, userInfo: [CodingUserInfoKey: Any]) {
    self.depth = depth
    self.userInfo = userInfo
  }

  /// The tree of a value that is encoded by a place's encoder.
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
    // The keys that an empty dictionary may have were not seen yet.
    if let collection = value as? any UnorderedValue, collection.anyKey == nil { return treatment }
    treatments[type] = treatment
    return treatment
  }
}

extension RecordedValue {
  /// Encodes a value.
  ///
  /// - As `JSONEncoder` does by default, but for these: keys come in the order in which they are encoded, those of dictionaries and
  ///   the elements of sets sorted; a `Decimal` is a text, with all of its digits; a number that is not finite is marked.
  /// - A value that encodes nothing is an empty object.
  /// - A value that would encode itself deeper than the limit is omitted, so that no value overflows the stack.
  /// - Parameters:
  ///   - value: The value. A confidential value in it that another one encodes by a call of its own `encode(to:)`, with the
  ///     encoder of that other value, is not seen.
  ///   - depth: The greatest depth, in parts, at which a value encodes itself; 0 for the whole alone.
  /// - Throws: The error of the value, or `EncodingError` if it encodes itself as two kinds of values.
  static func encoding(
    _ value: some Encodable,
    depth: Int = 1000,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> RecordedValue {
    let encoding = ValueEncoding(depth: depth, userInfo: userInfo)
    return try encoding.tree(of: value, in: nil, at: nil)
  }

  /// Encodes a value, without confidential ones.
  package init(encoding value: some Encodable) throws {
    self = try RecordedValue.encoding(value)
  }
}

/// The way in which the values of a type are encoded.
private enum ValueTreatment {
  /// The encoding of the type itself.
  case own

  /// The encoding of the type itself, sorted so that the order does not depend on chance.
  case unordered(any UnorderedValue.Type)

  /// At once, as one of the types of which trees are made.
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

/// A collection whose order is chance.
protocol UnorderedValue {
  /// A key; nil if there is none.
  var anyKey: Any? { get }

  /// Puts what was encoded into an order.
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
      // Keys that are no texts stand each before its value.
      let pairs = stride(from: 0, to: parts.count, by: 2).map { ($0, JSONText(of: parts[$0]).bytes) }
      let sorted = pairs.sorted { $0.1.lexicographicallyPrecedes($1.1) }
      value = .array(sorted.flatMap { [parts[$0.0], parts[$0.0 + 1]] })
    default: break
    }
  }
}
