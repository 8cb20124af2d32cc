internal import ArborSync
internal import Dispatch

/// A connection that listens to the channel of a log, and calls when something has come in.
final class ListeningConnection {
  let channel: LogChannel
  private let connection: PostgresConnection
  private let source: any DispatchSourceRead

  /// Opens a connection, and waits until it listens; nil if there is no log of the name.
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
    // A descriptor may be closed only once nobody looks at it any more.
    source.setCancelHandler { withExtendedLifetime(connection) {} }
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// The signals that have come in. What is none of this library is left out.
  func signals() throws(PostgresError) -> [LogSignal] {
    try connection.notifications().compactMap { LogChannel.signal(of: $0) }
  }
}
