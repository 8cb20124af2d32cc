import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("A server that is killed and restarted", .needsServer)
struct RestartTests {
  @Test func `Y2 actions that are sent again until they are acknowledged exist once, in order`() async throws {
    try await OwnServer.with { server in
      let id = try await PostgresLog(server.url).connect(LogClient("Ann"), reducerVersion: 1).id
      let (restarts, failures) = (Counter(), Counter())
      let reader = Task { try await textsReadByHints(of: PostgresLog(server.url), in: id, until: "end") }
      let sent = try await withThrowingTaskGroup(of: [String].self) { group in
        for number in 0..<4 {
          group.addTask {
            let sender = Sender("\(number)", PostgresLog(server.url), id, failures)
            try await sender.send { restarts.value == 2 }
            return await sender.sent
          }
        }
        for _ in 0..<2 {
          try await server.restart()
          restarts.add(1)
        }
        var sent: [[String]] = []
        for try await texts in group { sent.append(texts) }
        return sent
      }
      #expect(failures.value > 0)
      let log = PostgresLog(server.url)
      try await log.append("end", of: LogClient("Bob"), from: 1, to: id)
      let all = try await log.all(in: id)
      #expect(all.map(\.position) == Array(1...all.count))
      #expect(Set(all.map(\.text)) == Set(sent.joined() + ["end"]))
      for texts in sent {
        let client = try #require(all.first { $0.text == texts.first }).client
        #expect(all.filter { $0.client == client }.map(\.text) == texts)
      }
      #expect(try await reader.value == all.map(\.text))
    }
  }

  /// Reads after each hint, and never without one.
  private func textsReadByHints(of log: PostgresLog, in id: UUID, until last: String) async throws -> [String] {
    var texts: [String] = []
    for await signal in log.signals() where signal == .appended {
      do throws(LogError) {
        texts += try await log.all(behind: texts.count, in: id).map(\.text)
      } catch {
        // Another hint arrives when the server is back.
        guard case .unreachable = error else { throw error }
      }
      if texts.last == last { break }
    }
    return texts
  }
}

/// A client that sends each batch again until it is acknowledged, as a session does.
private actor Sender {
  private(set) var sent: [String] = []
  private let client: LogClient
  private let log: PostgresLog
  private let id: UUID
  private let failures: Counter

  init(_ name: String, _ log: PostgresLog, _ id: UUID, _ failures: Counter) {
    client = LogClient(name)
    (self.log, self.id, self.failures) = (log, id, failures)
  }

  /// Sends until a condition holds, and then some more.
  func send(until hasHappened: () -> Bool) async throws {
    var rest = 20
    while rest > 0 {
      if hasHappened() { rest -= 1 }
      let texts = (1...3).map { "\(client.name) sends \(sent.count + $0)" }
      let batch = ActionBatch(of: client, first: sent.count + 1, version: 1, texts.map { Data($0.utf8) })
      while true {
        do throws(LogError) {
          try await log.append(batch, to: id)
          break
        } catch {
          guard case .unreachable = error else { throw error }
          failures.add(1)
        }
      }
      sent += texts
    }
  }
}
