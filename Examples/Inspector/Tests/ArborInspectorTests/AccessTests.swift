import Foundation
import Testing

@testable import ArborInspector

@Suite("Access")
struct AccessTests {
  @Test func `the page is served at its address, and is not cached`() async throws {
    let program = try await Program()
    let answer = try await program.answer(to: program.request("GET", ""))
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    #expect(answer.headers["cache-control"] == "no-store")
    #expect(answer.headers["referrer-policy"] == "no-referrer")
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    #expect(answer.headers["x-frame-options"] == "DENY")
    #expect(answer.headers["access-control-allow-origin"] == nil)
    #expect(answer.body.hasPrefix("<!doctype html>") && answer.body.contains(#"name="arbor-live" content="live""#))
    #expect(!answer.body.contains(program.inspector.address))
  }

  @Test func `the secret has 192 bits, and is different each time`() async throws {
    let tokens = (0..<100).map { _ in AccessToken() }
    #expect(Set(tokens.map(\.text)).count == 100)
    #expect(tokens.allSatisfy { $0.text.count == 48 && $0.text.allSatisfy(\.isHexDigit) })
    #expect(tokens[0].matches(tokens[0].text))
    #expect(
      !tokens[0].matches(tokens[1].text) && !tokens[0].matches("") && !tokens[0].matches(tokens[0].text.dropLast()))
  }

  @Test func `without the secret each answer is the same`() async throws {
    let program = try await Program()
    let wrong = "/" + AccessToken().text + "/"
    let almost = "/" + program.path.dropFirst().dropLast(2) + "/"
    let first = try await program.answer(to: program.request("GET", "", path: "/"))
    #expect(first.status == 404)
    let json = ["Origin: http://\(program.host)", "Content-Type: application/json"]
    for request in [
      program.request("GET", "", path: wrong),
      program.request("GET", "", path: almost),
      program.request("GET", "live/events", path: wrong),
      program.request("GET", "live/events", path: "/"),
      program.request("POST", "live/command", path: wrong, headers: json, body: #"{"command":"resume"}"#),
      program.request("POST", "live/command", path: wrong, body: "x"),
      program.request("DELETE", "", path: wrong),
      program.request("GET", "live/events", path: wrong, headers: ["Origin: http://elsewhere.example"]),
      program.request("GET", "elsewhere"),
      program.request("GET", "live"),
      program.request("GET", "../"),
      program.request("GET", "?query"),
      program.request("GET", "", path: String(program.path.dropLast())),
      program.request("GET", "", path: program.path.uppercased() + "x/"),
    ] {
      #expect(try await program.answer(to: request) == first)
    }
  }

  @Test(arguments: ["elsewhere.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.elsewhere.example", "0.0.0.0:80", ""])
  func `another name of the machine gets nothing, with or without the secret`(host: String) async throws {
    let program = try await Program()
    let named = try await program.answer(to: program.request("GET", "", host: host))
    let unnamed = try await program.answer(to: program.request("GET", "", path: "/", host: host))
    #expect(named.status == 403 && named == unnamed)
  }

  @Test func `a request without a host gets nothing, and localhost is one of the names`() async throws {
    let program = try await Program()
    #expect(try await program.answer(to: "GET \(program.path) HTTP/1.1\r\n\r\n").status == 403)
    let answer = try await program.answer(to: program.request("GET", "", host: "localhost:\(program.port)"))
    #expect(answer.status == 200)
  }

  @Test func `commands are accepted only from the inspector's own page`() async throws {
    let program = try await Program()
    let json = "Content-Type: application/json"
    let own = "Origin: http://\(program.host)"
    for headers in [
      [json], [json, "Origin: null"], [json, "Origin: http://elsewhere.example"],
      [json, "Origin: https://\(program.host)"], [json, "Origin: http://127.0.0.1:1"],
      [json, own, "Sec-Fetch-Site: cross-site"],
    ] {
      let request = program.request("POST", "live/command", headers: headers, body: #"{"command":"resume"}"#)
      #expect(try await program.answer(to: request).status == 403)
    }
    for type in ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""] {
      let headers = [own, "Content-Type: \(type)"]
      let request = program.request("POST", "live/command", headers: headers, body: #"{"command":"resume"}"#)
      #expect(try await program.answer(to: request).status == 415)
    }
    let headers = [own, "Content-Type: Application/JSON; charset=utf-8"]
    let request = program.request("POST", "live/command", headers: headers, body: #"{"command":"resume"}"#)
    #expect(try await program.answer(to: request).status == 200)
  }

  @Test func `events are sent only to the inspector's own page`() async throws {
    let program = try await Program()
    for header in [
      "Origin: http://elsewhere.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none",
    ] {
      #expect(try await program.answer(to: program.request("GET", "live/events", headers: [header])).status == 403)
    }
    let own = program.request("GET", "live/events", headers: ["Sec-Fetch-Site: same-origin"])
    let answer = try await program.answer(to: own)
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/event-stream")
    #expect(answer.headers["cache-control"] == "no-store")
  }

  @Test func `other methods are refused, with a list of the allowed ones`() async throws {
    let program = try await Program()
    for (method, part, allowed) in [
      ("POST", "", "GET"), ("PUT", "live/events", "GET"), ("GET", "live/command", "POST"),
      ("OPTIONS", "live/command", "POST"),
    ] {
      let answer = try await program.answer(to: program.request(method, part))
      #expect(answer.status == 405 && answer.headers["allow"] == allowed)
    }
  }

  @Test func `a command that is too large is refused before it is read`() async throws {
    let program = try await Program()
    var connection = try await Connection(port: program.port)
    let headers = ["Origin: http://\(program.host)", "Content-Type: application/json"]
    try await connection.send(
      program.request("POST", "live/command", headers: headers + ["Content-Length: 100000000000"])
    )
    let answer = try await connection.answer()
    #expect(answer.status == 413 && answer.headers["connection"] == "close")
    #expect(await connection.hasEnded())
    let sent = String(repeating: " ", count: AccessRules.bodyLimit) + "{"
    #expect(try await program.answer(to: program.command(sent)).status == 413)
    let chunked = program.request("POST", "live/command", headers: headers + ["Transfer-Encoding: chunked"])
    #expect(try await program.answer(to: chunked + "2\r\n{}\r\n0\r\n\r\n").status == 411)
  }

  @Test func `a port that another program uses is an error with a message`() async throws {
    let program = try await Program()
    let error = await #expect(throws: InspectorError.self) {
      _ = try await Inspector(program.recorder, port: program.port)
    }
    #expect(error?.port == program.port)
    let sentence = "the inspector cannot listen on 127.0.0.1:\(program.port): Address already in use"
    #expect(error?.description == sentence)
  }

  @Test func `nothing answers after stop`() async throws {
    let program = try await Program()
    await program.inspector.stop()
    await #expect(throws: (any Error).self) { try await program.answer(to: program.request("GET", "")) }
  }
}
