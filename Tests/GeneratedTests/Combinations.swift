import ArborDevTools
import ArborEntities
import Foundation

/// A type whose name is a raw identifier, and whose parts also have such names.
struct `Raw type, with: <marks>`<Content: Hashable & Sendable>: Hashable, Sendable {
  var `the content`: Content
  var `self` = Inner.`one, two`

  enum Inner: Hashable, Sendable {
    case `one, two`
    case `of.three`(`a label`: Int)
  }
}

/// A type whose name is a keyword.
struct `repeat`: Hashable, Sendable {
  var `class` = -1
}

/// Types that are made from raw values, which may fail or not. No mirror shows this.
enum RawValues {
  struct Certain: RawRepresentable, Hashable, Sendable {
    var rawValue: Int
  }

  struct Failing: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    init?(rawValue: Int) {
      guard rawValue < 0 else { return nil }
      self.rawValue = rawValue
    }
  }

  struct Computed: RawRepresentable, Hashable, Sendable {
    private let text: String

    init(rawValue: String) { text = rawValue }

    var rawValue: String { text }
  }
}

/// The values of many kinds, and each of them in many places.
enum Leaf {
  static let number = -1
  static let byte = Int8(-3)
  static let fraction = -0.5
  static let infinity = -Float.infinity
  static let range = -3 ..< -1
  static let bytes = Int8(-3)...(-1)
  static let fractions = -0.5...(-0.25)
  static let limits = -Double.infinity...(-Double.greatestFiniteMagnitude)
  static let raw = `Raw type, with: <marks>`(`the content`: [-1], self: .`of.three`(`a label`: -1))
  static let keyword = `repeat`()
  static let certain = RawValues.Certain(rawValue: -1)
  static let failing = RawValues.Failing(rawValue: -1)!
  static let computed = RawValues.Computed(rawValue: "a")
  static let id = TypedID<RawValues.Certain, Int>(-7)
  static let name = TypedID<RawValues.Certain, String>("a \"b\"")
  static let uuid = TypedID<RawValues.Certain, UUID>(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!)
  static let unnamed = Label.none
  static let pairs = [-1: [-2: nil, -3: -4 as Int8?]]
}

/// Places for a value.
enum Placed {
  static func alone<Value>(_ value: Value) -> Value { value }
  static func optional<Value>(_ value: Value) -> Value? { value }
  static func twice<Value>(_ value: Value) -> Value?? { value }
  static func list<Value>(_ value: Value) -> [Value?] { [value, nil] }
  static func table<Value: Hashable>(_ value: Value) -> [Value: Value] { [value: value] }
  static func box<Value: Hashable & Sendable>(_ value: Value) -> Sampled.Box<Value?> { Sampled.Box(content: value) }
  static func result<Value: Hashable>(_ value: Value) -> Result<Value, Sampled.Refusal> { .success(value) }
}

/// The file of a test that compares each kind of value, in each kind of place, with the value compiled from its source.
enum Combinations {
  static let suites = ["CombinationTests", "PlacedTests"]

  static func file(_ suite: String) throws -> String {
    var lines: [String] = []
    func add<Value: Hashable & Sendable>(_ name: String, _ value: Value) throws {
      func add(_ place: String, _ value: some Any, isTypeKnown: Bool) throws {
        let source = try SwiftLiteral.source(of: value, isTypeKnown: isTypeKnown)
        guard isTypeKnown else { return lines.append("      unknown: \(source)\n    )") }
        lines.append("    expect(\n      Placed.\(place)(Leaf.\(name)),\n      known: \(source),")
      }
      func addBoth(_ place: String, _ value: some Any) throws {
        for isTypeKnown in [true, false] { try add(place, value, isTypeKnown: isTypeKnown) }
      }
      guard suite == suites[1] else {
        try addBoth("alone", Placed.alone(value))
        return try addBoth("twice", Placed.twice(value) as Any)
      }
      // Only a few of them in all places.
      guard ["byte", "bytes", "raw", "failing", "id", "unnamed"].contains(name) else { return }
      try addBoth("optional", Placed.optional(value) as Any)
      try addBoth("list", Placed.list(value))
      try addBoth("table", Placed.table(value))
      try addBoth("box", Placed.box(value))
      try addBoth("result", Placed.result(value))
    }
    try add("number", Leaf.number)
    try add("byte", Leaf.byte)
    try add("fraction", Leaf.fraction)
    try add("infinity", Leaf.infinity)
    try add("range", Leaf.range)
    try add("bytes", Leaf.bytes)
    try add("fractions", Leaf.fractions)
    try add("limits", Leaf.limits)
    try add("raw", Leaf.raw)
    try add("keyword", Leaf.keyword)
    try add("certain", Leaf.certain)
    try add("failing", Leaf.failing)
    try add("computed", Leaf.computed)
    try add("id", Leaf.id)
    try add("name", Leaf.name)
    try add("uuid", Leaf.uuid)
    try add("unnamed", Leaf.unnamed)
    try add("pairs", Leaf.pairs)
    return """
      // swift-format-ignore-file

      import ArborEntities
      import Foundation
      import Testing

      struct \(suite) {
        @Test func combinations() {
      \(lines.joined(separator: "\n"))
        }
      }

      """
  }
}
