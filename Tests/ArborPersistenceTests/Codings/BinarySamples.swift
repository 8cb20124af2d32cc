import Foundation
import TestSupport

/// A small struct, like an action or a record.
struct Todo: Codable, Hashable {
  var id: Int
  var title: String
  var isDone: Bool
  var score: Double
  var note: String?
}

enum TodoAction: Codable, Hashable {
  case clear
  case add(Todo)
  case move(from: Int, to: Int)
  case rename(id: Int, title: String, note: String?)
  indirect case all([TodoAction])
}

/// A value with a field of each kind.
struct Everything: Codable, Hashable {
  var todos: [Todo]
  var actions: [TodoAction]
  var names: [String: Int]
  var numbers: [Int: String]
  var pairs: [TodoKind: [Double]]
  var ids: Set<UInt16>
  var gaps: [Int?]
  var rows: [[Int8]]
  var data: Data
  var bytes: [UInt8]
  var date: Date
  var id: UUID
  var address: URL
  var price: Decimal
  var float: Float
  var large: UInt64
  var small: Int64
  var missing: [String: Todo]?
}

enum TodoKind: String, Codable, Hashable, CaseIterable {
  case home
  case work
  case other
}

/// Functions that make random values.
extension SplitMix64 {
  mutating func integer() -> Int64 { Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0..<64, using: &self) }

  mutating func string() -> String {
    let scalars: [Unicode.Scalar] = ["a", "Z", " ", "\"", "\0", "é", "e\u{301}", "漢", "👩‍👩‍👧", "\u{10FFFF}"].flatMap {
      (text: String) in Array(text.unicodeScalars)
    }
    let count = once(in: 8) ? Int.random(in: 0..<200, using: &self) : Int.random(in: 0..<20, using: &self)
    var string = ""
    for _ in 0..<count { string.unicodeScalars.append(scalars.randomElement(using: &self)!) }
    return string
  }

  mutating func list<Element>(_ limit: Int = 5, _ element: (inout SplitMix64) -> Element) -> [Element] {
    (0..<Int.random(in: 0..<limit, using: &self)).map { _ in element(&self) }
  }

  mutating func todo() -> Todo {
    Todo(
      id: Int(truncatingIfNeeded: integer()), title: string(), isDone: once(in: 2), score: Double(integer()) / 7,
      note: once(in: 2) ? string() : nil)
  }

  mutating func action() -> TodoAction {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: .clear
    case 1, 2: .add(todo())
    case 3: .move(from: Int(truncatingIfNeeded: integer()), to: 0)
    case 4: .rename(id: 1, title: string(), note: once(in: 2) ? string() : nil)
    default: .all(list(3) { $0.action() })
    }
  }

  mutating func everything() -> Everything {
    Everything(
      todos: list { $0.todo() },
      actions: list { $0.action() },
      names: Dictionary(list { ($0.string(), 1) }, uniquingKeysWith: +),
      numbers: Dictionary(list { (Int(truncatingIfNeeded: $0.integer()), $0.string()) }, uniquingKeysWith: +),
      pairs: Dictionary(list(2) { (TodoKind.allCases.randomElement(using: &$0)!, [0.5]) }, uniquingKeysWith: +),
      ids: Set(list { UInt16.random(in: 0 ... .max, using: &$0) }),
      gaps: list { $0.once(in: 2) ? nil : Int(truncatingIfNeeded: $0.integer()) },
      rows: list { $0.list { Int8(truncatingIfNeeded: $0.integer()) } },
      data: Data(list(300) { UInt8(truncatingIfNeeded: $0.next()) }),
      bytes: list(300) { UInt8(truncatingIfNeeded: $0.next()) },
      date: Date(timeIntervalSinceReferenceDate: Double(integer()) / 1000),
      id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: next()))),
      address: URL(string: "https://example.com/\(integer())")!,
      price: Decimal(integer()) / 100,
      float: Float(integer()) / 3,
      large: next(),
      small: integer(),
      missing: once(in: 2) ? nil : Dictionary(list { ($0.string(), $0.todo()) }, uniquingKeysWith: { $1 })
    )
  }
}
