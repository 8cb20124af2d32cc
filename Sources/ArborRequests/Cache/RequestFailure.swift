internal import Arbor

/// A reason why a request or a change failed.
///
/// - It is a value for the state: the error itself may be neither `Equatable` nor `Codable`.
public struct RequestFailure: Error, Equatable, Codable, Sendable {
  /// The kinds of failures.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The function of the request or of the change threw an error.
    case thrown

    /// The answer didn't come within the timeout.
    case timedOut

    /// A value or an argument isn't of the type that the request expects, or can't be encoded or decoded.
    case undecodable

    /// The function was canceled, the change was canceled, or the owner of the store is gone.
    case canceled
  }

  /// The kind of the failure.
  public let kind: Kind

  /// The description of the error, without ``/Arbor/Confidential`` parts.
  public let reason: String

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - kind: The kind of the failure.
  ///   - reason: The reason, for a log or for the user.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Makes the failure of an error that was thrown.
  ///
  /// - Parameter error: The error. A `RequestFailure` stays as it is; a decoding error keeps its place.
  public init(_ error: any Error) {
    switch error {
    case let failure as RequestFailure: self = failure
    case let error as DecodingError: self.init(error)
    case is CancellationError: self.init(.canceled, "canceled")
    default: self.init(.thrown, Confidentiality.description(of: error))
    }
  }

  init(_ error: DecodingError) {
    let (context, problem): (DecodingError.Context?, String) =
      switch error {
      case .typeMismatch(let type, let context): (context, "expected \(type)")
      case .valueNotFound(let type, let context): (context, "missing \(type)")
      case .keyNotFound(let key, let context): (context, "missing the key \(key.stringValue)")
      case .dataCorrupted(let context): (context, "damaged")
      @unknown default: (nil, "unknown")
      }
    let place = context?.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".") ?? ""
    self.init(.undecodable, "\(place.isEmpty ? "at the top" : "at \(place)"): \(problem)")
  }
}

extension RequestFailure: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
