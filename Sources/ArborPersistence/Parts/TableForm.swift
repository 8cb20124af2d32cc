/// The stored form of a value and, if it is a table, of its differences.
struct TableForm: Sendable {
  private var whole: StoredContent
  private var differences: [StoredContent] = []
  private let coding: any StorageCoding

  init(_ content: StoredContent, _ coding: any StorageCoding) {
    whole = content
    self.coding = coding
  }

  init(_ value: StoredValue) throws {
    self.init(try StoredContent(reading: value.bytes, value.coding), value.coding)
    differences = try value.differences.map { try StoredContent(reading: $0, value.coding) }
  }

  /// Returns the value as it would be stored.
  func value() throws -> StoredValue {
    StoredValue(
      bytes: try whole.bytes(coding),
      differences: try differences.map { try $0.bytes(coding) },
      coding: coding
    )
  }

  /// Returns the form after a change.
  func changed(by body: (inout StoredForm) throws -> Void) throws -> TableForm {
    var new = self
    new.whole = try changed(whole, by: body)
    new.differences = try differences.map { try changed(difference: $0, body) }
    return new
  }

  private func changed(_ content: StoredContent, by body: (inout StoredForm) throws -> Void) throws -> StoredContent {
    var form = StoredForm(content, coding)
    try body(&form)
    if let failure = form.failure { throw failure }
    if let dropped = form.dropped { throw StoredForm.Failure(path: dropped, reason: .dropped) }
    return form.content
  }

  // MARK: Differences

  /// Returns the form of a difference after a change to the table. Each record in it is changed as the only record of a
  /// table, because its index in the table is unknown.
  private func changed(
    difference: StoredContent,
    _ body: (inout StoredForm) throws -> Void
  ) throws -> StoredContent {
    func table(_ records: [StoredContent], _ orders: StoredContent) -> StoredContent {
      guard case .object = whole else { return .array(records) }
      return .object([.init("records", .array(records)), .init("orders", orders)])
    }
    func record(_ old: StoredContent) throws -> StoredContent {
      let new = try changed(table([old], .object([])), by: body)
      guard case .array(let records) = new["records"] ?? new, records.count == 1 else {
        throw StoredForm.Failure(path: "", reason: .unknownDifferences)
      }
      return records[0]
    }
    func records(_ content: StoredContent) throws -> StoredContent {
      guard case .array(let records) = content else { return content }
      return .array(try records.map(record))
    }
    /// Changes the records that are stored in place of their ids, if the ids aren't `Codable`.
    func references(_ content: StoredContent) throws -> StoredContent {
      switch content {
      case .array(let elements): return .array(try elements.map(references))
      case .object(let members):
        return .object(
          try members.map { member in
            switch member.key {
            case "id": member
            case "record", "new": StoredContent.Member(member.key, try record(member.value))
            default: StoredContent.Member(member.key, try references(member.value))
            }
          })
      default: return content
      }
    }
    guard case .object(let members) = difference else { return difference }
    return .object(
      try members.map { member in
        var member = member
        switch member.key {
        case "changed", "inserted": member.value = try records(member.value)
        case "removed", "replaced": member.value = try references(member.value)
        case "orders":
          let orders = try changed(table([], member.value), by: body)["orders"]
          guard case .object(let orders)? = orders else { return member }
          member.value = .object(try orders.map { .init($0.key, try references($0.value)) })
        default: break
        }
        return member
      })
  }
}
