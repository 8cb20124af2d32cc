internal import Foundation

/// An estimate of the memory that values refer to: texts, collections and what they contain.
///
/// - Objects are not looked into: other values may share them.
struct OutOfLineBytes {
  /// The number of parts that may still be looked at. The parts of collections beyond it count as 16 bytes each.
  private var budget = 1_000
  private(set) var bytes = 0

  /// `true` if values of a type refer to nothing.
  static func areZero<Value>(for _: Value.Type) -> Bool { _isPOD(Value.self) }

  mutating func add(_ value: Any) {
    budget -= 1
    switch value {
    case let text as String:
      // Up to 15 bytes are stored in place.
      if text.utf8.count > 15 { bytes += 32 + text.utf8.count }
    case let data as any DataProtocol: bytes += 32 + data.count
    case is any Numeric, is Bool, is Never: break
    default: addParts(of: value)
    }
  }

  private mutating func addParts(of value: Any) {
    guard !(type(of: value) is AnyClass) else { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .dictionary, .set: bytes += 32 + 16 * mirror.children.count
    default: break
    }
    for part in mirror.children {
      guard budget > 0 else { return }
      add(part.value)
    }
  }
}
