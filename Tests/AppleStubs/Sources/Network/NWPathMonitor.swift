public import Dispatch

/// <https://developer.apple.com/documentation/network/nwpath>
public struct NWPath: Sendable {
  /// <https://developer.apple.com/documentation/network/nwpath/status-swift.enum>
  public enum Status: Sendable {
    /// <https://developer.apple.com/documentation/network/nwpath/status-swift.enum/satisfied>
    case satisfied

    /// <https://developer.apple.com/documentation/network/nwpath/status-swift.enum/unsatisfied>
    case unsatisfied
  }

  /// <https://developer.apple.com/documentation/network/nwpath/status-swift.property>
  public let status: Status

  /// A path for tests.
  public init(status: Status) {
    self.status = status
  }
}

/// <https://developer.apple.com/documentation/network/nwpathmonitor>
public final class NWPathMonitor: @unchecked Sendable {
  // Sendable because the stub is used from one thread.

  /// The monitors that were started and not canceled, for tests.
  public nonisolated(unsafe) static var started: [NWPathMonitor] = []

  /// <https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler>
  public var pathUpdateHandler: (@Sendable (_ path: NWPath) -> Void)?

  /// <https://developer.apple.com/documentation/network/nwpathmonitor/init()>
  public init() {}

  /// <https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)>
  public func start(queue: DispatchQueue) { NWPathMonitor.started.append(self) }

  /// <https://developer.apple.com/documentation/network/nwpathmonitor/cancel()>
  public func cancel() { NWPathMonitor.started.removeAll { $0 === self } }
}
