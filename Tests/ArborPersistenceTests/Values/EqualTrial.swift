import ArborPersistence
import Foundation
import TestSupport
import Testing

/// A type of values with everything that can be done to one and asked of one.
struct EqualTrial<Value: Codable & Equatable & Sendable>: Sendable {
  let make: @Sendable (_ random: inout SplitMix64) throws -> Value

  /// Changes a value. Returns the result, as a text.
  let change: @Sendable (_ value: inout Value, _ random: inout SplitMix64) -> String

  /// The answers to all questions, as texts: those of equal values are equal, those of a copy are the same to the byte.
  let answers: @Sendable (_ value: Value) -> [String]

  /// The answers that only copies must have in common, because they tell what `==` does not see.
  var details: @Sendable (_ value: Value) -> [String] = { _ in [] }

  private static func copies(of value: Value) throws -> [(coding: String, value: Value)] {
    let (list, reader) = (PropertyListEncoder(), PropertyListDecoder())
    list.outputFormat = .binary
    let box = try reader.decode([Value].self, from: list.encode([value]))
    return [
      ("json", try JSONCoding().decode(Value.self, from: JSONCoding().encode(value))),
      ("binary", try BinaryCoding().decode(Value.self, from: BinaryCoding().encode(value))),
      ("property list", box[0]),
    ]
  }

  /// Checks that decoded copies of random values answer as these do, now and after the same changes.
  func expectThatCopiesBehaveEqually(seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      var value = try make(&random)
      for _ in 0..<Int.random(in: 0...40, using: &random) { _ = change(&value, &random) }
      for (coding, copy) in try Self.copies(of: value) {
        guard copy == value else {
          Issue.record("seed \(seed): a \(coding) copy of \(value) is \(copy)")
          return
        }
        let subject = "seed \(seed), \(coding)"
        // A binary property list has equal texts once, so of two normal forms only one.
        let areCopies = coding != "property list"
        guard behaveEqually(value, copy, changes: 30, random, subject, areCopies: areCopies) else { return }
      }
    }
  }

  /// Checks that values which are equal, however they were made, behave equally.
  func expectThatEqualValuesBehaveEqually(seeds: Range<UInt64>, changes: Int) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let first = try make(&random)
      var values = [first]
      for _ in 0..<30 {
        var value = values.randomElement(using: &random)!
        for _ in 0..<Int.random(in: 1...changes, using: &random) { _ = change(&value, &random) }
        for other in values where other == value {
          guard behaveEqually(other, value, changes: 6, random, "seed \(seed)") else { return }
        }
        values.append(value)
      }
    }
  }

  private func behaveEqually(
    _ left: Value,
    _ right: Value,
    changes: Int,
    _ random: SplitMix64,
    _ subject: String,
    areCopies: Bool = false
  ) -> Bool {
    func areEqual(_ left: [String], _ right: [String]) -> Bool {
      areCopies ? left.map { Array($0.utf8) } == right.map { Array($0.utf8) } : left == right
    }
    func answers(_ value: Value) -> [String] { self.answers(value) + (areCopies ? details(value) : []) }
    var (left, right, before) = (left, right, left)
    var generators = (random, random)
    for number in 0...changes {
      if number > 0 {
        before = left
        let results = (change(&left, &generators.0), change(&right, &generators.1))
        guard areEqual([results.0], [results.1]) else {
          Issue.record("\(subject): change \(number) of \(before) gives \(results)")
          return false
        }
      }
      guard left == right, areEqual(answers(left), answers(right)) else {
        Issue.record("\(subject): after change \(number) of \(before):\n\(answers(left))\n\(answers(right))")
        return false
      }
    }
    return true
  }
}
