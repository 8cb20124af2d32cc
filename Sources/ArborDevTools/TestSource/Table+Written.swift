internal import Arbor

// Tables and their ids, without the module that declares them.

extension VersionedTable {
  /// The list of the records, in their order.
  fileprivate func recordsText(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    var records: [(id: Any, record: Any)] = []
    var order: String?
    _ = visitDifferences(from: Self(), atMost: .max, listing: 1) { difference in
      switch difference {
      case .record(let id, _, let record?): records.append((id, record))
      case .manualOrder(let name, _, _, _): order = name
      case .record, .order: break
      }
      return true
    }
    if let order {
      throw place.error(
        "its manual order \(order.debugDescription) has records, which no list says; fill it by an action")
    }
    var items: [SourceText.Item] = []
    for (id, record) in records {
      items.append(SourceText.Item(text: try SwiftLiteral.text(of: record, at: place.record(id))))
    }
    let end = place.isTypeKnown ? "]" : "] as \(try SwiftLiteral.name(of: Self.self, at: place))"
    return .list(opening: "[", items, closing: end, isCollection: true)
  }

  /// Adds the calls that remove, change and insert records.
  ///
  /// - Returns: `false` if they cannot make this table of the other one: its order is another one than they leave, or it
  ///   has a manual order that has changed.
  fileprivate func addCalls(
    to assignments: inout StateAssignments,
    from before: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard let before = before as? Self else { return false }
    var removed: [Any] = []
    var inserted: [(id: Any, record: Any)] = []
    var changed: [(id: Any, before: Any, after: Any)] = []
    let isComplete = visitDifferences(from: before, atMost: .max, listing: 1) { difference in
      switch difference {
      case .record(let id, let before?, let after?): changed.append((id, before, after))
      case .record(let id, _, let after?): inserted.append((id, after))
      case .record(let id, _, nil): removed.append(id)
      case .order, .manualOrder: return false
      }
      return true
    }
    guard isComplete else { return false }
    func text(of id: Any) throws(SwiftSourceError) -> String {
      try SwiftLiteral.text(of: id, at: place.record(id).member("id")).flat
    }
    for id in removed { assignments.call("\(target).remove(\(try text(of: id)))") }
    for (id, old, new) in changed {
      var inside = StateAssignments(wholeTypes: assignments.wholeTypes)
      try inside.add(from: old, to: new, target: "$0", at: place.record(id))
      let id = try text(of: id)
      for assignment in inside.assignments {
        assignments.call("try \(target).update(\(id)) { \(assignment.flat) }")
      }
    }
    for (id, record) in inserted {
      let record = try SwiftLiteral.text(of: record, at: place.record(id))
      assignments.call("try \(target).insert(\(record.flat))")
    }
    return true
  }
}

extension LiteralPlace {
  /// The place of a record, whose id is not shown if it is confidential.
  fileprivate func record(_ id: Any) -> LiteralPlace { element(Confidentiality.hidesPart(of: id) ? "…" : "\(id)") }
}

extension TypedRawID {
  /// A literal where one is enough, and else a call of the initializer.
  fileprivate func idText(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let isPlain = place.isTypeKnown && place.optionals < 2
    let raw = try SwiftLiteral.text(of: anyRawValue, at: place.member("rawValue").with(isTypeKnown: true))
    if isPlain, anyRawValue is Int || anyRawValue is String { return raw }
    let name = isPlain ? "TypedID" : try SwiftLiteral.name(of: Self.self, at: place)
    return .list(opening: name + "(", [SourceText.Item(text: raw)], closing: ")")
  }
}

extension SwiftLiteral {
  /// The expression of a table or of an id of one; nil of all other values.
  static func tableText(of value: Any, at place: LiteralPlace) throws(SwiftSourceError) -> SourceText? {
    switch value {
    case let table as any VersionedTable: try table.recordsText(at: place)
    case let id as any TypedRawID: try id.idText(at: place)
    default: nil
    }
  }
}

extension StateAssignments {
  /// Adds the calls that make one table of another one.
  ///
  /// - Returns: `false` if the values are no tables, or no calls can.
  mutating func addTable(
    from before: Any,
    to after: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard !(after is any OptionalValue), let table = after as? any VersionedTable else { return false }
    var inside = StateAssignments(wholeTypes: wholeTypes)
    guard try table.addCalls(to: &inside, from: before, target: target, at: place) else { return false }
    add(inside)
    return true
  }
}
