import ArborPersistence
import Foundation
import TestSupport
import Testing

/// A trial of a type's values: functions that make them, change them and read everything from them.
struct EqualTrial<Value: Codable & Equatable & Sendable>: Sendable {
  let make: @Sendable (_ random: inout SplitMix64) throws -> Value

  /// Changes a value. Returns the result, as a text.
  let change: @Sendable (_ value: inout Value, _ random: inout SplitMix64) -> String

  /// Reads everything from a value, as texts. Equal values have equal texts, and copies have texts with the same bytes.
  let answers: @Sendable (_ value: Value) -> [String]

  /// Reads the texts that must be the same only for copies, because `==` ignores them.
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

  /// Checks that decoded copies of random values have the same answers as the values, now and after the same changes.
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
        // A binary property list stores equal texts once, so it keeps only one of two normal forms.
        let areCopies = coding != "property list"
        let steps = self.steps(of: value, changes: 30, random, areCopies: areCopies)
        guard repeatSteps(steps, with: copy, random, subject, areCopies: areCopies) else { return }
      }
    }
  }

  /// Checks that equal values behave equally, regardless of how they were made.
  func expectThatEqualValuesBehaveEqually(seeds: Range<UInt64>, changes: Int) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let first = try make(&random)
      var values = [first]
      for _ in 0..<30 {
        var value = values.randomElement(using: &random)!
        for _ in 0..<Int.random(in: 1...changes, using: &random) { _ = change(&value, &random) }
        let equal = values.filter { $0 == value }
        let steps = equal.isEmpty ? [] : self.steps(of: value, changes: 6, random)
        for other in equal {
          guard repeatSteps(steps, with: other, random, "seed \(seed)") else { return }
        }
        values.append(value)
      }
    }
  }

  /// One change: its result, the changed value, and the answers of that value. The first step makes no change.
  private struct Step {
    let result: String
    let value: Value
    let answers: [String]
  }

  /// Changes a value, and returns each step.
  private func steps(of value: Value, changes: Int, _ random: SplitMix64, areCopies: Bool = false) -> [Step] {
    var (value, random) = (value, random)
    return (0...changes).map { number in
      let result = number > 0 ? change(&value, &random) : ""
      return Step(result: result, value: value, answers: answers(value) + (areCopies ? details(value) : []))
    }
  }

  /// Makes the same changes to another value in place, and checks that each step gives the same result and answers.
  ///
  /// - Parameter areCopies: `true` if the texts are compared by their bytes.
  private func repeatSteps(
    _ steps: [Step],
    with other: Value,
    _ random: SplitMix64,
    _ subject: String,
    areCopies: Bool = false
  ) -> Bool {
    func areEqual(_ left: [String], _ right: [String]) -> Bool {
      areCopies ? left.map { Array($0.utf8) } == right.map { Array($0.utf8) } : left == right
    }
    var (other, random) = (other, random)
    for (number, step) in steps.enumerated() {
      let result = number > 0 ? change(&other, &random) : ""
      guard areEqual([step.result], [result]) else {
        Issue.record("\(subject): change \(number) of \(steps[number - 1].value) gives \(step.result) and \(result)")
        return false
      }
      let answers = answers(other) + (areCopies ? details(other) : [])
      guard step.value == other, areEqual(step.answers, answers) else {
        let before = steps[max(number - 1, 0)].value
        Issue.record("\(subject): after change \(number) of \(before):\n\(step.answers)\n\(answers)")
        return false
      }
    }
    return true
  }
}
