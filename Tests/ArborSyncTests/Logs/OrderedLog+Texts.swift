import ArborSync
import Foundation

extension OrderedLog {
  /// Appends texts, with consecutive numbers.
  func append(_ texts: String..., of client: LogClient, from first: Int, to log: UUID) async throws(LogError) {
    try await append(ActionBatch(of: client, first: first, version: 1, texts.map { Data($0.utf8) }), to: log)
  }

  /// Reads all actions after a position, a few at a time.
  func all(behind position: Int = 0, in log: UUID) async throws(LogError) -> [LoggedAction] {
    var all: [LoggedAction] = []
    while true {
      let actions = try await actions(behind: position + all.count, atMost: 7, in: log)
      if actions.isEmpty { return all }
      all += actions
    }
  }
}

extension LoggedAction {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
