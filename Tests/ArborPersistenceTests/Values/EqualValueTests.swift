import Arbor
import ArborEntities
import ArborPersistence
import Foundation
import TestSupport
import Testing

@Suite("Equal values", .oneThread)
struct EqualValueTests {
  private static let seeds = 0..<UInt64(repetitions(150))

  // MARK: Histories

  private static let histories = EqualTrial<History<[String: Int]>> { random in
    History([:], limit: Int.random(in: -1...6, using: &random))
  } change: { history, random in
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func name() -> String? { [nil, "a", "b"][number(0..<3)] }
    func merge(_ document: inout [String: Int], _ old: [String: Int], _ new: [String: Int]) -> Bool {
      for key in ["x", "y"] where old[key] != new[key] {
        guard document[key] == old[key] else { return false }
        document[key] = new[key]
      }
      return true
    }
    switch number(0..<18) {
    case 0..<3: history.document[number(0..<2) == 0 ? "x" : "y"] = number(0..<3)
    case 3..<8:
      history.document[number(0..<2) == 0 ? "x" : "y"] = number(0..<3)
      history.record(group: name(), author: name())
    case 8: history.record(group: name())
    case 9: history.beginGroup("begun", author: name())
    case 10: history.endGroup()
    case 11: return "\(history.undo())"
    case 12: return "\(history.redo())"
    case 13: return "\(history.go(to: number(-1..<5)))"
    case 14:
      let value = number(0..<3)
      history.amend { $0["y"] = value }
    case 15: return "\(history.undo(by: name() ?? "c", merging: merge))"
    case 16: return "\(history.redo(by: name() ?? "c", merging: merge))"
    default: if number(0..<3) == 0 { history.clear() } else { history.limit = number(-1..<7) }
    }
    return "done"
  } answers: { history in
    [
      "\(history.document.sorted { $0.key < $1.key })", "\(history.limit)", "\(history.canUndo) \(history.canRedo)",
      "\(history.undoGroup as Any) \(history.redoGroup as Any)", "\(history.changes)", "\(history.position)",
      "\(["a", "b"].map { history.canUndo(by: $0) })", "\(["a", "b"].map { history.canRedo(by: $0) })",
      "\(history.map { ($0["x"] ?? 0) / 2 })",
    ]
  }

  @Test func `E1 a decoded history behaves like the encoded one`() throws {
    try Self.histories.expectThatCopiesBehaveEqually(seeds: Self.seeds)
  }

  @Test func `E1 equal histories behave equally, regardless of their pasts`() throws {
    try Self.histories.expectThatEqualValuesBehaveEqually(seeds: Self.seeds, changes: 3)
  }

  @Test func `E1 a change joins its group in a decoded history`() throws {
    var history = History("")
    history.document = "a"
    history.record(group: "typing")
    var copy = try JSONDecoder().decode(History<String>.self, from: JSONEncoder().encode(history))
    copy.document = "ab"
    copy.record(group: "typing")
    copy.undo()
    #expect(copy.document == "")
    var closed = history
    closed.endGroup()
    #expect(closed != history)
  }

  // MARK: Tables

  private static let tables = EqualTrial<EntityTable<TableRow>> { _ in
    EntityTable()
  } change: { table, random in
    let before = table
    let result = table.change(using: &random)
    return "\(result) \(table.difference(from: before)) \(before.difference(from: table))"
  } answers: { table in
    table.answers
  } details: { table in
    table.details
  }

  @Test func `E1 a decoded table behaves like the encoded one`() throws {
    try Self.tables.expectThatCopiesBehaveEqually(seeds: Self.seeds)
  }

  @Test func `E1 equal tables behave equally, regardless of their pasts`() throws {
    try Self.tables.expectThatEqualValuesBehaveEqually(seeds: Self.seeds, changes: 2)
  }

  @Test func `E1 the difference of two tables depends on their records, not on their pasts`() throws {
    let older = try EntityTable([Plain(id: 1, text: "a"), Plain(id: 2, text: "b"), Plain(id: 3, text: "c")])
    var newer = older
    try newer.update(1) { $0.text = "x" }
    try newer.update(1) { $0.text = "a" }
    newer.remove(2)
    try newer.insert(Plain(id: 2, text: "d"))
    try newer.update(3) { $0.text = "y" }
    let copy = try BinaryCoding().decode(EntityTable<Plain>.self, from: BinaryCoding().encode(newer))
    #expect(newer.difference(from: older) == EntityDifference(updated: [3, 2]))
    #expect(copy.difference(from: older) == EntityDifference(updated: [3, 2]))
  }

