/// The identity of an entry of the cache: the name of its request, and its argument.
///
/// - Its description reads like a call: `album(7)`.
/// - Two arguments are the same if their JSON texts are equal, with sorted keys. The text of a `Set` has no fixed order, so
///   use a sorted array instead.
public struct RequestID: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name of the request.
  public let name: String

  /// The argument as JSON; empty for a request without an argument.
  public let argument: String

  /// The name and the argument: `album(7)`.
  public var description: String { "\(name)(\(argument))" }
}

/// The argument of a request that needs none, and the answer to a change that has none.
public struct NoValue: Hashable, Codable, Sendable {
  /// Makes the value.
  public init() {}
}
