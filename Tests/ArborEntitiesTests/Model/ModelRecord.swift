import ArborEntities

/// A type of records of the model-based tests.
protocol ModelRecord: Identifiable, Codable, Sendable where ID == ModelID {
  var row: Row { get set }

  init(row: Row)

  /// `true` if its tables have a ``UniqueIndex`` of the codes and one of the marks.
  static var hasUniqueKeys: Bool { get }

  /// The manual orders of its tables.
  static var orders: [ManualOrder<Self>] { get }

  /// The result of `==` for two tables; nil if there is no `==`.
  static func areEqual(_ left: EntityTable<Self>, _ right: EntityTable<Self>) -> Bool?

  /// The first index of a table that does not match the model.
  static func wrongIndex(of table: EntityTable<Self>, by model: TableModel<Self>) -> String?

  /// The first sorted index of a table whose records in a range do not match the model.
  static func wrongRange(of table: EntityTable<Self>, by model: TableModel<Self>, _ query: RangeQuery) -> String?
}

extension ModelRecord {
  var id: ModelID { row.id }

  static var hasUniqueKeys: Bool { false }

  static var orders: [ManualOrder<Self>] { [] }

  static func areEqual(_ left: EntityTable<Self>, _ right: EntityTable<Self>) -> Bool? { nil }

  static func wrongIndex(of table: EntityTable<Self>, by model: TableModel<Self>) -> String? { nil }

  static func wrongRange(of table: EntityTable<Self>, by model: TableModel<Self>, _ query: RangeQuery) -> String? {
    nil
  }
}

extension ModelRecord where Self: Equatable {
  static func areEqual(_ left: EntityTable<Self>, _ right: EntityTable<Self>) -> Bool? { left == right }
}
