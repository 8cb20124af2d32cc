/// The reason why a value cannot be written as Swift.
public struct SwiftSourceError: Error, Hashable, Sendable {
  /// The way to the value: `state.cart.items[3].price`.
  public let path: String

  /// The reason, with what to do about it.
  public let reason: String

  init(at path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }
}

extension SwiftSourceError: CustomStringConvertible {
  /// One sentence that names the path and the reason.
  public var description: String { "\(path): cannot be written as Swift: \(reason)" }
}
