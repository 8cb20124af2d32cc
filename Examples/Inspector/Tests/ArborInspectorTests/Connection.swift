import FlyingSocks
import Foundation

/// A connection to an inspector, which a test controls byte by byte.
struct Connection {
  private let socket: AsyncSocket
  private var unread: [UInt8] = []

  /// An answer of an inspector.
  struct Answer: Equatable {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  init(port: UInt16) async throws {
    socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 60)
  }

  func send(_ text: String) async throws {
    try await socket.write(Data(text.utf8))
  }

  func close() throws {
    try socket.close()
  }

  /// Reads an answer with a specified length, or only the head of another one.
  mutating func answer() async throws -> Answer {
    let head = try await text(upTo: "\r\n\r\n")
    let lines = head.components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while unread.count < length { unread += try await socket.read(atMost: 4096) }
    defer { unread.removeFirst(length) }
    return Answer(status: status, headers: headers, body: String(decoding: unread[..<length], as: UTF8.self))
  }

  /// Reads the next event; keep-alive messages are skipped.
  mutating func event() async throws -> [String: Any] {
    while true {
      let line = try await text(upTo: "\n")
      guard line.hasPrefix("data: ") else { continue }
      let object = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
      return object as? [String: Any] ?? [:]
    }
  }

  /// Returns `true` if the other side has ended the connection.
  mutating func hasEnded() async -> Bool {
    do {
      while true { _ = try await socket.read(atMost: 4096) }
    } catch {
      return true
    }
  }

  private mutating func text(upTo end: String) async throws -> String {
    let end = Array(end.utf8)
    var searched = 0
    while true {
      if let range = Data(unread[searched...]).range(of: Data(end)) {
        let text = String(decoding: unread[..<(searched + range.lowerBound)], as: UTF8.self)
        unread.removeFirst(searched + range.upperBound)
        return text
      }
      searched = max(0, unread.count - end.count)
      unread += try await socket.read(atMost: 4096)
    }
  }
}
