import Foundation

/// A value that uses all features of `Codable`.
struct Sample: Codable, Equatable {
  enum Kind: String, Codable {
    case small
    case large
  }

  indirect enum Step: Codable, Equatable {
    case add(id: Int, Double)
    case clear
    case both(Step, Step)
  }

  struct Name: Codable, Hashable, CodingKeyRepresentable {
    var text: String

    init(_ text: String) { self.text = text }

    init?(codingKey: some CodingKey) { text = codingKey.stringValue }

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    var codingKey: any CodingKey { AnyKey(text) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Point: Codable, Hashable {
    var x: Int8
    var y: UInt16
  }

  var flag = true
  var least = Int64.min
  var greatest = UInt64.max
  var small: Int8 = -128
  var byte: UInt8 = 255
  var double = 0.1
  var whole = 3.0
  var tiny = Double.leastNonzeroMagnitude
  var float: Float = 0.1
  var text = "a\"\\\n\u{2028}é👩‍👩‍👧‍👦"
  var nothing: Int?
  var something: Int? = 5
  var list = [1, 2, 3]
  var lists = [[1], [], [2, 3]]
  var gaps: [String?] = ["a", nil]
  var kind = Kind.large
  var steps: [Step] = [.add(id: 1, 0.5), .clear, .both(.clear, .add(id: 2, -1))]
  var byName = ["b": 1, "a": 2, "$arbor": 3]
  var byNumber = [2: "two", 1: "one"]
  var byWrapper = [Name("x"): 1, Name("$arbor"): 2]
  var byPoint = [Point(x: 1, y: 2): "p", Point(x: -1, y: 0): "q"]
  var set: Set<Int> = [3, 1, 2]
  var date = Date(timeIntervalSinceReferenceDate: 12345.678)
  var address = URL(string: "https://example.com/a?b=c")!
  var data = Data([0, 1, 255])
  var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
}

/// A key with any text.
struct AnyKey: CodingKey {
  let stringValue: String

  init(_ text: String) { stringValue = text }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { stringValue = "\(intValue)" }

  var intValue: Int? { Int(stringValue) }
}

/// A value that requests every kind of container manually.
struct ByHand: Codable, Equatable {
  var numbers = [1, 2]
  var inner = ["k": "v"]
  var parent = "p"
  var other = "o"

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    var list = try container.nestedUnkeyedContainer(forKey: AnyKey("numbers"))
    numbers = [try list.decode(Int.self), try list.decode(Int.self)]
    guard try list.decodeNil() else { throw CocoaError(.coderInvalidValue) }
    var deeper = try list.nestedUnkeyedContainer()
    guard try deeper.decode(Bool.self), deeper.isAtEnd else { throw CocoaError(.coderInvalidValue) }
    let object = try list.nestedContainer(keyedBy: AnyKey.self)
    inner = ["k": try object.decode(String.self, forKey: AnyKey("k"))]
    parent = try container.superDecoder().singleValueContainer().decode(String.self)
    other = try container.superDecoder(forKey: AnyKey("other")).singleValueContainer().decode(String.self)
    guard try list.superDecoder().singleValueContainer().decode(Int.self) == 7, list.isAtEnd else {
      throw CocoaError(.coderInvalidValue)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    var list = container.nestedUnkeyedContainer(forKey: AnyKey("numbers"))
    for number in numbers { try list.encode(number) }
    try list.encodeNil()
    var deeper = list.nestedUnkeyedContainer()
    try deeper.encode(true)
    var object = list.nestedContainer(keyedBy: AnyKey.self)
    try object.encode(inner["k"], forKey: AnyKey("k"))
    // Written in another order than requested, and the first key twice.
    let later = container.superEncoder(forKey: AnyKey("other"))
    let parentEncoder = container.superEncoder()
    var single = parentEncoder.singleValueContainer()
    try single.encode(parent)
    try container.encode(0, forKey: AnyKey("twice"))
    try container.encode(1, forKey: AnyKey("twice"))
    var laterSingle = later.singleValueContainer()
    try laterSingle.encode(other)
    var last = list.superEncoder().singleValueContainer()
    try last.encode(7)
  }
}

/// A value nested in itself to any depth.
indirect enum Nested: Codable, Equatable, Sendable {
  case end
  case next(Nested)

  init(depth: Int) {
    self = .end
    for _ in 0..<depth { self = .next(self) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .end : .next(try container.decode([Nested].self)[0])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .next(let next) = self { try container.encode([next]) } else { try container.encodeNil() }
  }
}
