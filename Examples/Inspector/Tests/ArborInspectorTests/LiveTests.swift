import Arbor
import ArborDevTools
import Foundation
import Testing

@testable import ArborInspector

@Suite("Commands and events")
struct LiveTests {
  @Test func `a command is performed before it is answered`() async throws {
    let program = try await Program()
    for text in ["a", "b", "c"] { program.factory.dispatch(.say(text)) }
    let travel = try await program.answer(to: program.command(#"{"command":"travel","position":1}"#))
    #expect(travel.status == 200 && travel.body == #"{"ok":true}"#)
    #expect(program.factory.state.said == "a")
    #expect(try await program.answer(to: program.command(#"{"command":"resume"}"#)).status == 200)
    let dispatch = program.command(#"{"command":"dispatch","action":{"say":{"_0":"d"}}}"#)
    #expect(try await program.answer(to: dispatch).status == 200)
    #expect(program.factory.state.said == "d")
  }

  @Test(arguments: [
    ("nonsense", 400), ("{}", 400), (#"{"command":"explode"}"#, 400), (#"{"command":"travel","position":"1"}"#, 400),
    (#"{"command":"travel","position":7}"#, 409), (#"{"command":"toggle","number":7}"#, 409),
    (#"{"command":"dispatch","action":{"shout":{}}}"#, 422),
  ])
  func `an impossible command is answered with a sentence`(command: String, status: Int) async throws {
    let program = try await Program()
    program.factory.dispatch(.say("a"))
    let answer = try await program.answer(to: program.command(command))
    #expect(answer.status == status)
    let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: String]
    #expect(body?["error"]?.hasSuffix(".") == true)
    #expect(program.factory.state.said == "a")
  }

  @Test func `several commands can use one connection`() async throws {
    let program = try await Program()
    var connection = try await Connection(port: program.port)
    for number in 1...5 {
      try await connection.send(program.command(#"{"command":"dispatch","action":{"say":{"_0":"\#(number)"}}}"#))
      #expect(try await connection.answer().status == 200)
    }
    #expect(program.factory.state.count == 5)
  }

  @Test func `events show what happens, without redacted content`() async throws {
    let program = try await Program()
    await program.factory.dispatchAndWait(.say("a"))
    var browser = try await program.events()
    let recording = try await browser.event()
    #expect(recording["kind"] as? String == "recording")
    #expect(try await browser.event()["kind"] as? String == "position")
    program.factory.dispatch(.hide(Program.Secret(text: "hidden-1")))
    let entries = try await browser.event()
    #expect(entries["kind"] as? String == "entries" && entries["position"] as? Int == 2)
    for event in [recording, entries] {
      let text = String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
      #expect(!text.contains("hidden-") && text.contains("redacted"))
    }
    try program.recorder.travel(to: 0)
    let position = try await browser.event()
    #expect(position["isTravelling"] as? Bool == true && position["position"] as? Int == 0)
  }

  @Test func `many browsers can connect, up to a limit, and one that leaves frees its seat`() async throws {
    let program = try await Program()
    var browsers: [Connection] = []
    for _ in 0..<32 { browsers.append(try await program.events()) }
    #expect(program.inspector.browserCount == 32)
    #expect(try await program.answer(to: program.request("GET", "live/events")).status == 503)
    for index in browsers.indices { #expect(try await browsers[index].event()["kind"] as? String == "recording") }
    program.factory.dispatch(.say("a"))
    for index in browsers.indices {
      while try await browsers[index].event()["kind"] as? String != "entries" {}
    }
    for browser in browsers[8...] { try browser.close() }
    // The end is noticed by the next bytes that cannot be sent.
    while program.inspector.browserCount > 8 {
      program.factory.dispatch(.say("b"))
      _ = try await browsers[0].event()
    }
    #expect(try await browsers[7].event()["kind"] as? String == "entries")
  }

  @Test func `a browser that reads nothing does not block the store, and learns how much it missed`() async throws {
    let program = try await Program(entryLimit: 100)
    var slow = try await program.events()
    while try await slow.event()["kind"] as? String != "position" {}
    let text = String(repeating: "x", count: 20_000)
    // More than the buffers of the connection hold.
    for number in 1...3000 { program.factory.dispatch(.say("\(number)\(text)")) }
    await program.factory.dispatchAndWait(.say("last"))
    #expect(program.factory.state.count == 3001)
    var received = 0
    var skipped = 0
    var last = 0
    while last < 3001 {
      let event = try await slow.event()
      let recording = event["recording"] as? [String: Any]
      let entries = (recording ?? event)["entries"] as? [[String: Any]] ?? []
      received += entries.count
      skipped += event["count"] as? Int ?? 0
      last = entries.last?["number"] as? Int ?? last
    }
    #expect(skipped > 0)
    #expect(received + skipped >= 3001)
  }
}