  private struct Plain: Identifiable, Codable, Equatable {
    let id: Int
    var text: String
  }

  // MARK: Jobs

  @Test func `E1 equal and decoded jobs behave equally`() throws {
    let jobs = EqualTrial<JobState> { _ in
      JobState()
    } change: { job, random in
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      func backoff() -> EffectBackoff {
        [.none, .constant(.milliseconds(3)), .exponential(initial: .seconds(1)).jittered(by: 0.5, seed: 1)][
          number(0..<3)]
      }
      switch number(0..<9) {
      case 0: job.run(maxAttempts: number(0..<4), backoff: backoff())
      case 1: job.run(delay: .seconds(number(-1..<2)))
      case 2: job.restart(maxAttempts: number(0..<2) == 0 ? nil : 3, delay: .seconds(number(0..<2)))
      case 3: job.retryOrFail("again")
      case 4: job.retryOrFail(CancellationError())
      case 5: job.succeed()
      case 6: job.fail(CancellationError())
      case 7: job.cancel()
      default: job.reset()
      }
      return ""
    } answers: { job in
      [
        "\(job.status)", "\(job.isInProgress)", "\(job.attempt as Any)", "\(job.reason as Any)", "\(job.delay)",
        job.description,
      ]
    }
    try jobs.expectThatCopiesBehaveEqually(seeds: Self.seeds)
    try jobs.expectThatEqualValuesBehaveEqually(seeds: Self.seeds, changes: 2)
  }

  @Test func `E1 a decoded backoff gives the same delays`() throws {
    let backoffs = EqualTrial<EffectBackoff> { random in
      let factors = [0, 1, 1.5, .infinity, -1, .nan, .greatestFiniteMagnitude]
      return .exponential(
        initial: .milliseconds(Int.random(in: -1...5, using: &random)),
        factor: factors.randomElement(using: &random)!
      )
    } change: { backoff, random in
      backoff =
        Bool.random(using: &random)
        ? backoff.capped(at: .seconds(Int.random(in: -1...1000, using: &random)))
        : backoff.jittered(by: .random(in: -1...2, using: &random), seed: random.next())
      return ""
    } answers: { backoff in
      [1, 2, 3, 9, 100, .max].map { "\(backoff.delay(before: $0))" }
    }
    try backoffs.expectThatCopiesBehaveEqually(seeds: Self.seeds)
  }

  // MARK: Wrappers

  private struct Wrapped: Codable, Equatable, Sendable {
    var id: TypedID<TableRow, String>
    var text: String
  }

  @Test func `E1 equal and decoded ids behave equally`() throws {
    let ids = EqualTrial<[TypedID<TableRow, String>: Int]> { _ in
      [:]
    } change: { table, random in
      let id = TypedID<TableRow, String>("\(Int.random(in: 0..<4, using: &random))")
      table[id, default: 0] += 1
      return id.description
    } answers: { table in
      table.keys.sorted().map { "\($0.rawValue) \($0) \(String(reflecting: $0)) \(table[$0]!)" }
    }
    try ids.expectThatCopiesBehaveEqually(seeds: Self.seeds)
    try ids.expectThatEqualValuesBehaveEqually(seeds: Self.seeds, changes: 2)
  }

  @Test func `E1 equal wrappers contain equal values, and so does a decoded one`() throws {
    var random = SplitMix64(seed: 1)
    var wrappers = [Stamped(wrappedValue: [1])]
    for number in 0..<200 {
      var wrapper = wrappers.randomElement(using: &random)!
      if Bool.random(using: &random) { wrapper.wrappedValue.append(number % 3) }
      for other in wrappers where other == wrapper {
        #expect(other.wrappedValue == wrapper.wrappedValue && other.description == wrapper.description)
      }
      let copy = try BinaryCoding().decode(Stamped<[Int]>.self, from: BinaryCoding().encode(wrapper))
      #expect(copy.wrappedValue == wrapper.wrappedValue && copy.description == wrapper.description)
      wrappers.append(wrapper)
    }
  }
}
