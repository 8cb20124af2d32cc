/// The members of an object of a recording's file.
struct RecordingMembers {
  private let object: RecordedObject
  private let name: String

  /// - Parameter name: The name of the object in errors.
  init(_ value: RecordedValue, _ name: String) throws(RecordingMemberError) {
    guard case .object(let object) = value else { throw RecordingMemberError(text: "\(name) is no object") }
    self.init(object, name)
  }

  init(_ object: RecordedObject, _ name: String) {
    self.object = object
    self.name = name
  }

  /// A member's value; nil if it is not there, or null.
  func value(_ key: String) -> RecordedValue? {
    let value = object[key]
    return if case .null? = value { nil } else { value }
  }

  /// A value as it is, also null.
  func anyValue(_ key: String) -> RecordedValue? { object[key] }

  private func error(_ key: String, _ wanted: String) -> RecordingMemberError {
    RecordingMemberError(text: "\(name) has no \(key.debugDescription) that is \(wanted)")
  }

  private func required<Value>(
    _ key: String,
    _ wanted: String,
    _ value: Value?
  ) throws(RecordingMemberError) -> Value {
    guard let value else { throw error(key, wanted) }
    return value
  }

  func text(_ key: String) throws(RecordingMemberError) -> String {
    try required(key, "a text", textIfPresent(key))
  }

  func textIfPresent(_ key: String) throws(RecordingMemberError) -> String? {
    switch value(key) {
    case nil: nil
    case .string(let text): text
    default: throw error(key, "a text")
    }
  }

  func integer(_ key: String) throws(RecordingMemberError) -> Int {
    try required(key, "a whole number", integerIfPresent(key))
  }

  func integerIfPresent(_ key: String) throws(RecordingMemberError) -> Int? {
    guard let value = value(key) else { return nil }
    return try required(key, "a whole number", value.integer)
  }

  func number(_ key: String) throws(RecordingMemberError) -> Double {
    try required(key, "a number", numberIfPresent(key))
  }

  func numberIfPresent(_ key: String) throws(RecordingMemberError) -> Double? {
    guard let value = value(key) else { return nil }
    return try required(key, "a number", value.double)
  }

  func flag(_ key: String) throws(RecordingMemberError) -> Bool {
    switch value(key) {
    case nil: false
    case .bool(let flag): flag
    default: throw error(key, "true or false")
    }
  }

  /// A list; nil if it is not there.
  func list(_ key: String) throws(RecordingMemberError) -> [RecordedValue]? {
    switch value(key) {
    case nil: nil
    case .array(let elements): elements
    default: throw error(key, "a list")
    }
  }

  func integers(_ key: String) throws(RecordingMemberError) -> [Int] {
    var integers: [Int] = []
    for value in try list(key) ?? [] { integers.append(try required(key, "a list of whole numbers", value.integer)) }
    return integers
  }

  func choice<Choice: RawRepresentable<String>>(
    _ key: String,
    _ type: Choice.Type = Choice.self
  ) throws(RecordingMemberError) -> Choice {
    try required(key, "one of those that are known", Choice(rawValue: try text(key)))
  }

  func object(_ key: String) throws(RecordingMemberError) -> RecordedObject {
    guard case .object(let object)? = value(key) else { throw error(key, "an object") }
    return object
  }
}

/// A part of a recording's file that is not what it must be.
struct RecordingMemberError: Error, CustomStringConvertible {
  static let numberOutOfRange = RecordingMemberError(text: "a number is below 0, or too large")

  let text: String

  var description: String { text }
}

extension RecordedValue {
  fileprivate var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number that it is; nil if it is none.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
