import ArborPersistence
import Foundation
import TestSupport
import Testing

@Suite("The evolution of values in the binary coding")
struct BinaryEvolutionTests {
  private struct Point: Codable, Equatable {
    var x: Int
    var y: Int
  }

  private struct Old: Codable, Equatable {
    var id: Int
    var removed: [Point]
    var name: String
    var point: Point
    var size: Int
  }

  private struct New: Codable, Equatable {
    var size: Double
    var point: Point
    var added: String?
    var id: Int64
    var name: String
    var addedPart: Point?
  }

  private let coding = BinaryCoding()
  private let old = (0..<10).map { count in
    let points = (0..<count).map { Point(x: $0, y: -$0) }
    return Old(id: count, removed: points, name: "Name \(count)", point: Point(x: 1, y: 2), size: 9)
  }

  @Test func `fields are added, removed, moved, and made wider`() throws {
    let new = try coding.decode([New].self, from: coding.encode(old))
    #expect(new == old.map { New(size: 9, point: $0.point, id: Int64($0.id), name: $0.name) })
  }

  @Test func `fields are found in any order, as in JSON`() throws {
    struct Fields: Codable, Equatable {
      var fields: [String: Int?]

      init(_ fields: [String: Int?]) { self.fields = fields }

      init(from decoder: any Decoder) throws {
        var random = SplitMix64(seed: UInt64(Self.seed))
        let container = try decoder.container(keyedBy: Key.self)
        fields = [:]
        for key in (container.allKeys + Key.all).shuffled(using: &random) where container.contains(key) {
          let field = try container.decodeNil(forKey: key) ? nil : container.decode(Int.self, forKey: key)
          fields.updateValue(field, forKey: key.stringValue)
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for key in Key.all {
          if let field = fields[key.stringValue] {
            if let field { try container.encode(field, forKey: key) } else { try container.encodeNil(forKey: key) }
          } else {
            try container.encodeIfPresent(nil as Int?, forKey: key)
          }
        }
      }

      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let all = (0..<40).map { Key(stringValue: "k\($0)") }
      }

      @TaskLocal static var seed = 0
    }
    for seed in 1...40 {
      var random = SplitMix64(seed: UInt64(seed))
      var fields: [String: Int?] = [:]
      for key in Fields.Key.all where !random.once(in: 3) {
        fields[key.stringValue] = random.once(in: 4) ? .some(nil) : Int(truncatingIfNeeded: random.integer())
      }
      let list = [Fields(fields), Fields([:]), Fields(fields)]
      try Fields.$seed.withValue(seed) {
        let decoded = try coding.decode([Fields].self, from: coding.encode(list))
        #expect(decoded == list)
        #expect(try JSONDecoder().decode([Fields].self, from: JSONEncoder().encode(list)) == decoded)
      }
    }
  }

  @Test func `a required field that is missing is an error with its path`() throws {
    struct Needy: Codable {
      var id: Int
      var needed: String
    }
    let error = try #require(throws: DecodingError.self) {
      try coding.decode([Needy].self, from: coding.encode(old))
    }
    guard case .keyNotFound(let key, let context) = error else { throw error }
    #expect(key.stringValue == "needed")
    #expect(context.codingPath.map(\.stringValue) == ["Index 0"])
  }

  @Test func `a missing optional stays missing, and is an error for a field that requires a value`() throws {
    struct Optional: Codable {
      var a: Int?
      var b: Point?
      var c: [Int]?
    }
    struct Needed: Codable {
      var b: Point
    }
    struct Number: Codable {
      var a: Int
    }
    let data = try coding.encode(Optional())
    let decoded = try coding.decode(Optional.self, from: data)
    #expect(decoded.a == nil && decoded.b == nil && decoded.c == nil)
    #expect(try coding.decode([String: Int].self, from: data) == [:])
    #expect(throws: DecodingError.self) { try coding.decode(Needed.self, from: data) }
    let error = try #require(throws: DecodingError.self) { try coding.decode(Number.self, from: data) }
    guard case .keyNotFound(let key, _) = error else { throw error }
    #expect(key.stringValue == "a")
  }

  @Test func `numbers are decoded as other types that can represent them exactly`() throws {
    #expect(try coding.decode(UInt8.self, from: coding.encode(255)) == 255)
    #expect(try coding.decode(Double.self, from: coding.encode(-300)) == -300)
    #expect(try coding.decode(Int.self, from: coding.encode(4.0)) == 4)
    #expect(try coding.decode(Double.self, from: coding.encode(0.25 as Float)) == 0.25)
    #expect(try coding.decode(Float.self, from: coding.encode(0.25)) == 0.25)
    #expect(throws: DecodingError.self) { try coding.decode(UInt8.self, from: coding.encode(256)) }
    #expect(throws: DecodingError.self) { try coding.decode(UInt.self, from: coding.encode(-1)) }
    #expect(throws: DecodingError.self) { try coding.decode(Int.self, from: coding.encode(0.5)) }
    #expect(throws: DecodingError.self) { try coding.decode(Int.self, from: coding.encode(UInt64.max)) }
    #expect(throws: DecodingError.self) { try coding.decode(Double.self, from: coding.encode(Int.max)) }
    #expect(throws: DecodingError.self) { try coding.decode(Float.self, from: coding.encode(1e300)) }
  }

  @Test func `an object can be decoded as a dictionary, and a dictionary as an object`() throws {
    let data = try coding.encode(Point(x: 1, y: 2))
    #expect(try coding.decode([String: Int].self, from: data) == ["x": 1, "y": 2])
    #expect(try coding.decode(Point.self, from: coding.encode(["y": 2, "x": 1, "z": 3])) == Point(x: 1, y: 2))
  }
}
