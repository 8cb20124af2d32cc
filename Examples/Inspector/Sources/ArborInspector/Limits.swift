internal import FlyingSocks

/// The bounds of a server.
struct Limits: Sendable {
  /// The maximum number of simultaneous connections.
  var connections = 64

  /// The time limit for a browser to send a whole request, and to take a piece of an answer.
  var idleTime = Duration.seconds(60)

  /// Accepts a connection of a listener.
  var accept: @Sendable (_ listener: Socket) throws -> Socket.FileDescriptor = { try $0.accept().file }
}
