import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("Several at once", .needsServer)
struct ConcurrencyTests {
  private let ann = LogClient("Ann")
  private let name = "concurrency \(UUID())"

  private func open() throws -> PostgresLog { PostgresLog(try TestServer.url(), name: name) }

  @Test func `a slow reader misses nothing while others append`() async throws {
    let (log, writers, batches) = (try open(), 3, 40)
    let id = try await log.connect(ann, reducerVersion: 1).id
    let count = writers * batches * 2
    try await withThrowingTaskGroup { group in
      for number in 0..<writers {
        let (log, client) = (try open(), LogClient("\(number)"))
        group.addTask {
          for batch in 0..<batches { try await log.append("a", "b", of: client, from: 2 * batch + 1, to: id) }
        }
      }
      var positions: [Int] = []
      while positions.count < count {
        positions += try await log.actions(behind: positions.count, atMost: 3, in: id).map(\.position)
        #expect(positions.last ?? 0 == positions.count)
      }
      #expect(positions == Array(1...count))
      try await group.waitForAll()
    }
  }

  @Test func `one log handles all calls at once`() async throws {
    let log = try open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await withThrowingTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          let client = LogClient("\(number)")
          try await log.append("a", of: client, from: 1, to: id)
          try await log.broadcast(Data("a".utf8), in: id)
          _ = try await log.connect(client, reducerVersion: 1)
          try await log.save(LogSnapshot(position: 1, numbers: [:], version: 1, bytes: Data()), in: id)
          _ = try await log.snapshot(in: id)
          try await log.note(0, readBy: client, in: id)
          try await log.compact(id)
          #expect(try await !log.all(in: id).isEmpty)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await log.all(in: id).map(\.position) == Array(1...40))
  }

  @Test func `many clients that remove, save and append at the same time do not block one another`() async throws {
    let id = try await open().connect(ann, reducerVersion: 1).id
    let (clients, batches) = (6, 20)
    try await withThrowingTaskGroup { group in
      for number in 0..<clients {
        let (log, client) = (try open(), LogClient("\(number)"))
        group.addTask {
          _ = try await log.connect(client, reducerVersion: 1)
          for batch in 0..<batches {
            try await log.append("a", "b", of: client, from: 2 * batch + 1, to: id)
            let end = try await log.connect(client, reducerVersion: 1).end
            try await log.note(end, readBy: client, in: id)
            try await log.save(LogSnapshot(position: end, numbers: [:], version: 1, bytes: Data()), in: id)
            try await log.compact(id)
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try await open().connect(ann, reducerVersion: 1)
    #expect(found.end == 2 * clients * batches)
    #expect(
      try await open().all(behind: found.compactedEnd, in: id).map(\.position)
        == Array((found.compactedEnd + 1)..<(found.end + 1)))
  }
}
