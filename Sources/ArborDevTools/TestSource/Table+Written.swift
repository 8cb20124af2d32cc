internal import Arbor

// Handles tables and their ids without importing the module that declares them.

extension VersionedTable {
  /// Returns the list of the records in their order, followed by the calls that fill the manual orders.
  fileprivate func recordsText(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    var records: [(id: Any, record: Any)] = []
    var orders: [(name: String, ids: [Any])] = []
    _ = visitDifferences(from: Self(), atMost: .max, listing: .max) { difference in
      switch difference {
      case .record(let id, _, let record?): records.append((id, record))
      case .manualOrder(let name, _, _, let ids): orders.append((name, ids))
      case .record, .order: break
      }
      return true
    }
    let inside = place.inValue("table")
    var items: [SourceText.Item] = []
    for (id, record) in records {
      items.append(SourceText.Item(text: try SwiftLiteral.text(of: record, at: inside.record(id))))
    }
    let list = SourceText.list(opening: "[", items, closing: "]", isCollection: true)
    if orders.isEmpty, place.isTypeKnown { return list }
    let type = try SwiftLiteral.name(of: Self.self, at: place)
    guard !orders.isEmpty else { return list.followed(by: " as \(type)") }
    var assignments = StateAssignments()
    for (name, ids) in orders {
      for id in ids { assignments.change("append", try inside.text(ofID: id), "to", order: name, at: inside) }
    }
    return .value("table", of: type, from: list, assignments.statements)
  }

  /// Returns the calls that remove, change, insert and rearrange records to turn another table into this one.
  ///
  /// It returns nil if no calls can do that, because they would leave the records in another order, or if the other value
  /// has another type.
  fileprivate func assignments(from before: Any, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    guard let before = before as? Self else { return nil }
    var removed: [Any] = []
    var inserted: [(id: Any, record: Any)] = []
    var changed: [(id: Any, before: Any, after: Any)] = []
    var orders: [OrderChange] = []
    let isComplete = visitDifferences(from: before, atMost: .max, listing: .max) { difference in
      switch difference {
      case .record(let id, let before?, let after?): changed.append((id, before, after))
      case .record(let id, _, let after?): inserted.append((id, after))
      case .record(let id, _, nil): removed.append(id)
      case .manualOrder(let name, let position, let before, let after):
        orders.append(OrderChange(name: name, position: position, before: before, after: after))
      case .order: return false
      }
      return true
    }
    // An inserted record becomes the last one, but a renamed record keeps its place.
    guard isComplete, removed.isEmpty || inserted.isEmpty || isLast(inserted.map(\.id)) else { return nil }
    var assignments = StateAssignments()
    for id in removed { assignments.call(.plain("\(place.target).remove(\(try place.text(ofID: id)))")) }
    for (id, old, new) in changed {
      var inside = StateAssignments()
      try inside.add(from: old, to: new, at: place.record(id).assigning("$0"))
      guard !inside.statements.isEmpty else { continue }
      let opening = "\(place.tryKeyword) \(place.target).update(\(try place.text(ofID: id))) {"
      assignments.call(.block(opening: opening, inside.statements, closing: "}"))
    }
    for (id, record) in inserted {
      let item = SourceText.Item(text: try SwiftLiteral.text(of: record, at: place.record(id).inValue("")))
      assignments.call(.list(opening: "\(place.tryKeyword) \(place.target).insert(", [item], closing: ")"))
    }
    for order in orders {
      try order.add(to: &assignments, removed: Set(removed.map(AnyHashable.init(id:))), at: place)
    }
    return assignments
  }

  /// Returns `true` if the last records of the table have these ids, in this order.
  private func isLast(_ ids: [Any]) -> Bool {
    var all: [AnyHashable] = []
    _ = visitDifferences(from: Self(), atMost: .max, listing: 1) { difference in
      if case .record(let id, _, _?) = difference { all.append(AnyHashable(id: id)) }
      return true
    }
    return all.suffix(ids.count).elementsEqual(ids.map(AnyHashable.init(id:)))
  }
}

/// A change of a manual order: different ids from a position on.
private struct OrderChange {
  let name: String
  let position: Int
  let before: [Any]
  let after: [Any]

