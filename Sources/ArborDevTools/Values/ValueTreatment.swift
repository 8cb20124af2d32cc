internal import Arbor
internal import Foundation

/// The way in which the values of a type are encoded.
enum ValueTreatment {
  /// The encoding of the type itself.
  case own

  /// The encoding of the type itself, sorted so that the order does not depend on chance.
  case unordered(any UnorderedValue.Type)
  case redacted

  /// At once, as one of the types of which trees are made.
  case leaf((Any) -> RecordedValue)
  case data
  case address
  case decimal

  init(of value: Any) {
    if Confidentiality.hides(value) {
      self = .redacted
      return
    }
    switch value {
    case is any OptionalValue: self = .own
    case let collection as any UnorderedValue:
      let hasHiddenKeys = collection.anyKey.map(Confidentiality.hides) ?? false
      self = hasHiddenKeys ? .redacted : .unordered(type(of: collection))
    case is Bool: self = .leaf { .bool($0 as! Bool) }
    case is Int: self = .leaf { .integer(Int64($0 as! Int)) }
    case is Double: self = .leaf { RecordedValue($0 as! Double) }
    case is String: self = .leaf { .string($0 as! String) }
    case is Data: self = .data
    case is URL: self = .address
    case is Decimal: self = .decimal
    default: self = .own
    }
  }
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
