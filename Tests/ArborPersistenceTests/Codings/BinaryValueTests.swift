import ArborPersistence
import Foundation
import Testing

@Suite("Bytes of the binary coding without their type")
struct BinaryValueTests {
  private let coding = BinaryCoding()

  @Test func `bytes are printed as JSON`() throws {
    let todo = Todo(id: -3, title: "A \"quote\"\n\u{1}\\", isDone: false, score: 1.5)
    let text = try StoredContent(reading: coding.encode(TodoAction.add(todo))).text
    #expect(text == #"{"add":{"_0":{"id":-3,"title":"A \"quote\"\n\u0001\\","isDone":false,"score":1.5}}}"#)
    #expect(try StoredContent(reading: coding.encode(["b": [1, nil], "a": []])).text == #"{"a":[],"b":[1,null]}"#)
    #expect(
      try StoredContent(reading: coding.encode([Double.infinity, -.infinity, .nan])).text == #"["inf","-inf","nan"]"#)
    #expect(try StoredContent(reading: coding.encode(Data([1, 2, 3]))).text == #""AQID""#)
    #expect(try StoredContent(reading: coding.encode(0.1 as Float)).text == "0.1")
  }

  @Test func `integers of any width are printed in full`() throws {
    let values: [Int128] = [
      .min, .max, 0, -1, Int128(UInt64.max), -Int128(UInt64.max), -Int128(UInt64.max) - 1, 1 << 64,
    ]
    for value in values { #expect(try StoredContent(reading: coding.encode(value)).text == "\(value)") }
    #expect(try StoredContent(reading: coding.encode(UInt128.max)).text == "\(UInt128.max)")
    #expect(try StoredContent(reading: coding.encode(UInt64.max)).text == "\(UInt64.max)")
  }

  @Test func `the tree has the content of the value`() throws {
    let value = try StoredContent(reading: coding.encode(Todo(id: 1, title: "A", isDone: true, score: 2, note: "N")))
    #expect(
      value
        == .object([
          .init("id", .integer(1)), .init("title", .string("A")), .init("isDone", .bool(true)),
          .init("score", .double(2)), .init("note", .string("N")),
        ]))
  }
}
