/// An answer to a request.
struct Response: Sendable {
  /// The bytes after the head.
  enum Body: Sendable {
    case bytes([UInt8])

    /// Events without an end. The connection ends with them.
    case events(EventStream)
  }

  /// The type of a body.
  enum ContentType: String {
    case page = "text/html; charset=utf-8"
    case events = "text/event-stream"
    case json = "application/json"
  }

  let code: Int
  let phrase: String
  let body: Body

  /// `true` if the connection ends after the answer.
  var endsConnection = false
  private var headers: [(name: String, value: String)]

  init(_ code: Int, _ phrase: String, _ type: ContentType, _ body: Body) {
    self.code = code
    self.phrase = phrase
    self.body = body
    headers = [
      ("Content-Type", type.rawValue),
      ("Cache-Control", "no-store"),
      ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", "DENY"),
      ("Content-Security-Policy", "frame-ancestors 'none'"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }

  /// Adds a header.
  mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

  /// The bytes before the body.
  var head: [UInt8] {
    var lines = ["HTTP/1.1 \(code) \(phrase)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if case .bytes(let bytes) = body { lines.append("Content-Length: \(bytes.count)") }
    if endsConnection { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
