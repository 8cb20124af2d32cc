import ArborDevTools
import Foundation
import Testing

@Suite("Values that are decoded")
struct DecodingTests {
  /// Returns the path and the sentence of the error that decoding throws.
  private func error<Value: Decodable>(
    _ json: String,
    as type: Value.Type,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let tree = try JSONReader.value(of: Array(json.utf8))
    let error = #expect(throws: DecodingError.self, sourceLocation: sourceLocation) { try tree.decoded(as: type) }
    let context: DecodingError.Context =
      switch try #require(error) {
      case .typeMismatch(_, let context): context
      case .valueNotFound(_, let context): context
      case .keyNotFound(_, let context): context
      case .dataCorrupted(let context): context
      @unknown default: fatalError()
      }
    return (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: " | ")
  }

  @Test func `an error contains its place and reason`() throws {
    #expect(
      try error("[[1],[true]]", as: [[Int]].self) == "Index 1 | Index 0 | There is a Boolean instead of Int.")
    #expect(try error(#"{"a":{"x":1}}"#, as: [String: Sample.Point].self) == #"a | There is no key "y"."#)
    #expect(try error(#"{"x":128,"y":0}"#, as: Sample.Point.self) == "x | The number does not fit Int8.")
    #expect(try error(#"[1.5]"#, as: [Int].self) == "Index 0 | The number does not fit Int.")
    #expect(try error("null", as: Int.self) == "There is null instead of Int.")
    #expect(try error("[]", as: (PairOfNumbers).self) == "Index 0 | The array has no more elements.")
    #expect(try error(#""*""#, as: Data.self) == "The string is not base64.")
    #expect(try error("1e39", as: Float.self) == "The number does not fit Float.")
    #expect(try error(#"[{"$arbor":"redacted"}]"#, as: [Int].self) == "Index 0 | The value was redacted.")
    let omitted = try error(#"{"$arbor":"omitted","text":"x"}"#, as: Sample.self)
    #expect(omitted == "The value was too deep or too large to be recorded.")
  }

  @Test func `numbers can have every type that they fit`() throws {
    #expect(try RecordedValue.double(3).decoded(as: UInt8.self) == 3)
    #expect(try RecordedValue.integer(3).decoded(as: Double.self) == 3)
    #expect(try RecordedValue.unsigned(.max).decoded(as: UInt64.self) == .max)
    #expect(try RecordedValue.number("1e400").decoded(as: Double.self) == .infinity)
    #expect(throws: DecodingError.self) { try RecordedValue.unsigned(.max).decoded(as: Int.self) }
  }

  @Test func `a missing member or null is nil`() throws {
    #expect(try JSONReader.value(of: Array(#"{"a":null}"#.utf8)).decoded(as: [String: Int?].self) == ["a": nil])
    struct Optional: Decodable { var a: Int? }
    #expect(try JSONReader.value(of: Array("{}".utf8)).decoded(as: Optional.self).a == nil)
  }
}

private struct PairOfNumbers: Decodable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Int.self)
  }
}
