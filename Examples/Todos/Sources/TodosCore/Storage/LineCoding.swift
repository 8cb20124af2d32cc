import ArborPersistence
import Foundation

/// JSON with a line break after each value, so that the files show one change per line.
struct LineCoding: StorageCoding {
  private let json = JSONCoding()

  func encode(_ value: some Encodable) throws -> Data { try json.encode(value) + "\n".utf8 }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try json.decode(type, from: data)
  }
}
