internal import Arbor

/// The text of a value, up to a maximum length. Equal values have the same text, even if they contain unordered
/// collections.
package struct ValueText {
  private var text = ""
  private var room: Int
  private var budget: Budget
  private var objects: Set<ObjectIdentifier> = []

  /// Returns the text of a value; `‹redacted›` for confidential parts.
  package static func of(_ value: Any, limits: StateDiffLimits) -> String {
    var budget = Budget(parts: limits.parts)
    return of(value, limits: limits, budget: &budget)
  }

  /// Returns the text of a value, within the remaining budget.
  static func of(
    _ value: Any,
    limits: StateDiffLimits,
    budget: inout Budget
  ) -> String {
    var text = ValueText(room: max(limits.characters, 1), budget: budget)
    text.add(value, depth: limits.depth)
    budget = text.budget
    return text.text
  }

  private init(room: Int, budget: Budget) {
    self.room = room
    self.budget = budget
  }

  private var isFull: Bool { room == 0 }

  /// Adds a text, or "…" if there is no room for it.
  private mutating func add(_ more: some StringProtocol) {
    guard !isFull else { return }
    let part = more.prefix(room)
    guard part.endIndex == more.endIndex else {
      text += part.dropLast() + "…"
      room = 0
      return
    }
    text += part
    room -= part.count
  }

  private mutating func add(_ value: Any, depth: Int) {
    guard !isFull else { return }
    guard !budget.isSpent else {
      text += "…"
      room = 0
      return
    }
    budget.spend(Budget.part)
    guard depth > 0 else { return add("…") }
    if Confidentiality.hides(value) { return add(Confidentiality.text) }
    // Its description shows more than its properties.
    if let job = value as? JobState { return add(job.description) }
    switch ValueShape(of: value, atMost: room + 1) {
    case .leaf: addLeaf(value)
    case .none: add("nil")
    case .some(let wrapped): addWrapped(wrapped, depth: depth)
    case .wrapper(let content): add(content, depth: depth - 1)
    case .parts(let parts): addParts(parts, of: value, depth: depth)
    case .enumeration(let name, let payload):
      add(".\(name)(")
      addList(payload, depth: depth)
      add(")")
    case .list(let elements):
      add("[")
      addList(elements, depth: depth)
      add("]")
    case .entries(let collection, let isSet, _):
      add(collection.count == 0 && !isSet ? "[:" : "[")
      addEntries(of: collection, depth: depth)
      add("]")
    case .table(let table): addTable(table, depth: depth)
    }
  }

  private mutating func text(of value: Any, depth: Int) -> String {
    ValueText.of(value, limits: StateDiffLimits(depth: depth - 1), budget: &budget)
  }

  private mutating func addLeaf(_ value: Any) {
    switch value {
    case let string as String: return add(string.prefix(room + 1).debugDescription)
    case let character as Character: return add(character.debugDescription)
    default: break
    }
    if Confidentiality.hidesPart(of: value) { return add(Confidentiality.text) }
    if let id = value as? any DebugShown { return add(id.debugDescription) }
    let mirror = Mirror(reflecting: value)
    guard value is any CustomStringConvertible || mirror.subjectType == type(of: value) else {
      // `String(describing:)` would name the type that the mirror shows, not the value's own.
      return add("\(type(of: value))(…)")
    }
    // An enum's case without a payload, unless it describes itself.
    let isCase = mirror.displayStyle == .enum && !(value is any CustomStringConvertible)
    add((isCase ? "." : "") + String(describing: value))
  }

  private mutating func addParts(_ parts: [ValueShape.Part], of value: Any, depth: Int) {
    let type = type(of: value)
    let isTuple = Mirror(reflecting: value).displayStyle == .tuple
    if !isTuple { add(String(describing: type)) }
    if type is AnyClass {
      let isNew = objects.insert(ObjectIdentifier(value as AnyObject)).inserted
      guard isNew else { return add("(…)") }
    }
    add("(")
    addList(
      parts.map { (isTuple && Int($0.label) != nil ? "" : StatePath().member($0.label).text, $0.value) }, depth: depth)
    add(")")
  }

  private mutating func addList(_ parts: [ValueShape.Part], depth: Int) {
    for (index, part) in parts.enumerated() where !isFull {
      if index > 0 { add(", ") }
      if !part.label.isEmpty, Int(part.label) == nil { add("\(part.label): ") }
      add(part.value, depth: depth - 1)
    }
  }

  private mutating func addList(_ elements: ElementList, depth: Int) {
    var index = 0
    while index < elements.count, !isFull {
      if index > 0 { add(", ") }
      add(elements[index], depth: depth - 1)
      index += 1
    }
    if elements.hasMore { add(", …") }
  }

  private mutating func addWrapped(_ wrapped: Any, depth: Int) {
    // An optional that contains nil differs from nil itself.
    if case .none = ValueShape(of: wrapped, atMost: 1) { return add(".some(nil)") }
    add(wrapped, depth: depth - 1)
  }

  private mutating func addEntries(of collection: any KeyedEntries, depth: Int) {
    // Sorting them requires all their texts.
    guard collection.count <= budget.left / Budget.part else { return add("\(collection.count) entries") }
    let entries = collection.entries.map { (text(of: $0.key, depth: depth), $0.value) }.sorted { $0.0 < $1.0 }
    for (index, (key, value)) in entries.enumerated() where !isFull {
      if index > 0 { add(", ") }
      add(key)
      guard let value else { continue }
      add(": ")
      add(value, depth: depth - 1)
    }
  }

  /// Adds the records of a table by their ids, and its manual orders: everything that differs from an empty table.
  private mutating func addTable<Table: VersionedTable>(_ table: Table, depth: Int) {
    var isEmpty = true
    add("[")
    _ = table.visitDifferences(from: Table(), atMost: budget.left, listing: room) { difference in
      if !isEmpty { add(", ") }
      isEmpty = false
      switch difference {
      case .record(let id, _, let record):
        add(id, depth: depth - 1)
        add(": ")
        add(record as Any, depth: depth - 1)
      case .manualOrder(let name, _, _, let ids):
        add("\(StatePath().order(name).text): ")
        add(ids, depth: depth - 1)
      case .order: break
      }
      return !isFull
    }
    add(isEmpty ? ":]" : "]")
  }
}
