/// <https://developer.apple.com/documentation/os/ossignposter>
public struct OSSignposter: Sendable {
  /// <https://developer.apple.com/documentation/os/ossignposter/init(subsystem:category:)>
  public init(subsystem: String, category: String) {}

  /// <https://developer.apple.com/documentation/os/ossignposter/isenabled>
  public var isEnabled: Bool { false }

  /// <https://developer.apple.com/documentation/os/ossignposter/emitevent(_:id:_:)>
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {}
}

/// <https://developer.apple.com/documentation/os/ossignpostid>
public struct OSSignpostID: Sendable {
  /// <https://developer.apple.com/documentation/os/ossignpostid/exclusive>
  public static let exclusive = OSSignpostID()
}

/// <https://developer.apple.com/documentation/os/signpostmetadata>
public typealias SignpostMetadata = OSLogMessage
