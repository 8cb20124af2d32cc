internal import FlyingSocks

/// The bounds of a server.
struct Limits: Sendable {
  /// The greatest number of connections at once.
  var connections = 64

  /// The time in which a browser must send a whole request, and in which it must take a piece of an answer.
  var idleTime = Duration.seconds(60)

  /// Accepts a connection of a listener.
  var accept: @Sendable (_ listener: Socket) throws -> Socket.FileDescriptor = { try $0.accept().file }
}
