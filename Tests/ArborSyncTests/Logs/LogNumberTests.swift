import ArborSync
import Foundation
import Testing

@Suite("Numbers that a log is given")
struct LogNumberTests {
  private let ann = LogClient("Ann")

  @Test(arguments: LogPlace.Kind.allCases, [.min, -1, 0] as [Int])
  func `a batch whose numbers begin below 1 is refused`(kind: LogPlace.Kind, first: Int) async throws {
    let log = LogPlace(kind).open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    let batch = ActionBatch(of: ann, first: first, version: 1, [Data([1])])
    await #expect(throws: LogError.refused("a batch of version 1 whose first action has the number \(first)")) {
      try await log.append(batch, to: id)
    }
    let far = ActionBatch(of: ann, first: .max, version: 1, [Data([1])])
    await #expect(throws: LogError.missingActions(after: 0)) { try await log.append(far, to: id) }
    let old = ActionBatch(of: ann, first: 1, version: -1, [Data([1])])
    await #expect(throws: LogError.self) { try await log.append(old, to: id) }
    #expect(try await log.all(in: id) == [])
  }

  @Test(arguments: LogPlace.Kind.allCases, [.min, -1, 0] as [Int])
  func `a number of actions below 1 counts as 1`(kind: LogPlace.Kind, count: Int) async throws {
    let log = LogPlace(kind).open()
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", "b", of: ann, from: 1, to: id)
    #expect(try await log.actions(behind: 0, atMost: count, in: id).map(\.text) == ["a"])
    #expect(try await log.actions(behind: .max, atMost: count, in: id) == [])
    await #expect(throws: LogError.compacted(through: 0)) {
      try await log.actions(behind: .min, atMost: count, in: id)
    }
  }

  @Test(arguments: LogPlace.Kind.allCases)
  func `positions that no log has are refused, or count as none`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let log = place.open()
    await #expect(throws: LogError.refused("a reducer of version -1")) {
      try await log.connect(ann, reducerVersion: -1)
    }
    let id = try await log.connect(ann, reducerVersion: 1).id
    for position in [.min, -1, 1, .max] as [Int] {
      let snapshot = LogSnapshot(position: position, numbers: [:], version: 1, bytes: Data())
      await #expect(throws: LogError.refused("a snapshot of position \(position)")) {
        try await log.save(snapshot, in: id)
      }
    }
    let wrong = LogSnapshot(position: 0, numbers: [ann: -1], version: 1, bytes: Data())
    await #expect(throws: LogError.self) { try await log.save(wrong, in: id) }
    for position in [.min, -1, .max] as [Int] { try await log.note(position, readBy: ann, in: id) }
    try await log.append("a", of: ann, from: 1, to: id)
    try await log.compact(id)
    #expect(try await log.all(in: id).map(\.text) == ["a"])
  }
}
