import ArborPersistence
import Foundation
import Testing

@Suite("The containers of the binary coding")
struct BinaryContainerTests {
  private let coding = BinaryCoding()

  /// Encodes a value with a function, and returns its content, which has the structure of JSON.
  private func columns(_ encode: @escaping (any Encoder) throws -> Void) throws -> StoredContent {
    try StoredContent(reading: coding.encode(Custom(body: encode)))
  }

  private struct Custom: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private enum Key: String, CodingKey {
    case a
    case b
    case c
  }

  private class Base: Codable {
    var id = 1
  }

  private final class Derived: Base {
    var name = ""

    private enum CodingKeys: CodingKey {
      case name
    }

    init(_ name: String) {
      self.name = name
      super.init()
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(name, forKey: .name)
    }
  }

  @Test func `a class and its superclass are decoded as they were`() throws {
    let values = ["One", "Two"].map { Derived($0) }
    values[1].id = 300
    let data = try coding.encode(values)
    let decoded = try coding.decode([Derived].self, from: data)
    #expect(decoded.map(\.name) == ["One", "Two"])
    #expect(decoded.map(\.id) == [1, 300])
    #expect(
      try StoredContent(reading: data).text == #"[{"super":{"id":1},"name":"One"},{"super":{"id":300},"name":"Two"}]"#)
  }

