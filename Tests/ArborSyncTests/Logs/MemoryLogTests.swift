import ArborSync
import Foundation
import Testing

@Suite("The connection to a log in memory")
struct MemoryLogTests {
  private let log = MemoryLog()
  private let ann = LogClient("Ann")

  @Test func `no call reaches a log that is down`() async throws {
    let id = try await log.connect(ann, reducerVersion: 1).id
    let signals = log.signals()
    log.faults = .isDown
    let error = LogError.unreachable("the connection is down")
    await #expect(throws: error) { try await log.append("a", of: ann, from: 1, to: id) }
    await #expect(throws: error) { try await log.broadcast(Data("hello".utf8), in: id) }
    await #expect(throws: error) { try await log.connect(ann, reducerVersion: 1) }
    log.faults = []
    #expect(try await log.all(in: id) == [])
    try await log.broadcast(Data("bye".utf8), in: id)
    #expect(await signals.first { _ in true } == .message(Data("bye".utf8)))
  }

  @Test func `Y2 actions sent again after a lost answer are in the log once`() async throws {
    let id = try await log.connect(ann, reducerVersion: 1).id
    log.faults = .losesAnswers
    await #expect(throws: LogError.unreachable("the connection is down")) {
      try await log.append("a", of: ann, from: 1, to: id)
    }
    log.faults = []
    try await log.append("a", "b", of: ann, from: 1, to: id)
    #expect(try await log.all(in: id).map(\.text) == ["a", "b"])
  }

  @Test func `lost and doubled signals do not change the stored actions`() async throws {
    let id = try await log.connect(ann, reducerVersion: 1).id
    let signals = log.signals()
    log.faults = .losesSignals
    try await log.append("a", of: ann, from: 1, to: id)
    log.faults = .doublesSignals
    try await log.append("b", of: ann, from: 2, to: id)
    log.faults = []
    try await log.broadcast(Data(), in: id)
    var all: [LogSignal] = []
    for await signal in signals {
      all.append(signal)
      if signal == .message(Data()) { break }
    }
    #expect(all == [.appended, .appended, .message(Data())])
    #expect(try await log.all(in: id).map(\.text) == ["a", "b"])
  }

  @Test func `Y4 a replaced log has another id and is empty`() async throws {
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", of: ann, from: 1, to: id)
    log.replace()
    let next = try await log.connect(ann, reducerVersion: 2)
    #expect(next.id != id && next.end == 0 && next.lastNumber == 0 && next.reducerVersion == 2)
    await #expect(throws: LogError.anotherLog(next.id)) { try await log.append("b", of: ann, from: 2, to: id) }
  }

  @Test func `a listener is notified that a log was replaced`() async throws {
    let signals = log.signals()
    log.replace()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.broadcast(Data(), in: id)
    #expect(await signals.first { _ in true } == .appended)
  }

  @Test func `errors are sentences`() {
    let id = UUID()
    #expect(LogError.anotherLog(id).description == "another log, \(id), has taken the place of this one")
    #expect(
      LogError.compacted(through: 7).description
        == "the actions up to position 7 were removed: begin with the newest snapshot")
    #expect(LogError.messageTooLong(5000).description == "a message has 5000 bytes, but may have at most 4096")
    #expect(
      (LogError.refused("it is full") as any Error).localizedDescription == "the log refused the call: it is full")
  }
}
