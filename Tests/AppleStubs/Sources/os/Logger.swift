/// <https://developer.apple.com/documentation/os/logger>
public struct Logger: Sendable {
  /// <https://developer.apple.com/documentation/os/logger/init(subsystem:category:)>
  public init(subsystem: String, category: String) {}

  /// <https://developer.apple.com/documentation/os/logger/debug(_:)>
  public func debug(_ message: OSLogMessage) {}
}

/// <https://developer.apple.com/documentation/os/oslogmessage>
public struct OSLogMessage: ExpressibleByStringInterpolation {
  /// <https://developer.apple.com/documentation/swift/expressiblebystringliteral/init(stringliteral:)>
  public init(stringLiteral value: String) {}

  /// <https://developer.apple.com/documentation/swift/expressiblebystringinterpolation/init(stringinterpolation:)>
  public init(stringInterpolation: OSLogInterpolation) {}
}

/// <https://developer.apple.com/documentation/os/oslogprivacy>
public struct OSLogPrivacy: Sendable {
  /// <https://developer.apple.com/documentation/os/oslogprivacy/private>
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

/// <https://developer.apple.com/documentation/os/osloginterpolation>
public struct OSLogInterpolation: StringInterpolationProtocol {
  /// <https://developer.apple.com/documentation/swift/stringinterpolationprotocol/init(literalcapacity:interpolationcount:)>
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// <https://developer.apple.com/documentation/swift/stringinterpolationprotocol/appendliteral(_:)>
  public mutating func appendLiteral(_ literal: String) {}

  /// Strings are private unless the program specifies otherwise.
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String,
    privacy: OSLogPrivacy = .private
  ) {}
}
