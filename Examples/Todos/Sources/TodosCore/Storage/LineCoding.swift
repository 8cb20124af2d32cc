import ArborPersistence
import Foundation

/// JSON, of which each value ends its line: whoever looks into the files finds a change a line.
struct LineCoding: StorageCoding {
  private let json = JSONCoding()

  func encode(_ value: some Encodable) throws -> Data { try json.encode(value) + "\n".utf8 }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try json.decode(type, from: data)
  }
}
