internal import FlyingSocks
internal import Foundation

/// Listens on a port of this machine, and answers requests on a limited number of connections.
///
/// - **Too many connections:** the one that has waited longest for a request ends. If none is waiting, new ones stay in
///   the system's queue until one ends.
/// - **No descriptors left** in the process: the server keeps its port, makes room in the same way, and tries again.
struct Server: Sendable {
  /// The pause before another attempt to accept a connection.
  private static let pause = Duration.milliseconds(50)

  /// The maximum number of bytes sent before their time limit begins again.
  private static let pieceSize = 64 << 10

  /// The port on which it listens.
  let port: UInt16
  let connections = Connections()

  /// The socket that accepts connections.
  let listener: Socket

  private let limits: Limits
  private let pool: any AsyncSocketPool

  /// Begins to listen. Connections are accepted by ``run(_:)``.
  ///
  /// - Throws: ``InspectorError`` if it cannot listen on the port.
  init(port: UInt16, limits: Limits) async throws(InspectorError) {
    self.limits = limits
    pool = Server.makePool()
    do {
      try await pool.prepare()
      listener = try Socket(domain: Int32(sockaddr_in.family))
    } catch {
      throw InspectorError(port: port, error)
    }
    do {
      try listener.setFlags(.nonBlocking)
      try listener.setValue(true, for: .localAddressReuse)
      try listener.bind(to: .inet(ip4: "127.0.0.1", port: port))
      try listener.listen()
      guard case .ip4(_, let port) = try listener.sockname() else { throw SocketError.unsupportedAddress }
      self.port = port
    } catch {
      try? listener.close()
      throw InspectorError(port: port, error)
    }
  }

  private static func makePool() -> any AsyncSocketPool {
    #if canImport(Darwin)
      .kQueue()
    #else
      .ePoll()
    #endif
  }

  /// Answers requests until the task is canceled. Then the port is free, and all connections have ended.
  ///
  /// - Throws: ``InspectorError`` if it cannot continue.
  func run(_ site: Site) async throws(InspectorError) {
    let failure = await withTaskGroup(of: (any Error)?.self) { group in
      group.addTask { await caught { try await pool.run() } }
      group.addTask { await caught { try await acceptConnections(for: site) } }
      group.addTask { await caught { try await endIdleConnections() } }
      let failure = await group.next() ?? nil
      try? listener.close()
      group.cancelAll()
      await connections.endAll()
      return failure
    }
    if let failure, !Task.isCancelled { throw InspectorError(port: port, failure) }
  }

  private func caught(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Connections

  private func acceptConnections(for site: Site) async throws {
    while true {
      try Task.checkCancellation()
      guard connections.count < limits.connections else {
        try await makeRoom()
        continue
      }
      do {
        let socket = try AsyncSocket(socket: Socket(file: limits.accept(listener)), pool: pool)
        connections.begin { number in
          await serve(site, on: socket, number: number)
          try? socket.close()
        }
      } catch SocketError.blocked {
        try await pool.suspendSocket(listener, untilReadyFor: .connection)
      } catch SocketError.failed(let type, let code, let message) {
        let isBroken = [EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP].contains(code)
        guard !isBroken else { throw SocketError.failed(type: type, errno: code, message: message) }
        try await makeRoom()
      }
    }
  }

  /// Ends an unused connection, if there is one, and waits for a moment.
  private func makeRoom() async throws {
    connections.endLongestWaiting()
    try await Task.sleep(for: Server.pause)
  }

  private func endIdleConnections() async throws {
    while true {
      try await Task.sleep(for: limits.idleTime / 4)
      connections.endIdle(after: limits.idleTime)
    }
  }

  // MARK: Requests

  /// Answers the requests of a connection until it ends.
  private func serve(_ site: Site, on socket: AsyncSocket, number: Int) async {
    var bytes = RequestBytes()
    do {
      while true {
        connections.set(.waiting, of: number)
        let request: Request
        do {
          request = try await received(from: socket, into: &bytes) { bytes in try bytes.head() }
        } catch is MalformedRequest {
          try await send(site.malformed(), on: socket, number: number)
          return try await end(socket, number: number)
        }
        var body: [UInt8]?
        if let size = request.bodySize, size <= AccessRules.bodyLimit {
          body = try await received(from: socket, into: &bytes) { $0.body(size: size) }
        }
        connections.set(.answering, of: number)
        var response = await site.response(to: request, body: body)
        // A body that wasn't read would be mistaken for the next request.
        response.endsConnection = response.endsConnection || body == nil || !request.keepsConnection
        try await send(response, on: socket, number: number)
        guard !response.endsConnection else { return try await end(socket, number: number) }
      }
    } catch {
      // The browser is gone, or the connection was ended.
    }
  }

  /// Ends a connection after its last answer.
  ///
  /// - A browser that is still sending reads the answer only afterward. So a limited number of bytes is received and
  ///   discarded: closing a socket with unread bytes would lose the answer.
  private func end(_ socket: AsyncSocket, number: Int) async throws {
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    connections.set(.waiting, of: number)
    var received = 0
    while received < 4 * AccessRules.bodyLimit { received += try await socket.read(atMost: 4096).count }
  }

  /// Receives bytes until a function finds a value in them.
  private func received<Value>(
    from socket: AsyncSocket,
    into bytes: inout RequestBytes,
    until value: (inout RequestBytes) throws -> Value?
  ) async throws -> Value {
    while true {
      if let value = try value(&bytes) { return value }
      bytes.append(try await socket.read(atMost: 4096))
    }
  }

  private func send(_ response: Response, on socket: AsyncSocket, number: Int) async throws {
    try await send(response.head, on: socket, number: number)
    switch response.body {
    case .bytes(let bytes): try await send(bytes, on: socket, number: number)
    case .events(let stream):
      while true {
        connections.set(.answering, of: number)
        try await send(stream.next(), on: socket, number: number)
      }
    }
  }

  private func send(_ bytes: [UInt8], on socket: AsyncSocket, number: Int) async throws {
    var rest = Data(bytes)
    while !rest.isEmpty {
      connections.set(.sending, of: number)
      let piece = Data(rest.prefix(Server.pieceSize))
      try await socket.write(piece)
      rest = rest.dropFirst(piece.count)
    }
  }
}
