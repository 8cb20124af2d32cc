internal import Arbor
internal import Foundation

/// A value in a recording's file.
protocol DocumentValue {
  /// The name of this kind of value in errors.
  static var kindName: String { get }

  /// The value of a member that is left out; nil if the member is required.
  static var absent: Self? { get }

  var isAbsent: Bool { get }

  /// Reads a value. Returns nil if the value is of another kind.
  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> Self?

  func append(to text: inout JSONText)
}

extension DocumentValue {
  static var absent: Self? { nil }

  var isAbsent: Bool { false }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
  static var kindName: String { Wrapped.kindName }
  static var absent: Self? { .some(nil) }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> Self? {
    try Wrapped.read(value).map { .some($0) }
  }

  var isAbsent: Bool { self == nil }

  func append(to text: inout JSONText) {
    if let wrapped = self { wrapped.append(to: &text) } else { text.append("null") }
  }
}

extension Array: DocumentValue where Element: DocumentValue {
  static var kindName: String { "a list in which each element is \(Element.kindName)" }
  static var absent: Self? { [] }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> Self? {
    guard case .array(let values) = value else { return nil }
    var elements: [Element] = []
    for value in values {
      guard let element = try Element.read(value) else { return nil }
      elements.append(element)
    }
    return elements
  }

  var isAbsent: Bool { isEmpty }

  func append(to text: inout JSONText) { text.appendList(self) { $1.append(to: &$0) } }
}

extension DocumentValue where Self: RawRepresentable<String> {
  static var kindName: String { "one of the known values" }

  static func read(_ value: RecordedValue) -> Self? { String.read(value).flatMap(Self.init) }

  func append(to text: inout JSONText) { text.append(quoted: rawValue) }
}

extension ActionCause.Kind: DocumentValue {}
extension LoggedOutcome: DocumentValue {}
extension RecordingDocument.Header.Encoding: DocumentValue {}
extension RecordingDocument.Task.Outcome: DocumentValue {}

extension String: DocumentValue {
  static var kindName: String { "a string" }

  static func read(_ value: RecordedValue) -> String? { if case .string(let text) = value { text } else { nil } }

  func append(to text: inout JSONText) { text.append(quoted: self) }
}

extension Int: DocumentValue {
  static var kindName: String { "a whole number" }

  static func read(_ value: RecordedValue) -> Int? {
    switch value {
    case .integer(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }

  func append(to text: inout JSONText) { text.append(self) }
}

extension Double: DocumentValue {
  static var kindName: String { "a number" }

  static func read(_ value: RecordedValue) -> Double? { value.number }

  /// Writes the number, without ".0" if it is whole.
  func append(to text: inout JSONText) {
    if let whole = Int64(exactly: self) { text.append(whole) } else { text.append(self) }
  }
}

extension Bool: DocumentValue {
  static var kindName: String { "true or false" }
  static var absent: Bool? { false }

  static func read(_ value: RecordedValue) -> Bool? { if case .bool(let flag) = value { flag } else { nil } }

  var isAbsent: Bool { !self }

  func append(to text: inout JSONText) { text.append(self ? "true" : "false") }
}

extension Date: DocumentValue {
  static var kindName: String { "a date" }

  static func read(_ value: RecordedValue) -> Date? {
    String.read(value).flatMap { try? Date($0, strategy: .iso8601) }
  }

  func append(to text: inout JSONText) { text.append(quoted: formatted(.iso8601)) }
}

extension RecordedValue: DocumentValue {
  static var kindName: String { "a value" }

  static func read(_ value: RecordedValue) -> RecordedValue? { value }

  func append(to text: inout JSONText) { text.append(self) }
}

extension RecordedObject: DocumentValue {
  static var kindName: String { "an object" }

  static func read(_ value: RecordedValue) -> RecordedObject? {
    if case .object(let object) = value { object } else { nil }
  }

  func append(to text: inout JSONText) { text.append(.object(self)) }
}

extension ActionTimes: DocumentValue {
  static var kindName: String { "a list of six numbers" }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> ActionTimes? {
    guard let numbers = try [Double].read(value), numbers.count == 6 else { return nil }
    return ActionTimes(numbers.map { Duration(microseconds: $0) })
  }

  /// - Parameter times: The six times, in the order in which an action passes them.
  init(_ times: [Duration]) {
    self.init(
      accepted: times[0],
      waited: times[1],
      intercepted: times[2],
      reduced: times[3],
      performed: times[4],
      delivered: times[5]
    )
  }

  func append(to text: inout JSONText) {
    let times = [accepted, waited, intercepted, reduced, performed, delivered]
    times.map(\.microseconds).append(to: &text)
  }
}

extension ActionCause: DocumentValue {
  private struct Cause: DocumentObject {
    var kind = ActionCause.Kind.outside
    var action: Int?
    var task: Int?

    mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
      try members.member("kind", &kind)
      try members.member("action", &action)
      try members.member("task", &task)
    }
  }

  static var kindName: String { "an object" }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> ActionCause? {
    let cause = try Cause(reading: value)
    guard [cause.action ?? 0, cause.task ?? 0].allSatisfy(RecordingDocument.numbers.contains) else {
      throw .numberOutOfRange
    }
    return ActionCause(cause.kind, action: cause.action.map { UInt64($0) }, task: cause.task.map { UInt64($0) })
  }

  func append(to text: inout JSONText) {
    Cause(kind: kind, action: action.map { Int($0) }, task: task.map { Int($0) }).append(to: &text)
  }
}

extension RecordingChange: DocumentValue {
  static var kindName: String { "a path with an optional value" }

  static func read(_ value: RecordedValue) throws(RecordingMemberError) -> RecordingChange? {
    guard case .array(let parts) = value, 1...2 ~= parts.count, let path = try [Step].read(parts[0]), !path.isEmpty
    else { return nil }
    return RecordingChange(path, parts.count == 2 ? parts[1] : nil)
  }

  func append(to text: inout JSONText) {
    text.append("[")
    path.append(to: &text)
    if let value {
      text.append(",")
      text.append(value)
    }
    text.append("]")
  }
}

extension RecordingChange.Step: DocumentValue {
  static var kindName: String { "a key or an index" }

  static func read(_ value: RecordedValue) -> RecordingChange.Step? {
    switch value {
    case .string(let key): .key(key)
    case .integer(let index) where index >= 0: .index(Int(index))
    default: nil
    }
  }

  func append(to text: inout JSONText) {
    switch self {
    case .key(let key): text.append(quoted: key)
    case .index(let index): text.append(index)
    }
  }
}
