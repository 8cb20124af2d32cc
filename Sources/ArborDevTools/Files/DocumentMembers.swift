/// The members of an object in a recording's file, for writing or reading.
protocol DocumentMembers {
  associatedtype Failure: Error

  /// Writes a value as the member with a key, or reads it from there.
  ///
  /// - Parameter isAlways: `true` if an absent value is also written.
  mutating func member<Value: DocumentValue>(
    _ key: StaticString,
    _ value: inout Value,
    isAlways: Bool
  ) throws(Failure)
}

extension DocumentMembers {
  mutating func member(_ key: StaticString, _ value: inout some DocumentValue) throws(Failure) {
    try member(key, &value, isAlways: false)
  }
}

extension JSONText: DocumentMembers {
  mutating func member(_ key: StaticString, _ value: inout some DocumentValue, isAlways: Bool) {
    guard isAlways || !value.isAbsent else { return }
    append(last == UInt8(ascii: "{") ? "\"" : ",\"")
    append(key)
    append("\":")
    value.append(to: &self)
  }
}

extension JSONText {
  /// Writes a member of an object.
  mutating func add(_ key: StaticString, _ value: some DocumentValue) {
    var value = value
    member(key, &value, isAlways: true)
  }
}

/// The members of an object that is being read.
struct MemberReader: DocumentMembers {
  private let object: RecordedObject
  private let name: String

  /// - Parameter name: The name of the object in errors.
  init(_ object: RecordedObject, _ name: String) {
    self.object = object
    self.name = name
  }

  func member<Value: DocumentValue>(
    _ key: StaticString,
    _ value: inout Value,
    isAlways: Bool
  ) throws(RecordingMemberError) {
    value = try self.value(key)
  }

  /// Returns the value of a member; if the member is missing or null, the value that stands for an absent one.
  func value<Value: DocumentValue>(
    _ key: StaticString,
    as type: Value.Type = Value.self
  ) throws(RecordingMemberError) -> Value {
    let found = object["\(key)"]
    if let found, let value = try Value.read(found) { return value }
    guard found == nil || found == .null, let value = Value.absent else {
      throw RecordingMemberError(text: "\(name)'s \"\(key)\" is missing or is not \(Value.kindName)")
    }
    return value
  }
}

/// An error in a member of a recording's file.
struct RecordingMemberError: Error, CustomStringConvertible {
  static let numberOutOfRange = RecordingMemberError(text: "a number is negative or too large")

  let text: String

  var description: String { text }
}

/// An object in a recording's file. It names its members once, for both writing and reading.
protocol DocumentObject: DocumentValue {
  /// Makes an object to read into.
  init()

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure)
}

extension DocumentObject {
  static var kindName: String { "an object" }

  /// The name of the object in errors.
  private static var name: String { "the \("\(Self.self)".lowercased())" }

  init(reading value: RecordedValue) throws(RecordingMemberError) {
    guard case .object(let object) = value else { throw RecordingMemberError(text: "\(Self.name) is not an object") }
    self.init()
    var members = MemberReader(object, Self.name)
    try exchange(with: &members)
  }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> Self? { try Self(reading: value) }

  func append(to text: inout JSONText) {
    var object = self
    text.append("{")
    object.exchange(with: &text)
    text.append("}")
  }
}
