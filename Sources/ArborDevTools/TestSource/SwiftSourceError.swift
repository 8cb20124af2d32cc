/// The reason why a value can't be written as Swift.
public struct SwiftSourceError: Error, Hashable, Sendable {
  /// The path of the value, such as `state.cart.items[3].price`.
  public let path: String

  /// The reason, and how to fix it.
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
