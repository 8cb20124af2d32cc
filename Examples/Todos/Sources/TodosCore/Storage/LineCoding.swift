import Arbor
import ArborPersistence
import Foundation

/// JSON, of which each value ends its line: whoever looks into the files finds a change a line.
struct LineCoding: StorageCoding {
  func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[.includesPast] = true
    return try encoder.encode(value) + Data("\n".utf8)
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}
