import ArborDevTools
import Foundation
import Testing

@Suite("Values that are encoded")
struct EncodingTests {
  @Test func `values are encoded like JSONEncoder does`() throws {
    var sample = Sample()
    // JSONEncoder sorts neither, and has no rule for keys that look like marks.
    (sample.set, sample.byPoint) = ([1], [:])
    (sample.byName["$arbor"], sample.byWrapper) = (nil, [:])
    let json = try JSONReader.value(of: Array(JSONEncoder().encode(sample)))
    // JSONEncoder writes 3.0 as 3.
    #expect(try RecordedValue(encoding: sample).withWholeNumbers == json.withWholeNumbers)
    #expect(try RecordedValue(encoding: ByHand()) == JSONReader.value(of: Array(JSONEncoder().encode(ByHand()))))
  }

  @Test func `values are decoded unchanged, also through JSON`() throws {
    let tree = try RecordedValue(encoding: Sample())
    #expect(try tree.decoded(as: Sample.self) == Sample())
    let read = try JSONReader.value(of: JSONText(of: tree).bytes)
    #expect(read == tree)
    #expect(try read.decoded(as: Sample.self) == Sample())
    #expect(try RecordedValue(encoding: ByHand()).decoded() == ByHand())
  }

  @Test func `the output of JSONEncoder is decoded, too`() throws {
    var sample = Sample()
    (sample.byName["$arbor"], sample.byWrapper) = (nil, [:])
    let json = try JSONReader.value(of: Array(JSONEncoder().encode(sample)))
    #expect(try json.decoded(as: Sample.self) == sample)
  }

  @Test func `equal sets and dictionaries make equal trees in a fixed order`() throws {
    let numbers = Set((0..<1000).map { "\($0)" })
    var others = Set(numbers.sorted())
    others.reserveCapacity(100_000)
    #expect(try RecordedValue(encoding: numbers) == RecordedValue(encoding: others))
    let sorted = try RecordedValue(encoding: [Sample.Point(x: 2, y: 0): 1, Sample.Point(x: 1, y: 0): 2])
    #expect(JSONText(of: sorted).text == #"[{"x":1,"y":0},2,{"x":2,"y":0},1]"#)
    #expect(JSONText(of: try RecordedValue(encoding: ["b": 1, "a": 2])).text == #"{"a":2,"b":1}"#)
  }

  @Test func `numbers that JSON lacks are marked and decoded unchanged`() throws {
    let numbers = [Double.infinity, -.infinity, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    let tree = try RecordedValue(encoding: numbers)
    #expect(JSONText(of: try RecordedValue(encoding: Double.nan)).text == #"{"$arbor":"number","text":"nan"}"#)
    #expect(try tree.decoded(as: [Double].self).map(\.bitPattern) == numbers.map(\.bitPattern))
    #expect(try RecordedValue(encoding: Float.nan).decoded(as: Float.self).isNaN)
    for _ in 0..<1000 {
      let float = Float(bitPattern: .random(in: 0..<0x7F80_0000))
      #expect(try RecordedValue(encoding: float).decoded(as: Float.self) == float)
    }
  }

  @Test func `a decimal number keeps all digits`() throws {
    let decimal = try #require(Decimal(string: "12345678901234567890.123456789"))
    let tree = try RecordedValue(encoding: ["price": decimal])
    #expect(JSONText(of: tree).text == #"{"price":"12345678901234567890.123456789"}"#)
    #expect(try tree.decoded(as: [String: Decimal].self) == ["price": decimal])
    #expect(try RecordedValue.integer(3).decoded(as: Decimal.self) == 3)
  }

  @Test func `a value that encodes nothing is an empty object, and one that encodes two kinds is an error`() throws {
    struct Nothing: Encodable {
      func encode(to encoder: any Encoder) throws {}
    }
    struct Both: Encodable {
      func encode(to encoder: any Encoder) throws {
        _ = encoder.unkeyedContainer()
        _ = encoder.container(keyedBy: AnyKey.self)
      }
    }
    #expect(try RecordedValue(encoding: [Nothing()]) == .array([.object(RecordedObject())]))
    let error = #expect(throws: EncodingError.self) { try RecordedValue(encoding: ["a": [Both()]]) }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
  }

  @Test func `keys that look like marks are escaped and decoded unchanged`() throws {
    let keys = ["$arbor": 1, "$$arbor": 2, "arbor": 3, "$$$": 4, "x$arbor": 5, "$x$arbor": 6, "": 7]
    let tree = try RecordedValue(encoding: keys)
    let members = try #require(tree.members)
    #expect(Set(members) == ["$$arbor", "$$$arbor", "arbor", "$$$", "x$arbor", "$x$arbor", ""])
    #expect(try tree.decoded() == keys)
  }

  @Test func `a thousand levels are encoded and decoded, and deeper ones are omitted`() throws {
    let nested = Nested(depth: 490)
    #expect(try RecordedValue(encoding: nested).decoded() == nested)
    let deeper = try RecordedValue(encoding: Nested(depth: 2000))
    let text = JSONText(of: deeper).text
    #expect(text.contains(#"{"$arbor":"omitted","text":"deeper than 1000 parts"}"#))
    #expect(try JSONReader.value(of: Array(text.utf8)) == deeper)
    #expect(throws: DecodingError.self) { try deeper.decoded(as: Nested.self) }
  }
}

extension RecordedValue {
  /// The keys of an object.
  var members: [String]? {
    if case .object(let object) = self { object.members.map(\.key) } else { nil }
  }

  /// The tree with whole doubles as integers.
  var withWholeNumbers: RecordedValue {
    switch self {
    case .double(let number): Int64(exactly: number).map(RecordedValue.integer) ?? self
    case .array(let elements): .array(elements.map(\.withWholeNumbers))
    case .object(let object):
      .object(RecordedObject(object.members.map { .init($0.key, $0.value.withWholeNumbers) }))
    default: self
    }
  }
}

extension JSONText {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONReader {
  /// Returns the only value in some bytes.
  static func value(of bytes: [UInt8]) throws -> RecordedValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    try reader.end()
    return value
  }
}
