internal import Foundation

/// The head of a request.
struct Request: Sendable {
  let method: String
  let target: String

  /// The values by their names in lowercase. A repeated header has both values, separated by a comma.
  let headers: [String: String]

  /// The number of bytes of the body; nil if the head doesn't specify it.
  let bodySize: Int?

  /// `true` if another request may follow on the connection.
  let keepsConnection: Bool

  /// Reads the lines of a head.
  init(_ head: String) throws(MalformedRequest) {
    var lines = head.components(separatedBy: "\r\n")
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw MalformedRequest() }
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw MalformedRequest() }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      let name = line[..<colon].lowercased()
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    method = String(words[0])
    target = String(words[1])
    self.headers = headers
    if headers["transfer-encoding"] != nil {
      guard headers["content-length"] == nil else { throw MalformedRequest() }
      bodySize = nil
    } else {
      let size = headers["content-length"] ?? "0"
      guard let count = Int(size), count >= 0 else { throw MalformedRequest() }
      bodySize = count
    }
    let connection = headers["connection"]?.lowercased()
    keepsConnection = words[2] == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
  }
}

/// Bytes that aren't a request, or whose head is too long.
struct MalformedRequest: Error {}

/// The bytes of a connection, read as requests.
struct RequestBytes {
  /// The maximum number of bytes of a head.
  static let headLimit = 16 << 10

  private var unread: [UInt8] = []

  /// The number of bytes of `unread` that were searched without finding the end of a head.
  private var searched = 0

  /// Adds received bytes.
  mutating func append(_ bytes: [UInt8]) { unread += bytes }

  /// Removes and returns the next head; nil if it isn't complete.
  mutating func head() throws(MalformedRequest) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    var start = searched
    while start + end.count <= unread.count {
      guard !unread[start...].starts(with: end) else {
        let head = String(decoding: unread[..<start], as: UTF8.self)
        unread.removeFirst(start + end.count)
        searched = 0
        return try Request(head)
      }
      start += 1
    }
    searched = start
    guard unread.count <= RequestBytes.headLimit else { throw MalformedRequest() }
    return nil
  }

  /// Removes and returns a body; nil if it isn't complete.
  mutating func body(size: Int) -> [UInt8]? {
    guard unread.count >= size else { return nil }
    defer { unread.removeFirst(size) }
    return Array(unread[..<size])
  }
}
