internal import Arbor

extension Encoder {
  /// `true` for a recording's encoder, which leaves out confidential values.
  var isRecording: Bool { userInfo[.isRecording] as? Bool == true }
}

extension RequestValue {
  private enum Keys: CodingKey {
    case value
  }

  /// Encodes the parts of the value instead of a text, so that a recording shows them, except for confidential ones.
  func encodeRecorded(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    switch content {
    case .value(let value as any Encodable): try container.encode(value, forKey: .value)
    case .text(let text):
      // The text of an argument that isn't there is empty.
      try container.encode((try? JSONText.value(JSONParts.self, from: text)) ?? .object([:]), forKey: .value)
    case .value, .missing: break
    }
  }

  /// Decodes a recorded value; nil for a stored one.
  init?(recorded decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: Keys.self) else { return nil }
    guard container.contains(.value) else {
      self.init(.missing)
      return
    }
    // An answer that is nil has a value.
    let parts = try container.decodeNil(forKey: .value) ? .null : container.decode(JSONParts.self, forKey: .value)
    self.init(.text(try JSONText.text(of: parts)))
  }
}

/// The parts of a JSON value whose type isn't known.
private enum JSONParts: Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONParts])
  case object([String: JSONParts])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let values = try? container.decode([JSONParts].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONParts].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