  @Test func `containers that are written to in turns have the same content as in JSON`() throws {
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedUnkeyedContainer(forKey: .a)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: .b)
      let third = container.superEncoder(forKey: .c)
      for number in 0..<200 {
        try first.encode(number)
        try first.encode(["z": [number], "y": [1]])
        if number == 7 { try second.encode("Seven", forKey: .a) }
      }
      var deep = second.nestedUnkeyedContainer(forKey: .b)
      try first.encode("End")
      try deep.encode(true)
      try "Third".encode(to: third)
      #expect(first.count == 401)
      #expect(deep.codingPath.map(\.stringValue) == ["b", "b"])
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try StoredContent(reading: coding.encode(value)).text
    #expect(try text == String(decoding: encoder.encode(value), as: UTF8.self))
  }

  @Test func `values that are written in turns inside a dictionary stay with their keys`() throws {
    struct InTurns: Codable, Equatable {
      var number: Int

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var first = container.nestedUnkeyedContainer(forKey: .a)
        try container.encode(number, forKey: .b)
        try first.encode(number + 1)
      }

      init(_ number: Int) { self.number = number }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        number = try container.decode(Int.self, forKey: .b)
        var first = try container.nestedUnkeyedContainer(forKey: .a)
        #expect(try first.decode(Int.self) == number + 1)
      }
    }
    let values = Dictionary(uniqueKeysWithValues: (0..<300).map { ("key \($0)", InTurns($0)) })
    let data = try coding.encode(values)
    #expect(try coding.decode([String: InTurns].self, from: data) == values)
    #expect(try coding.encode(values) == data)
  }

  @Test func `a dictionary can be written into the object around it, before or after its fields`() throws {
    for isFirst in [true, false] {
      let value = Custom { encoder in
        let extra = ["z": 1, "y": 2]
        if isFirst { try extra.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("text", forKey: .a)
        try container.encodeIfPresent(nil as Int?, forKey: .b)
        if !isFirst { try extra.encode(to: encoder) }
      }
      let fields = try JSONDecoder().decode([String: Field].self, from: JSONEncoder().encode(value))
      #expect(fields.count == 3)
      #expect(try coding.decode([String: Field].self, from: coding.encode(value)) == fields)
    }
  }

  /// A number or a string.
  private enum Field: Decodable, Equatable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self = try (try? container.decode(Int.self)).map { .number($0) } ?? .text(container.decode(String.self))
    }
  }

  @Test func `if a key is encoded twice, the last value counts`() throws {
    struct Pair: Decodable {
      var a: Int
      var b: Int
    }
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try container.encode(3, forKey: .a)
    }
    let pair = try coding.decode(Pair.self, from: coding.encode(value))
    #expect(pair.a == 3 && pair.b == 2)
  }

  @Test func `a value that encodes nothing is an empty object, and encoding two kinds of values is an error`() throws {
    #expect(try columns { _ in }.text == "{}")
    #expect(try columns { _ = $0.unkeyedContainer() }.text == "[]")
    #expect(try columns { _ = $0.singleValueContainer() }.text == "{}")
    #expect(throws: EncodingError.self) {
      try columns {
        _ = $0.container(keyedBy: Key.self)
        _ = $0.unkeyedContainer()
      }
    }
    #expect(throws: EncodingError.self) {
      try columns {
        var container = $0.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
  }

  @Test func `a value whose error is caught leaves no content`() throws {
    struct Failure: Error {}
    let failing = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(["half": 1], forKey: .a)
      throw Failure()
    }
    let value = try columns { encoder in
      var container = encoder.container(keyedBy: Key.self)
      #expect(throws: Failure.self) { try container.encode(failing, forKey: .a) }
      try container.encode(1, forKey: .b)
      var list = container.nestedUnkeyedContainer(forKey: .c)
      try list.encode(2)
      #expect(throws: Failure.self) { try list.encode(failing) }
      try list.encode(3)
      #expect(list.count == 2)
    }
    #expect(value.text == #"{"b":1,"c":[2,3]}"#)
    #expect(throws: Failure.self) { try coding.encode(["a": failing]) }
  }

  @Test func `writing to a container while a value inside it is encoded is an error`() {
    #expect(throws: EncodingError.self) {
      try columns { encoder in
        let list = encoder.unkeyedContainer()
        var outer = list
        let value = Custom { _ in
          var inner = list
          try inner.encode(1)
        }
        try outer.encode(value)
      }
    }
  }

  @Test func `containers that are used after the call throw`() throws {
    final class Kept: Codable {
      var encoding: KeyedEncodingContainer<Key>?
      var decoding: KeyedDecodingContainer<Key>?

      init() {}

      func encode(to encoder: any Encoder) throws {
        encoding = encoder.container(keyedBy: Key.self)
        try encoding!.encode("text", forKey: .a)
      }

      init(from decoder: any Decoder) throws { decoding = try decoder.container(keyedBy: Key.self) }
    }
    let value = Kept()
    let data = try coding.encode(value)
    _ = try coding.encode(Todo(id: 1, title: "Another", isDone: true, score: 1))
    #expect(throws: (any Error).self) { try value.encoding!.encode(1, forKey: .b) }
    let decoded = try coding.decode(Kept.self, from: data)
    #expect(throws: DecodingError.self) { try decoded.decoding!.decode(String.self, forKey: .a) }
    #expect(decoded.decoding!.contains(.a) == false)
  }

  @Test func `an encoding error has the path to the value`() throws {
    let error = try #require(throws: EncodingError.self) {
      try columns { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
          [
            "x": [
              1: Custom {
                var container = $0.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
              }
            ]
          ], forKey: .b)
      }
    }
    guard case .invalidValue(_, let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["b", "x", "1"])
  }

  @Test func `a copy of a container can read elements again, and null is recognized`() throws {
    struct Numbers: Decodable {
      var numbers: [Int?] = []

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        #expect(container.count == 3)
        var copy = container
        #expect(try copy.decode(Int.self) == 1)
        while !container.isAtEnd {
          numbers.append(try container.decodeNil() ? nil : container.decode(Int.self))
        }
        #expect(throws: DecodingError.self) { try container.decode(Int.self) }
      }
    }
    #expect(try coding.decode(Numbers.self, from: coding.encode([1, nil, 3])).numbers == [1, nil, 3])
  }

  @Test func `vectors, ranges and other values of the standard library are decoded as they were`() throws {
    let vector = SIMD4<Float>(1, 2, .infinity, 4)
    #expect(try coding.decode(SIMD4<Float>.self, from: coding.encode(vector)) == vector)
    #expect(try coding.decode(Range<Int>.self, from: coding.encode(2..<7)) == 2..<7)
    let components = DateComponents(year: 2020, month: 2)
    #expect(try coding.decode(DateComponents.self, from: coding.encode(components)) == components)
    #expect(
      try coding.decode([String: String?].self, from: coding.encode(["a": nil, "b": "c"])) == ["a": nil, "b": "c"])
    #expect(try coding.decode(Int??.self, from: coding.encode(1 as Int??)) == 1)
  }
}
