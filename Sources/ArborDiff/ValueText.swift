/// The text of a value, no longer than so many characters; the same for equal values, also of unordered collections.
package struct ValueText {
  private var text = ""
  private var room: Int
  private var objects: Set<ObjectIdentifier> = []

  /// The text of a value.
  package static func of(_ value: Any, limits: StateDiffLimits) -> String {
    var text = ValueText(room: max(limits.characters, 1))
    text.add(value, depth: limits.depth)
    return text.text
  }

  private init(room: Int) {
    self.room = room
  }

  private var isFull: Bool { room == 0 }

  /// Adds a text; of what there is no room for, "…".
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
    guard depth > 0 else { return add("…") }
    switch ValueShape(of: value) {
    case .leaf: addLeaf(value)
    case .none: add("nil")
    case .some(let wrapped): addWrapped(wrapped, depth: depth)
    case .parts(let parts): addParts(parts, of: value, depth: depth)
    case .enumeration(let name, let payload):
      add(".\(name)(")
      addList(payload, depth: depth)
      add(")")
    case .list(let elements):
      add("[")
      addList(elements.map { ("", $0) }, depth: depth)
      add("]")
    case .table(let table):
      add(table.isEmpty ? "[:" : "[")
      addTable(table, depth: depth)
      add("]")
    case .bag(let elements):
      add("[")
      addBag(elements, depth: depth)
      add("]")
    }
  }

  private static func of(_ value: Any, depth: Int) -> String {
    of(value, limits: StateDiffLimits(depth: depth - 1))
  }

  private mutating func addLeaf(_ value: Any) {
    switch value {
    case let string as String: add(string.prefix(room + 1).debugDescription)
    case let character as Character: add(character.debugDescription)
    default:
      // An enum's case without a payload, unless it describes itself.
      let isCase = Mirror(reflecting: value).displayStyle == .enum && !(value is any CustomStringConvertible)
      add((isCase ? "." : "") + String(describing: value))
    }
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

  private mutating func addWrapped(_ wrapped: Any, depth: Int) {
    // Something that is nothing is another thing than nothing.
    if case .none = ValueShape(of: wrapped) { return add(".some(nil)") }
    add(wrapped, depth: depth - 1)
  }

  private mutating func addBag(_ elements: Set<AnyHashable>, depth: Int) {
    let texts = elements.map { ValueText.of($0.base, depth: depth) }.sorted()
    for (index, text) in texts.enumerated() where !isFull {
      if index > 0 { add(", ") }
      add(text)
    }
  }

  private mutating func addTable(_ table: [AnyHashable: Any], depth: Int) {
    let entries = table.map { (ValueText.of($0.key.base, depth: depth), $0.value) }.sorted { $0.0 < $1.0 }
    for (index, (key, value)) in entries.enumerated() where !isFull {
      if index > 0 { add(", ") }
      add("\(key): ")
      add(value, depth: depth - 1)
    }
  }
}
