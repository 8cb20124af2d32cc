import ArborPersistence
import Foundation
import TestSupport
import Testing

@Suite("Damaged bytes of the binary coding", .oneThread)
struct BinaryDamageTests {
  private let coding = BinaryCoding()

  /// Decodes bytes that may be damaged. Returns `true` if they are a value.
  @discardableResult
  private func survives<Value: Decodable>(_ type: Value.Type, _ bytes: Data) -> Bool {
    let value = try? StoredContent(reading: bytes)
    do {
      _ = try coding.decode(type, from: bytes)
      return true
    } catch {
      #expect(error is DecodingError, "\(error)")
      _ = value
      return false
    }
  }

  @Test func `a value that is cut to any length is an error`() throws {
    var random = SplitMix64(seed: 1)
    let value = random.everything()
    let data = try coding.encode(value)
    for length in 0..<data.count {
      #expect(!survives(Everything.self, data.prefix(length)), "length \(length)")
    }
    #expect(!survives(Everything.self, data + [0]))
  }

  @Test func `each flipped byte causes an error or another value`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let value = random.list(8) { $0.action() }
      let data = try coding.encode(value)
      var values = 0
      for place in data.indices {
        for mask in [0x01, 0x80, 0xFF, UInt8.random(in: 1...255, using: &random)] {
          var flipped = data
          flipped[place] ^= mask
          if survives([TodoAction].self, flipped) { values += 1 }
        }
      }
      #expect(values < data.count * 4)
    }
  }

  @Test func `random bytes cause an error or are a value`() throws {
    var random = SplitMix64(seed: 5)
    var todo = try coding.encode([Todo(id: 1, title: "A", isDone: true, score: 1)])
    todo.removeLast(13)
    var errors = 0
    for _ in 0..<2000 {
      let bytes = Data(random.list(60) { UInt8(truncatingIfNeeded: $0.next()) })
      for data in [bytes, [1, 0] + bytes, todo + bytes] where !survives([Todo].self, data) { errors += 1 }
      survives([String: [Int]].self, [1, 0, 0xF3, 2] + bytes)
    }
    #expect(errors > 5000)
  }

  @Test func `damage is reported with a sentence and its place`() throws {
    func text(_ bytes: [UInt8]) throws -> String {
      let error = try #require(throws: DecodingError.self) { try coding.decode([Int].self, from: Data(bytes)) }
      guard case .dataCorrupted(let context) = error else { throw error }
      return context.debugDescription
    }
    #expect(try text([]) == "The data is empty. At byte 0 of 0.")
    #expect(try text([9, 0]) == "The form has version 9, but only version 1 can be read. At byte 0 of 2.")
    #expect(try text([1, 5]) == "The table of keys is incomplete. At byte 1 of 2.")
    #expect(try text([1, 1, 7]) == "The table of keys is damaged. At byte 2 of 3.")
    #expect(try text([1, 0, 0xF2, 0, 0]) == "There are extra bytes after the value. At byte 4 of 5.")
    #expect(try text([1, 0, 0xF2, 3, 1]) == "The bytes are damaged or incomplete. At byte 2 of 5.")
    #expect(try text([1, 0, 0xF2, 1, 0xFF]) == "The bytes are damaged or incomplete. At byte 4 of 5.")
  }

  @Test func `counts that are too large are errors before memory is reserved`() throws {
    let huge: [[UInt8]] = [
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x80, 0x80, 0x80, 0x80, 0x10],
    ]
    for count in huge {
      for tag in [0xF0, 0xF1, 0xF2, 0xF3, 0xF4] as [UInt8] {
        let bytes = Data([1, 0, tag] + count + [0, 0])
        #expect(!survives([Int].self, bytes))
        #expect(!survives(String.self, bytes))
        #expect(!survives(Data.self, bytes))
        #expect(!survives([String: Int].self, bytes))
        #expect(!survives(Todo.self, bytes))
      }
      #expect(!survives(Int.self, Data([1] + count + [0])))
      #expect(!survives(Int.self, Data([1, UInt8(count.count)] + count + [0])))
      #expect(!survives(Int.self, Data([1, UInt8(count.count + 1), 1] + count + [0])))
      #expect(!survives(Int.self, Data([1, UInt8(count.count + 2), 1, 1] + count + [0])))
    }
  }

  private struct List: Codable {
    var rest: [List]
  }

  private indirect enum Chain: Codable {
    case end
    case link(Chain)
  }

  @Test func `values that are too deep are errors in encoding and decoding`() throws {
    let arrays = Data([1, 0] + Array(repeating: [0xF2, 1], count: 100_000).joined() + [0])
    #expect(!survives(List.self, arrays))
    #expect(throws: DecodingError.self) { try StoredContent(reading: arrays) }
    let lists = Data(
      [1, 7, 1, 1, 8] + Array("rest".utf8) + Array(repeating: [0x80, 0xF2, 1], count: 100_000).joined())
    #expect(!survives(List.self, lists))
    struct Nothing: Decodable {
      init(from decoder: any Decoder) throws {}
    }
    // Skipping a value doesn't recurse.
    #expect(survives(Nothing.self, arrays))
    var chain = Chain.end
    for _ in 0..<1000 { chain = .link(chain) }
    let error = try #require(throws: EncodingError.self) { try coding.encode(chain) }
    guard case .invalidValue(_, let context) = error else { throw error }
    #expect(context.debugDescription == "The value is more than 512 levels deep.")
    let recursive = NestedForever()
    #expect(throws: EncodingError.self) { try coding.encode(recursive) }
    #expect(throws: DecodingError.self) { try coding.decode(SingleForever.self, from: coding.encode(1)) }
  }

  private struct NestedForever: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for _ in 0..<1000 { container = container.nestedUnkeyedContainer() }
    }
  }

  private struct SingleForever: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.singleValueContainer().decode(SingleForever.self)
    }
  }

  /// A value with one level for each link.
  private final class Link: Codable {
    var next: Link?

    init(_ count: Int) { next = count > 1 ? Link(count - 1) : nil }

    var count: Int {
      var count = 1
      var link = self
      while let next = link.next {
        count += 1
        link = next
      }
      return count
    }
  }

  @Test(arguments: [1, 63, 64, 65, 511, 512]) func `values of the allowed depth can be decoded`(depth: Int) throws {
    let data = try coding.encode(Link(depth))
    #expect(try coding.decode(Link.self, from: data).count == depth)
    #expect(try StoredContent(reading: data).text.count { $0 == "{" } == depth)
  }

  @Test func `a value with one level more than allowed is an error in encoding and decoding`() throws {
    #expect(throws: EncodingError.self) { try coding.encode(Link(513)) }
    let table = Data([1, 7, 1, 1, 8] + Array("next".utf8))
    let deepest = Data(repeating: 0x80, count: 512) + [0xE1]
    #expect(try coding.decode(Link.self, from: table + deepest).count == 512)
    let error = try #require(throws: DecodingError.self) {
      try coding.decode(Link.self, from: table + [0x80] + deepest)
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.count == 512)
  }

  @Test func `deep values can be encoded and decoded on the smallest stacks`() async throws {
    let (deepest, length) = await withCheckedContinuation { continuation in
      let thread = Thread {
        let data = try? BinaryCoding().encode(Link(512))
        let link = try? data.map { try BinaryCoding().decode(Link.self, from: $0) }
        let text = try? data.map { try StoredContent(reading: $0).text }
        continuation.resume(returning: (link?.count, text?.count))
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(deepest == 512)
    #expect(length == 511 * 9 + 2)
  }

  @Test func `a value of another type is reported with its path`() throws {
    let data = try coding.encode(["b": [Todo(id: 1, title: "A", isDone: true, score: 1)]])
    struct Wrong: Decodable {
      var id: Int
      var title: [String]
    }
    let error = try #require(throws: DecodingError.self) { try coding.decode([String: [Wrong]].self, from: data) }
    guard case .typeMismatch(_, let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["b", "Index 0", "title"])
    #expect(context.codingPath[1].intValue == 0)
    #expect(context.debugDescription == "There is a string instead of Array<Any>.")
    let other = try #require(throws: DecodingError.self) { try coding.decode([String: [[Int]]].self, from: data) }
    guard case .typeMismatch(_, let place) = other else { throw other }
    #expect(place.codingPath.map(\.stringValue) == ["b", "Index 0"])
    #expect(place.debugDescription == "There is an object instead of Array<Any>.")
    let null = try #require(throws: DecodingError.self) {
      try coding.decode([Int].self, from: coding.encode([1, nil]))
    }
    guard case .valueNotFound(_, let missing) = null else { throw null }
    #expect(missing.codingPath.map(\.stringValue) == ["Index 1"])
  }

  @Test func `strings that aren't UTF-8 are errors`() {
    for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x61, 0xE2, 0x82]] as [[UInt8]] {
      let data = Data([1, 0, 0xC0 + UInt8(bytes.count)] + bytes)
      #expect(!survives(String.self, data))
      #expect(!survives([String: Int].self, Data([1, 0, 0xF3, 1, 0xC0 + UInt8(bytes.count)] + bytes + [1])))
    }
    #expect(survives(String.self, Data([1, 0, 0xC3, 0xEF, 0xBF, 0xBD])))
  }
}
