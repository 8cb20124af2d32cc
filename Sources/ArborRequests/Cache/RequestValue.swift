internal import Foundation

/// A value of any type in the cache: an answer, or the input or the output of a change.
///
/// - It is encoded as a JSON text. A decoded value stays a text until its request reads it, because only the request
///   knows the type. A value whose type isn't `Codable` is left out: its entry is decoded as one that was never loaded.
public struct RequestValue: Equatable, Sendable {
  enum Content: Sendable {
    case value(any Equatable & Sendable)

    /// The JSON of a value whose type isn't known yet.
    case text(String)

    /// The value couldn't be encoded.
    case missing
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
  }

  /// `true` if the value isn't decoded yet.
  var isText: Bool { if case .text = content { true } else { false } }

  /// The value as JSON; nil if it can't be encoded.
  package var text: String? {
    switch content {
    case .value(let value as any Encodable): try? JSONText.text(of: value)
    case .text(let text): text
    case .value, .missing: nil
    }
  }

  /// Wraps a value.
  ///
  /// - Parameter value: The value.
  public init(_ value: some Equatable & Sendable) {
    content = .value(value)
  }

  /// Returns the value as a type; decodes it if it is still a text.
  ///
  /// - Throws: `RequestFailure` if it has another type, or if the text doesn't fit the type.
  func value<Value: Equatable & Sendable>(as type: Value.Type) throws -> Value {
    switch content {
    case .value(let value):
      guard let value = value as? Value else {
        throw RequestFailure(.undecodable, "the value is a \(Swift.type(of: value)), not a \(type)")
      }
      return value
    case .text(let text): return try JSONText.value(type, from: text)
    case .missing: throw RequestFailure(.undecodable, "the value was not stored, because its type is not Codable")
    }
  }

  /// Compares the values; a text is equal only to the same text.
  public static func == (first: RequestValue, second: RequestValue) -> Bool {
    switch (first.content, second.content) {
    case (.value(let first), .value(let second)): first.isEqual(to: second)
    case (.text(let first), .text(let second)): first == second
    case (.missing, .missing): true
    default: false
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool {
    (other as? Self).map { $0 == self } ?? false
  }
}

extension RequestValue: Codable {
  /// Decodes the text of a value.
  public init(from decoder: any Decoder) throws {
    if let recorded = try RequestValue(recorded: decoder) {
      self = recorded
      return
    }
    let container = try decoder.singleValueContainer()
    content = (try? container.decode(String.self)).map { .text($0) } ?? .missing
  }

  /// Encodes the value as a text, or as nil if its type isn't `Codable`.
  public func encode(to encoder: any Encoder) throws {
    guard !encoder.isRecording else { return try encodeRecorded(to: encoder) }
    var container = encoder.singleValueContainer()
    switch content {
    case .text(let text): try container.encode(text)
    // A value that JSON can't hold, such as infinity, doesn't keep the rest of the state from being stored.
    case .value, .missing: if let text { try container.encode(text) } else { try container.encodeNil() }
    }
  }
}

extension RequestValue: CustomStringConvertible {
  /// The description of the value.
  public var description: String {
    switch content {
    case .value(let value): "\(value)"
    case .text(let text): text
    case .missing: "not stored"
    }
  }
}

extension RequestValue: CustomReflectable {
  /// A mirror of the value itself, for logs and failing tests.
  public var customMirror: Mirror {
    switch content {
    case .value(let value): Mirror(self, children: ["value": value])
    case .text(let text): Mirror(self, children: ["text": text])
    case .missing: Mirror(self, children: [:])
    }
  }
}

/// JSON texts of arguments and values.
enum JSONText {
  /// Returns the JSON of a value, with sorted keys: equal values have equal texts.
  static func text(of value: some Encodable) throws -> String {
    // The usual arguments, whose texts are simple.
    if let number = value as? Int { return String(number) }
    if value is NoValue { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the value of a text.
  ///
  /// - Throws: `RequestFailure` with the place in the text and the reason.
  static func value<Value>(_ type: Value.Type, from text: String) throws -> Value {
    // The usual arguments, like above.
    if let number = Int(text) as? Value { return number }
    if let none = NoValue() as? Value { return none }
    guard let decodable = type as? any Decodable.Type else {
      throw RequestFailure(.undecodable, "\(type) is not Decodable")
    }
    do {
      return try JSONDecoder().decode(decodable, from: Data(text.utf8)) as! Value
    } catch let error as DecodingError {
      throw RequestFailure(error)
    }
  }
}
