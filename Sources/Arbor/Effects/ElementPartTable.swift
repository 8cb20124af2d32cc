/// Values of parts, found by the part or by the element of the outermost collection that contains it.
struct ElementPartTable<Part: Hashable & ElementPart, Value> {
  private var elements: [ElementKey?: [Part: Value]] = [:]

  var isEmpty: Bool { elements.isEmpty }

  subscript(part: Part) -> Value? {
    get { elements[part.element?.outermost]?[part] }
    set {
      let element = part.element?.outermost
      elements[element, default: [:]][part] = newValue
      if newValue == nil, elements[element]?.isEmpty == true { elements[element] = nil }
    }
  }

  /// Changes the value of a part in place.
  @discardableResult
  mutating func change<Result>(
    _ part: Part, default value: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    body(&elements[part.element?.outermost, default: [:]][part, default: value()])
  }

  /// Removes the parts whose values fulfill a condition, which may change them.
  mutating func removeAll(where isRemoved: (inout Value) -> Bool) {
    for element in Array(elements.keys) {
      for part in elements[element].map({ Array($0.keys) }) ?? [] {
        if isRemoved(&elements[element, default: [:]][part]!) { self[part] = nil }
      }
    }
  }

  /// Returns the parts in some elements of the outermost collection; all parts for nil.
  func parts(in keys: [ElementKey]?) -> [Part: Value] {
    let found = keys.map { keys in keys.compactMap { elements[$0] } } ?? Array(elements.values)
    guard found.count > 1 else { return found.first ?? [:] }
    // An element may occur twice.
    return Dictionary(found.joined().map { ($0.key, $0.value) }) { first, _ in first }
  }
}

/// A part of a state that may be in an element of a collection.
protocol ElementPart {
  /// The element that contains the part; nil outside collections.
  var element: ElementKey? { get }
}

extension ElementKey?: ElementPart {
  var element: ElementKey? { self }
}