  /// Adds the calls that remove records from the order, move them and insert them. Each call completes the positions up
  /// to its own.
  func add(
    to assignments: inout StateAssignments,
    removed: Set<AnyHashable>,
    at place: LiteralPlace
  ) throws(SwiftSourceError) {
    let (old, new) = (before.map(AnyHashable.init(id:)), after.map(AnyHashable.init(id:)))
    let (wereIn, areIn) = (Set(old), Set(new))
    // A record that is removed from the table also leaves the order.
    for id in old where !areIn.contains(id) && !removed.contains(id) {
      let text = try place.text(ofID: id.base)
      assignments.call(.plain("\(place.target).remove(\(text), from: .named(\(StringLiteral.line(name))))"))
    }
    var ids = old.filter(areIn.contains)
    let kept = new.filter(wereIn.contains)
    for (index, id) in kept.enumerated() where ids[index] != id {
      // Moving a record toward the end leaves the others in their order.
      let isMovedBack = ids[index + 1] == id
      let moved = isMovedBack ? ids[index] : id
      let destination = isMovedBack ? kept.firstIndex(of: moved)! : index
      ids.remove(at: ids.firstIndex(of: moved)!)
      ids.insert(moved, at: destination)
      let text = try place.text(ofID: moved.base)
      assignments.change("move", "\(text), to: \(position + destination)", "in", order: name, at: place)
    }
    for (index, id) in new.enumerated() where !wereIn.contains(id) {
      let text = try place.text(ofID: id.base)
      assignments.change("insert", "\(text), at: \(position + index)", "in", order: name, at: place)
    }
  }
}

extension AnyHashable {
  /// Makes the id of a record.
  fileprivate init(id: Any) { self = id as! AnyHashable }
}

extension StateAssignments {
  /// Adds a call that changes a manual order.
  fileprivate mutating func change(
    _ function: String,
    _ arguments: String,
    _ label: String,
    order: String,
    at place: LiteralPlace
  ) {
    let name = StringLiteral.line(order)
    call(.plain("\(place.tryKeyword) \(place.target).\(function)(\(arguments), \(label): .named(\(name)))"))
  }
}

extension LiteralPlace {
  /// Returns the place of a record. A confidential id isn't shown.
  fileprivate func record(_ id: Any) -> LiteralPlace {
    guard !Confidentiality.hidesPart(of: id) else { return element("…", access: nil) }
    return element("\(id)", access: (try? text(ofID: id)).map { "[\($0)]!" })
  }

  /// Returns the expression of a record's id.
  fileprivate func text(ofID id: Any) throws(SwiftSourceError) -> String {
    let name = Confidentiality.hidesPart(of: id) ? "…" : "\(id)"
    return try SwiftLiteral.text(of: id, at: element(name, access: nil).part("id")).flat
  }

  /// The keyword before a call that can throw.
  fileprivate var tryKeyword: String { canThrow ? "try" : "try!" }
}

extension TypedRawID {
  /// Returns a literal if that is enough; otherwise a call of the initializer.
  fileprivate func idText(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let isPlain = place.isTypeKnown && place.optionals < 2
    let raw = try SwiftLiteral.text(of: anyRawValue, at: place.part("rawValue").with(isTypeKnown: true))
    if isPlain, anyRawValue is Int || anyRawValue is String { return raw }
    let name = isPlain ? "TypedID" : try SwiftLiteral.name(of: Self.self, at: place)
    return .list(opening: name + "(", [SourceText.Item(text: raw)], closing: ")")
  }
}

extension SwiftLiteral {
  /// Returns the expression of a table or of a table's id; nil for any other value.
  static func tableText(of value: Any, at place: LiteralPlace) throws(SwiftSourceError) -> SourceText? {
    switch value {
    case let table as any VersionedTable: try table.recordsText(at: place)
    case let id as any TypedRawID: try id.idText(at: place)
    default: nil
    }
  }

  /// Returns the calls that turn one table into another; nil if the values aren't tables, or if no calls can do that.
  static func tableAssignments(
    from before: Any,
    to after: Any,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> StateAssignments? {
    guard !(after is any OptionalValue), let table = after as? any VersionedTable else { return nil }
    return try table.assignments(from: before, at: place)
  }
}
