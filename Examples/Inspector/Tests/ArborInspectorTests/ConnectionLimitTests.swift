import Arbor
import FlyingSocks
import Foundation
import Synchronization
import Testing

@testable import ArborInspector

@Suite("Connections")
struct ConnectionLimitTests {
  @Test func `a connection without requests makes room for another`() async throws {
    let program = try await Program(limits: Limits(connections: 8))
    var silent: [Connection] = []
    for _ in 0..<40 { silent.append(try await Connection(port: program.port)) }
    #expect(try await program.answer(to: program.request("GET", "")).status == 200)
    #expect(program.inspector.server.connections.count <= 8)
    #expect(await silent[0].hasEnded())
  }

  @Test func `browsers that receive events keep their connections when others come`() async throws {
    let program = try await Program(limits: Limits(connections: 8))
    var browsers = [try await program.events(), try await program.events()]
    for index in browsers.indices { _ = try await browsers[index].event() }
    var silent: [Connection] = []
    for _ in 0..<40 { silent.append(try await Connection(port: program.port)) }
    #expect(try await program.answer(to: program.request("GET", "")).status == 200)
    program.factory.dispatch(.say("a"))
    for index in browsers.indices {
      while try await browsers[index].event()["kind"] as? String != "entries" {}
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n1234"])
  func `a connection without a whole request ends after the idle time`(part: String) async throws {
    let program = try await Program(limits: Limits(idleTime: .milliseconds(20)))
    var connection = try await Connection(port: program.port)
    try await connection.send(part)
    #expect(await connection.hasEnded())
  }

  @Test(arguments: ["nonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n"])
  func `bytes that are not a request are refused`(bytes: String) async throws {
    let program = try await Program()
    var connection = try await Connection(port: program.port)
    try await connection.send(bytes)
    #expect(try await connection.answer().status == 400)
    #expect(await connection.hasEnded())
  }

  @Test func `a head that does not end is refused`() async throws {
    let program = try await Program()
    var connection = try await Connection(port: program.port)
    try await connection.send("GET / HTTP/1.1\r\nHost: " + String(repeating: "x", count: 20_000))
    #expect(try await connection.answer().status == 400)
  }

  @Test func `a request that arrives byte by byte is read as one`() async throws {
    let program = try await Program()
    let command = program.command(#"{"command":"dispatch","action":{"say":{"_0":"a"}}}"#)
    var reader = RequestBytes()
    var methods: [String] = []
    var bodies: [String] = []
    var size: Int?
    for byte in Array((command + command).utf8) {
      reader.append([byte])
      if let expected = size {
        guard let body = reader.body(size: expected) else { continue }
        bodies.append(String(decoding: body, as: UTF8.self))
        size = nil
      } else if let request = try reader.head() {
        methods.append(request.method)
        size = request.bodySize
      }
    }
    #expect(methods == ["POST", "POST"])
    #expect(bodies == Array(repeating: #"{"command":"dispatch","action":{"say":{"_0":"a"}}}"#, count: 2))
  }

  @Test func `without free descriptors the inspector keeps the port, and answers once there is one`() async throws {
    // Limiting the test's own process would make the system's libraries fail as well.
    let failures = Mutex(3)
    let program = try await Program(
      limits: Limits { listener in
        let isFull = failures.withLock { failures in
          failures -= 1
          return failures >= 0
        }
        if isFull { throw SocketError.failed(type: "Accept", errno: EMFILE, message: "Too many open files") }
        return try listener.accept().file
      }
    )
    #expect(try await program.answer(to: program.request("GET", "")).status == 200)
    #expect(failures.withLock { $0 } < 0)
    await #expect(throws: InspectorError.self) { try await Inspector(program.recorder, port: program.port) }
  }

  @Test func `the end of an inspector is reported with its reason`() async throws {
    let stopped = try await Program()
    async let end = stopped.inspector.ended()
    await stopped.inspector.stop()
    guard case .stopped = await end else {
      Issue.record("it has not stopped")
      return
    }
    let program = try await Program()
    shutdown(program.inspector.server.listener.file.rawValue, Int32(SHUT_RDWR))
    guard case .failed(let error) = await program.inspector.ended() else {
      Issue.record("it has not failed")
      return
    }
    #expect(error.description == "the inspector cannot listen on 127.0.0.1:\(program.port): Invalid argument")
    await #expect(throws: (any Error).self) { try await program.answer(to: program.request("GET", "")) }
  }

  @Test func `a canceled caller does not wait for the end`() async throws {
    let program = try await Program()
    let inspector = program.inspector
    let waiting = Task { await inspector.ended() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(try await program.answer(to: program.request("GET", "")).status == 200)
  }
}
