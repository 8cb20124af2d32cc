internal import ArborSync
internal import Dispatch

/// A connection that listens to the channel of a log, and calls a closure when data was received.
final class ListeningConnection {
  let channel: LogChannel
  private let connection: PostgresConnection
  private let source: any DispatchSourceRead

  /// Opens a connection, and waits until it listens; nil if there is no log with the name.
  init?(
    _ settings: ConnectionSettings,
    name: String,
    on queue: DispatchQueue,
    _ didReceive: @escaping @Sendable () -> Void
  ) throws(PostgresError) {
    let connection = try PostgresConnection(settings)
    guard let log = try connection.perform(.id(ofLogNamed: name)).uuid(0) else { return nil }
    channel = LogChannel(log: log)
    try connection.run("LISTEN \(channel.name)")
    self.connection = connection
    source = DispatchSource.makeReadSource(fileDescriptor: connection.descriptor, queue: queue)
    source.setEventHandler(handler: didReceive)
    // A descriptor may only be closed when nothing uses it any more.
    source.setCancelHandler { withExtendedLifetime(connection) {} }
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Returns the received signals. Notifications that don't come from this library are ignored.
  func signals() throws(PostgresError) -> [LogSignal] {
    try connection.notifications().compactMap { LogChannel.signal(of: $0) }
  }
}
