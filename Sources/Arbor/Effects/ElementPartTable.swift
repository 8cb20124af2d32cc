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

  /// Returns the number of parts in some elements of the outermost collection; in all for nil. An element that occurs
  /// twice counts twice.
  func count(in keys: [ElementKey]?) -> Int {
    guard let keys else { return elements.values.reduce(0) { $0 + $1.count } }
    return keys.reduce(0) { $0 + (elements[$1]?.count ?? 0) }
  }

  /// Returns the parts whose values fulfill a condition, in some elements of the outermost collection; in all for nil.
  func parts(in keys: [ElementKey]?, where isIncluded: (Value) -> Bool = { _ in true }) -> [Part: Value] {
    var included: [Part: Value] = [:]
    func add(_ parts: [Part: Value]) {
      for (part, value) in parts where isIncluded(value) { included[part] = value }
    }
    if let keys { for key in keys { elements[key].map(add) } } else { elements.values.forEach(add) }
    return included
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
