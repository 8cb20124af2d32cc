import Arbor
import ArborDevTools
import Foundation
import TestSupport
import Testing

struct SwiftLiteralTests {
  struct Cart {
    var items: [Item] = []
    var owner: (name: String, ages: [String: Any]) = ("", [:])
  }

  struct Item {
    var price: Any
  }

  final class Object {
    final class Failure: Error {}
  }

  struct Hidden {
    var _count = 1
  }

  struct Reflected: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["a": 1]) }
  }

  enum Odd: CustomStringConvertible {
    case one
    var description: String { "whatever" }
  }

  indirect enum Chain {
    case end
    case next(Chain)
  }

  private struct Private {}

  enum Action {
    case none
    case pair(Int, name: String)
    case failed(any Error)
  }

  enum Refusal: Error {
    case offline
  }

  private func source<Value>(_ value: Value, isTypeKnown: Bool = true) throws -> String {
    try SwiftLiteral.source(of: value, isTypeKnown: isTypeKnown)
  }

  @Test func `every normal number is read unchanged`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      let small = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      if number.isNormal { #expect(try Double(source(number))?.bitPattern == number.bitPattern) }
      if small.isNormal { #expect(try Float(source(small))?.bitPattern == small.bitPattern) }
    }
    #expect(try source(-0.0) == "-0.0")
    #expect(try source(Double.leastNonzeroMagnitude) == "Double(bitPattern: 1)")
  }

  @Test func `infinities and NaNs are written exactly`() throws {
    #expect(try source(Double.nan) == ".nan")
    #expect(try source(Double.nan, isTypeKnown: false) == "Double.nan")
    #expect(try source(-Double.nan) == "Double(bitPattern: \((-Double.nan).bitPattern))")
    #expect(try source(Float.infinity) == ".infinity")
    #expect(try source(-Float.infinity) == "-Float.infinity")
  }

  @Test func `integers of seven digits or more are grouped`() throws {
    #expect(try source(999_999) == "999999")
    #expect(try source(-1_234_567) == "-1_234_567")
    #expect(try source(UInt16(7), isTypeKnown: false) == "7 as UInt16")
  }

  @Test func `strings show characters that a reader would not see`() throws {
    #expect(try source("a\"b") == #""a\"b""#)
    #expect(try source(#""a" \(b)"#) == ##"#""a" \(b)"#"##)
    #expect(try source(##"a"#\b"##) == ###"##"a"#\b"##"###)
    #expect(try source("\u{2028}\0\u{202E}\r\n\t\u{7F}\u{301}") == #""\u{2028}\0\u{202E}\r\n\t\u{7F}\u{301}""#)
    #expect(try source("Grüße 東京 😀") == "\"Grüße 東京 😀\"")
    #expect(try source("\"\"\"") == #""\"\"\"""#)
  }

  @Test func `no string has more than one line or invisible characters`() throws {
    for text in Hostile.texts {
      #expect(Hostile.isOneLine(try source(text)))
    }
  }

  @Test func `sets and dictionaries have a fixed order`() throws {
    let (numbers, words) = (Set(0..<20), ["b": 2, "a": 1, "c": 3])
    #expect(try source(numbers) == "[\((0..<20).map { "\($0)" }.joined(separator: ", "))]")
    #expect(try source(words) == #"["a": 1, "b": 2, "c": 3]"#)
  }

  @Test func `cases only have their type's name where they need it`() throws {
    #expect(try source(Action.pair(1, name: "a")) == #".pair(1, name: "a")"#)
    #expect(try source(Action?.some(.none)) == "SwiftLiteralTests.Action.none")
    #expect(try source(Action.none, isTypeKnown: false) == "SwiftLiteralTests.Action.none")
    #expect(try source(Action.failed(Refusal.offline)) == ".failed(SwiftLiteralTests.Refusal.offline)")
  }

  @Test func `types are written without their modules`() {
    #expect(SwiftTypeName.of([String: Int??].self) == "[String: Int??]")
    #expect(SwiftTypeName.of(Result<[Cart], any Error>.self) == "Result<[SwiftLiteralTests.Cart], any Error>")
    #expect(SwiftTypeName.of((any Error)?.self) == "(any Error)?")
    #expect(
      SwiftTypeName.of(ContiguousArray<[Int: (Int, a: String?)]>.self) == "ContiguousArray<[Int: (Int, a: String?)]>")
    #expect(SwiftTypeName.of(Array<(Int) -> [Cart]>.self) == "[(Int) -> [SwiftLiteralTests.Cart]]")
    #expect(SwiftTypeName.of(String.UTF8View.self) == "String.UTF8View")
    #expect(SwiftTypeName.of(Private.self) == nil)
  }

  @Test func `a value that cannot be written is an error with its path`() {
    let values: [Any] = [
      Object(), {}, Hidden(), Reflected(), Odd.one, Private(), Calendar.current, Int.self,
      Mutation<Int>(named: "") { $0 = 1 }, Action.failed(Object.Failure()),
    ]
    for value in values {
      let cart = Cart(items: [Item(price: 1), Item(price: value)])
      let error = #expect(throws: SwiftSourceError.self, "\(value)") { try source(cart) }
      #expect(error?.path.hasPrefix("value.items[1].price") == true, "\(value)")
      #expect(error.map { $0.description == "\($0.path): cannot be written as Swift: \($0.reason)" } == true)
    }
    let error = #expect(throws: SwiftSourceError.self) { try source(Hidden()) }
    #expect(error?.path == "value._count")
  }

  @Test func `paths lead through tuples, dictionaries and optionals`() {
    let cart = Cart(owner: ("a", ["b": [Object()] as [Object]? as Any]))
    let error = #expect(throws: SwiftSourceError.self) { try source(cart) }
    #expect(error?.path == #"value.owner.ages["b"][0]"#)
  }

  @Test func `a value that is too deep is an error`() throws {
    func chain(_ count: Int) -> Chain { (0..<count).reduce(.end) { chain, _ in .next(chain) } }
    #expect(try source(chain(60)).hasSuffix("next(.end" + String(repeating: ")", count: 60)))
    let error = #expect(throws: SwiftSourceError.self) { try source(chain(10_000)) }
    #expect(error?.reason.contains("64 levels") == true)
  }
}
