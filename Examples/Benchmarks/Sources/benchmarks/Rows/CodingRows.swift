import ArborPersistence
import Foundation

/// The binary form of values, compared with Foundation's forms: for each row, the better one is the limit.
let codingRows =
  rows("a small action", count: 1, budgets: (encoding: 0.33, decoding: 0.33, bytes: 0.9)) { number in
    LedgerAction.enter(account: number % 100, amount: number)
  }
  + rows("100,000 records", count: 100_000, budgets: (encoding: 0.33, decoding: 0.33, bytes: 0.5)) { number in
    CodedRecord(number)
  }

/// - Parameters:
///   - count: The number of elements in the coded value; 1 for a single element that is not in an array.
///   - make: Makes an element.
private func rows<Element: Codable & Sendable>(
  _ name: String,
  count: Int,
  budgets: (encoding: Double, decoding: Double, bytes: Double),
  _ make: @escaping @Sendable (Int) -> Element
) -> [Row] {
  guard count > 1 else { return rows(name, budgets: budgets) { scale in (make(4_711), scale.count(20_000)) } }
  return rows(name, budgets: budgets) { scale in ((0..<scale.count(count)).map(make), 1) }
}

/// - Parameter make: Makes the value, and returns how often it is coded in a round.
private func rows<Value: Codable & Sendable>(
  _ name: String,
  budgets: (encoding: Double, decoding: Double, bytes: Double),
  _ make: @escaping @Sendable (Scale) -> (value: Value, times: Int)
) -> [Row] {
  let best = "the better of JSON and a property list"
  return [
    Row(workload: "\(name), encoded in binary", limit: best, budget: budgets.encoding, rounds: 1) { scale in
      let (value, times) = make(scale)
      func time(_ coding: some StorageCoding) -> Double {
        nanoseconds(perOperationOf: times) {
          for _ in 0..<times { consume(try! coding.encode(value)) }
        }
      }
      return (work: { time(.binary) }, limit: { min(time(.json), time(PropertyListCoding())) })
    },
    Row(workload: "\(name), decoded from binary", limit: best, budget: budgets.decoding, rounds: 1) { scale in
      let (value, times) = make(scale)
      func time(_ coding: some StorageCoding) -> Double {
        let data = try! coding.encode(value)
        return nanoseconds(perOperationOf: times) {
          for _ in 0..<times { consume(try! coding.decode(Value.self, from: data)) }
        }
      }
      return (work: { time(.binary) }, limit: { min(time(.json), time(PropertyListCoding())) })
    },
    Row(workload: "\(name), in binary (bytes)", limit: best, budget: budgets.bytes, rounds: 1) { scale in
      let value = make(scale).value
      func bytes(_ coding: some StorageCoding) -> Double { Double(try! coding.encode(value).count) }
      return (work: { bytes(.binary) }, limit: { min(bytes(.json), bytes(PropertyListCoding())) })
    },
  ]
}

/// The binary property lists of Foundation.
private struct PropertyListCoding: StorageCoding {
  func encode(_ value: some Encodable) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(value)
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try PropertyListDecoder().decode(type, from: data)
  }
}

/// A record with typical kinds of fields.
private struct CodedRecord: Codable, Sendable {
  let id: Int
  var title: String
  var isDone: Bool
  var price: Double
  var due: Date?
  var tags: [String]

  init(_ number: Int) {
    id = number
    title = "record \(number)"
    isDone = number.isMultiple(of: 3)
    price = Double(number) / 8
    due = number.isMultiple(of: 2) ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
    tags = number.isMultiple(of: 4) ? ["red", "late"] : []
  }
}
