internal import Foundation

/// A socket of the system, whose calls block.
struct Socket: Sendable {
  private let descriptor: Int32

  /// Makes a socket that listens on 127.0.0.1.
  ///
  /// - Returns: The socket and its port.
  static func listening(on port: UInt16) throws -> (Socket, UInt16) {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let socket = Socket(descriptor: Foundation.socket(AF_INET, stream, 0))
    do {
      try check(socket.descriptor)
      socket.set(SO_REUSEADDR, Int32(1))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      try withUnsafeMutablePointer(to: &address) { address in
        try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          try check(bind(socket.descriptor, address, size))
          try check(listen(socket.descriptor, 64))
          try check(getsockname(socket.descriptor, address, &size))
        }
      }
      return (socket, UInt16(bigEndian: address.sin_port))
    } catch {
      socket.close()
      throw error
    }
  }

  private static func check(_ result: Int32) throws {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value) {
    var value = value
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Waits for a client; nil after ``shutDown()``.
  func accept() -> Socket? {
    var client: Int32
    repeat {
      client = Foundation.accept(descriptor, nil, nil)
    } while client < 0 && [EINTR, ECONNABORTED].contains(errno)
    guard client >= 0 else { return nil }
    let connection = Socket(descriptor: client)
    // A client that sends nothing doesn't keep its thread.
    connection.set(SO_RCVTIMEO, timeval(tv_sec: 5, tv_usec: 0))
    #if canImport(Darwin)
      connection.set(SO_NOSIGPIPE, Int32(1))
    #endif
    return connection
  }

  /// Waits for bytes; nil at the end of the connection.
  func receive() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }

  /// Sends bytes. If the client is gone, they are lost.
  func send(_ bytes: Data) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }

  /// Ends the waiting for clients.
  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  func close() {
    Foundation.close(descriptor)
  }
}
