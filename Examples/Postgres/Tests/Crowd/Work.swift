import Arbor
import ArborSync
import Foundation
import PostgresLog

/// The state of the crowd. It differs for different actions and for each order of them.
struct Work: Codable, Equatable, Sendable {
  var count = 0
  var digest: UInt64 = 0

  /// The cards, by column.
  var columns: [[UUID]] = [[], [], []]

  static let feature = Feature<Work, Step> { work, step in
    work.count += 1
    work.digest = work.digest &* 31 &+ UInt64(step.id.uuid.0) &+ UInt64(step.id.uuid.15) &* 257
    switch step.kind {
    case .add: work.columns[0].append(step.id)
    case .moveFirst(let from, let to):
      // The decision depends on the current board.
      guard !work.columns[from].isEmpty else { return }
      work.columns[to].append(work.columns[from].removeFirst())
    }
    // The length of the board isn't part of the test.
    for column in work.columns.indices where work.columns[column].count > 200 { work.columns[column].removeFirst(100) }
  }
}

/// An action of the crowd.
struct Step: Codable, Equatable, Sendable {
  enum Kind: Codable, Equatable, Sendable {
    case add
    case moveFirst(from: Int, to: Int)
  }

  let id: UUID
  let kind: Kind

  static func random() -> Step {
    let kind: Kind = Bool.random() ? .add : .moveFirst(from: .random(in: 0..<2), to: .random(in: 0..<3))
    return Step(id: UUID(), kind: kind)
  }
}

/// Opens the log of an address: a database, or a folder.
func openLog(_ address: String) throws -> any OrderedLog {
  if address.hasPrefix("postgres") { return PostgresLog(address, name: "crowd") }
  return try FileLog(at: URL(filePath: address))
}
