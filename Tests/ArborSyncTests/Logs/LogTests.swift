import ArborSync
import Foundation
import Testing

@Suite("Ordered logs")
struct LogTests {
  private let ann = LogClient("Ann")
  private let bob = LogClient("Bob")

  @Test(arguments: LogPlace.Kind.allCases)
  func `Y2 actions have consecutive positions, and can be read after any position`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let (log, other) = (place.open(), place.open())
    let found = try await log.connect(ann, reducerVersion: 3)
    #expect(found.end == 0 && found.lastNumber == 0 && found.reducerVersion == 3)
    let id = found.id
    #expect(try await log.all(in: id) == [])
    try await log.append("a", "b", of: ann, from: 1, to: id)
    try await other.append("c", of: bob, from: 1, to: id)
    try await log.append("d", of: ann, from: 3, to: id)
    let all = try await other.all(in: id)
    #expect(all.map(\.text) == ["a", "b", "c", "d"])
    #expect(all.map(\.position) == [1, 2, 3, 4])
    #expect(all.map(\.number) == [1, 2, 1, 3])
    #expect(all.map(\.client) == [ann, ann, bob, ann])
    for position in 0...4 { #expect(try await log.all(behind: position, in: id) == Array(all.dropFirst(position))) }
    #expect(try await log.actions(behind: 1, atMost: 2, in: id) == Array(all[1...2]))
    // The first client's version stays.
    let again = try await place.open().connect(ann, reducerVersion: 4)
    #expect(again.id == id && again.end == 4 && again.lastNumber == 3 && again.reducerVersion == 3)
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `Y2 actions sent again are in the log once, and a gap is refused`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let log = place.open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", "b", of: ann, from: 1, to: id)
    try await log.append("a", "b", of: ann, from: 1, to: id)
    try await place.open().append("b", "c", of: ann, from: 2, to: id)
    await #expect(throws: LogError.missingActions(after: 3)) { try await log.append("e", of: ann, from: 5, to: id) }
    await #expect(throws: LogError.missingActions(after: 0)) { try await log.append("e", of: bob, from: 2, to: id) }
    // Another incarnation's numbers start at 1 again.
    try await log.append("d", of: LogClient("Ann"), from: 1, to: id)
    #expect(try await log.all(in: id).map(\.text) == ["a", "b", "c", "d"])
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `Y2 many clients at once leave no gaps, and each client's order is kept`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let id = try await place.open().connect(ann, reducerVersion: 1).id
    let (clients, batches) = (8, 20)
    try await withThrowingTaskGroup { group in
      for number in 0..<clients {
        group.addTask {
          let (log, client) = (place.open(), LogClient("\(number)"))
          for batch in 0..<batches { try await log.append("x", "y", "z", of: client, from: 3 * batch + 1, to: id) }
        }
      }
      try await group.waitForAll()
    }
    let all = try await place.open().all(in: id)
    #expect(all.map(\.position) == Array(1...(3 * clients * batches)))
    let numbers = Dictionary(grouping: all, by: \.client).mapValues { $0.map(\.number) }
    #expect(numbers.count == clients)
    #expect(numbers.values.allSatisfy { $0 == Array(1...(3 * batches)) })
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `the newest snapshot is the one with the latest position`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let log = place.open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", "b", of: ann, from: 1, to: id)
    #expect(try await log.snapshot(in: id) == nil)
    let early = LogSnapshot(position: 1, numbers: [ann: 1], version: 1, bytes: Data("A".utf8))
    let late = LogSnapshot(position: 2, numbers: [ann: 2, bob: 7], version: 2, bytes: Data("AB".utf8))
    try await log.save(early, in: id)
    #expect(try await place.open().snapshot(in: id) == early)
    try await place.open().save(late, in: id)
    try await log.save(early, in: id)
    #expect(try await log.snapshot(in: id) == late)
    let beyond = LogSnapshot(position: 3, numbers: [:], version: 1, bytes: Data())
    await #expect(throws: LogError.refused("a snapshot of position 3")) { try await log.save(beyond, in: id) }
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `actions in a snapshot are removed once all connected clients have read them`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let log = place.open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", "b", "c", of: ann, from: 1, to: id)
    func compactedEnd(with position: Int) async throws -> Int {
      try await log.note(position, readBy: ann, in: id)
      try await log.compact(id)
      return try await place.open().connect(ann, reducerVersion: 1).compactedEnd
    }
    // There is no snapshot yet.
    #expect(try await compactedEnd(with: 3) == 0)
    try await log.save(LogSnapshot(position: 3, numbers: [ann: 3], version: 1, bytes: Data()), in: id)
    // Another process connects, which has read nothing yet.
    _ = try await place.open().connect(bob, reducerVersion: 1)
    #expect(try await compactedEnd(with: 3) == 0)
    try await log.append("d", of: ann, from: 4, to: id)
    // Bob's lease is over, so he begins with the snapshot. Clocks with whole seconds may be one second off.
    place.advance(LogPlace.lease + 2)
    try await log.save(LogSnapshot(position: 4, numbers: [ann: 4], version: 1, bytes: Data()), in: id)
    #expect(try await compactedEnd(with: 4) == 4)
    await #expect(throws: LogError.compacted(through: 4)) { try await log.all(behind: 3, in: id) }
    #expect(try await place.open().all(behind: 4, in: id) == [])
    // The clients' last numbers are still known.
    let other = place.open()
    try await other.append("d", "e", of: ann, from: 4, to: id)
    #expect(try await other.all(behind: 4, in: id).map(\.text) == ["e"])
    #expect(try await log.all(behind: 4, in: id).map(\.position) == [5])
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `Y4 calls for another log are refused`(kind: LogPlace.Kind) async throws {
    let log = LogPlace(kind).open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    let other = UUID()
    let error = LogError.anotherLog(id)
    await #expect(throws: error) { try await log.append("a", of: ann, from: 1, to: other) }
    await #expect(throws: error) { try await log.all(in: other) }
    await #expect(throws: error) { try await log.snapshot(in: other) }
    await #expect(throws: error) {
      try await log.save(LogSnapshot(position: 0, numbers: [:], version: 1, bytes: Data()), in: other)
    }
    await #expect(throws: error) { try await log.note(0, readBy: ann, in: other) }
    await #expect(throws: error) { try await log.compact(other) }
    await #expect(throws: error) { try await log.broadcast(Data(), in: other) }
    #expect(try await log.all(in: id) == [])
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `all listeners receive messages and hints`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let (log, other) = (place.open(), place.open())
    let id = try await log.connect(ann, reducerVersion: 1).id
    let (own, others) = (log.signals(), other.signals())
    try await log.append("a", of: ann, from: 1, to: id)
    #expect(await own.contains(.appended))
    #expect(await others.contains(.appended))
    for number in 0..<3 { try await log.broadcast(Data("hello \(number)".utf8), in: id) }
    for signals in [own, others] {
      var messages: [String] = []
      for await case .message(let message) in signals {
        messages.append(String(decoding: message, as: UTF8.self))
        if messages.count == 3 { break }
      }
      #expect(messages == ["hello 0", "hello 1", "hello 2"])
    }
    await #expect(throws: LogError.messageTooLong(4097)) {
      try await log.broadcast(Data(repeating: 0, count: 4097), in: id)
    }
  }
}
