/// One of the clients that share a state.
///
/// - It keeps its numbers in the log as long as its outbox exists. A client that has lost its outbox is another incarnation,
///   whose numbers start at 1 again.
public struct LogClient: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name, which other clients can see.
  public let name: String

  /// A number drawn at random with each new outbox.
  public let incarnation: UInt64

  /// Makes a client with a name, as a new incarnation.
  ///
  /// - Parameters:
  ///   - name: The name, which other clients can see.
  ///   - incarnation: The number of the incarnation; by default a random one.
  public init(_ name: String, incarnation: UInt64 = .random(in: .min ... .max)) {
    self.name = name
    self.incarnation = incarnation
  }

  /// The name and the incarnation.
  public var description: String { "\(name) (\(String(incarnation, radix: 16)))" }
}
