/// One of those who share a state.
///
/// - It has its numbers in the log for as long as its outbox does: one that has lost it is another incarnation, whose
///   numbers begin with 1 again.
public struct LogClient: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name, which is told to others.
  public let name: String

  /// A number drawn at random with each new outbox.
  public let incarnation: UInt64

  /// Makes the client of a name, of a new incarnation.
  ///
  /// - Parameters:
  ///   - name: The name, which is told to others.
  ///   - incarnation: The number of the incarnation; by default one at random.
  public init(_ name: String, incarnation: UInt64 = .random(in: .min ... .max)) {
    self.name = name
    self.incarnation = incarnation
  }

  /// The name, and the incarnation.
  public var description: String { "\(name) (\(String(incarnation, radix: 16)))" }
}
