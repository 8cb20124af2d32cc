internal import Foundation

/// A request that the server has received.
struct HTTPRequest {
  let method: String
  let target: String
  let headers: [String: String]
  let body: Data

  /// The parts of the target's path.
  let path: [String]
  private let query: [URLQueryItem]

  private static let longest = 64 << 10

  /// Receives a request; nil if the client sends no complete request.
  init?(from connection: Socket) {
    var bytes = Data()
    var end: Range<Data.Index>?
    while end == nil {
      guard bytes.count < HTTPRequest.longest, let more = connection.receive() else { return nil }
      bytes += more
      end = bytes.range(of: Data("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3, let url = URLComponents(string: words[1]) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[line[..<colon].lowercased()] = value
    }
    var body = bytes[end.upperBound...]
    let size = headers["content-length"].map { Int($0) } ?? 0
    guard let size, (0...HTTPRequest.longest).contains(size) else { return nil }
    while body.count < size {
      guard let more = connection.receive() else { return nil }
      body += more
    }
    (method, target, self.headers) = (words[0], words[1], headers)
    self.body = Data(body.prefix(size))
    path = url.path.split(separator: "/").map(String.init)
    query = url.queryItems ?? []
  }

  /// Returns the number in the query with a name.
  func number(_ name: String) -> Int? {
    query.first { $0.name == name }?.value.flatMap { Int($0) }
  }
}

/// An answer of the server, with a JSON text.
struct HTTPResponse {
  let status: Int
  private let body: Data

  init(_ status: Int, _ json: String) {
    self.status = status
    body = Data(json.utf8)
  }

  init(_ status: Int, encoding value: some Encodable) {
    self.status = status
    // The server's own values can be encoded.
    body = try! JSONEncoder().encode(value)
  }

  var bytes: Data {
    let phrases = [200: "OK", 400: "Bad Request", 404: "Not Found", 500: "Internal Server Error"]
    let head = [
      "HTTP/1.1 \(status) \(phrases[status]!)", "Content-Type: application/json", "Content-Length: \(body.count)",
      "Connection: close", "", "",
    ]
    return Data(head.joined(separator: "\r\n").utf8) + body
  }
}
