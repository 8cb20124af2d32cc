import ArborPersistence
import Foundation
import TestSupport
import Testing

@Suite("The binary coding", .oneThread)
struct BinaryCodingTests {
  private let coding = BinaryCoding()

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try coding.decode(Value.self, from: coding.encode(value))
  }

  @Test func `the binary coding has a name, and a static member where a coding is expected`() {
    let coding: some StorageCoding = .binary
    #expect(coding.name == "binary")
  }

  @Test func `the bytes of a value stay the same forever`() throws {
    let value: [TodoAction] = [
      .add(Todo(id: 7, title: "Milk", isDone: true, score: 0.5)), .move(from: -1, to: 300), .clear,
    ]
    let table: [UInt8] =
      [5, 5, 4]
      + Array("id".utf8) + [10] + Array("title".utf8) + [12] + Array("isDone".utf8) + [10] + Array("score".utf8)
      + [8] + Array("note".utf8)
      + [1, 4] + Array("_0".utf8)
      + [1, 6] + Array("add".utf8)
      + [2, 8] + Array("from".utf8) + [4] + Array("to".utf8)
      + [1, 8] + Array("move".utf8)
      + [0]
      + [1, 10] + Array("clear".utf8)
    let todo: [UInt8] = [0x80, 7, 0xC4] + Array("Milk".utf8) + [0xE3, 0xEF, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F, 0xE1]
    let body: [UInt8] = [0xF2, 3] + [0x82, 0x81] + todo + [0x84, 0x83, 0xE9, 0, 0xE5, 0x2C, 1] + [0x86, 0x85]
    let whole = [1, UInt8(table.count)] + [7] + table.dropFirst() + body
    #expect(try Array(coding.encode(value)) == whole)
    #expect(try coding.decode([TodoAction].self, from: Data(whole)) == value)
  }

  @Test func `random values are decoded as they were, and encoded again as the same bytes`() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let value = random.everything()
      let data = try coding.encode(value)
      let decoded = try coding.decode(Everything.self, from: data)
      #expect(decoded == value, "seed \(seed)")
      let actions = random.list(20) { $0.action() }
      let bytes = try coding.encode(actions)
      #expect(try coding.decode([TodoAction].self, from: bytes) == actions, "seed \(seed)")
      #expect(try coding.encode(actions) == bytes, "seed \(seed)")
    }
  }

  @Test func `integers of each width are decoded exactly, up to their limits`() throws {
    func check<Integer: FixedWidthInteger & Codable>(_ type: Integer.Type) throws {
      for shift in 0..<Integer.bitWidth {
        let power = Integer(truncatingIfNeeded: 1) << shift
        let values = [power, power &- 1, ~power, 0 &- power, .min, .max]
        #expect(try again(values) == values)
        for value in values { #expect(try again(value) == value) }
      }
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt.self)
    try check(Int128.self)
    try check(UInt128.self)
  }

  @Test func `floating-point numbers keep each bit`() throws {
    let doubles: [Double] = [0, -0.0, 1, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, .pi]
    #expect(try again(doubles).map(\.bitPattern) == doubles.map(\.bitPattern))
    let patterns = [0x7FF8_0000_0000_1234, 0xFFF8_DEAD_BEEF_0000] as [UInt64]
    for pattern in patterns { #expect(try again(Double(bitPattern: pattern)).bitPattern == pattern) }
    let floats: [Float] = [0, -0.0, .infinity, .nan, .greatestFiniteMagnitude, Float(bitPattern: 0x7FC0_1234)]
    #expect(try again(floats).map(\.bitPattern) == floats.map(\.bitPattern))
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    #expect(try again([date]) == [date])
  }

  @Test func `bytes take little more space than their number, and can be decoded as an array`() throws {
    let bytes = (0...255).map { UInt8($0) }
    #expect(try coding.encode(Data(bytes)).count < 262)
    #expect(try coding.encode(bytes) == coding.encode(Data(bytes)))
    #expect(try coding.decode([Int].self, from: coding.encode(bytes)) == Array(0...255))
    #expect(try coding.decode([UInt8].self, from: coding.encode(Array(0...255))) == bytes)
    #expect(try coding.decode(Data.self, from: coding.encode(Array(0...255))) == Data(bytes))
    #expect(try again(Data(count: 1 << 17)) == Data(count: 1 << 17))
  }

  @Test func `each name is written once, regardless of the number of objects`() throws {
    let todo = Todo(id: 1, title: "", isDone: false, score: 0)
    let one = try coding.encode([todo]).count
    #expect(try coding.encode(Array(repeating: todo, count: 101)).count == one + 100 * 14)
  }

  @Test func `equal dictionaries have equal bytes, regardless of the order of their entries`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let entries = (0..<100).map { ("key \($0)", random.todo()) }
      let numbers = (0..<100).map { ($0, [String($0): $0]) }
      let first = try coding.encode(Dictionary(uniqueKeysWithValues: entries))
      let second = try coding.encode(Dictionary(uniqueKeysWithValues: entries.shuffled(using: &random)))
      #expect(first == second)
      #expect(try coding.decode([String: Todo].self, from: first).count == 100)
      let third = try coding.encode(Dictionary(uniqueKeysWithValues: numbers))
      let fourth = try coding.encode(Dictionary(uniqueKeysWithValues: numbers.shuffled(using: &random)))
      #expect(third == fourth)
    }
  }

  @Test func `many keys, and more shapes than there are tags, are decoded as they were`() throws {
    struct Part: Codable, Equatable {
      var fields: [(String, Int)]

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in fields { try container.encode(value, forKey: Key(stringValue: key)) }
      }

      init(_ fields: [(String, Int)]) { self.fields = fields }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        fields = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
      }

      static func == (left: Part, right: Part) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
      }

      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
    let parts = (0..<300).map { count in Part((0..<count % 40).map { ("key \($0) of \(count)", $0 * count) }) }
    #expect(try again(parts) == parts)
    #expect(try again([parts, parts, parts]) == [parts, parts, parts])
    let large = Part((0..<20_000).map { ("\($0)", $0) })
    #expect(try again(large) == large)
    #expect(try again(parts) == parts)
  }
}
