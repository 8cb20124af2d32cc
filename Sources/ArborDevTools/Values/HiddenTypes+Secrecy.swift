internal import ArborDiff
internal import Foundation

extension HiddenTypes: ValueSecrecy {
  func isSecret(_ value: Any) -> Bool { contain(value) }

  /// - `false` only for types that are known to have nothing inside.
  func mayBeInside(_ value: Any) -> Bool {
    guard !isEmpty else { return false }
    switch value {
    case is any BinaryInteger, is any BinaryFloatingPoint, is Bool, is any StringProtocol, is Character: return false
    case is Date, is URL, is UUID, is Decimal, is Duration, is ObjectIdentifier: return false
    default:
      // A case of an enum without a payload has nothing inside either, unless it describes itself.
      let isCase = Mirror(reflecting: value).displayStyle == .enum && !(value is any CustomReflectable)
      return !isCase || value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }
  }
}
