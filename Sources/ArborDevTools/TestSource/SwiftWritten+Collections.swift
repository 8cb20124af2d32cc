extension Optional: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard let wrapped = self else {
      guard place.isTypeKnown else { return .plain("\(try SwiftLiteral.name(of: Self.self, at: place)).none") }
      // Otherwise the outer optional would be nil.
      let count = place.optionals
      return .plain(String(repeating: ".some(", count: count) + "nil" + String(repeating: ")", count: count))
    }
    let inside = place.unwrapped(isTypeKnown: DeclaredType.isThat(of: wrapped))
    let text = try SwiftLiteral.text(of: wrapped, at: inside)
    return place.isTypeKnown ? text : text.followed(by: " as \(try SwiftLiteral.name(of: Self.self, at: place))")
  }
}

extension SwiftWritten where Self: Collection {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try elementsText(at: place, end: end(at: place))
  }

  /// Returns a literal of the elements in their order.
  func elementsText(at place: LiteralPlace, end: String) throws(SwiftSourceError) -> SourceText {
    var items: [SourceText.Item] = []
    for (index, element) in enumerated() {
      let place = place.element("\(index)", access: "[\(index)]").declaring(element)
      items.append(SourceText.Item(text: try SwiftLiteral.text(of: element, at: place)))
    }
    return .list(opening: "[", items, closing: end, isCollection: true)
  }

  /// Returns the text after the elements, with the type if the context doesn't determine it.
  func end(at place: LiteralPlace) throws(SwiftSourceError) -> String {
    place.isTypeKnown ? "]" : "] as \(try SwiftLiteral.name(of: Self.self, at: place))"
  }
}

extension Array: SwiftWritten {}
extension ContiguousArray: SwiftWritten {}

extension ArraySlice: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard startIndex == 0 else { throw place.error("it is a slice whose indices do not begin with 0") }
    return try elementsText(at: place, end: end(at: place))
  }
}

extension Set: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let end = try end(at: place)
    var texts: [SourceText] = []
    for element in self {
      let place = place.element("…", access: nil).declaring(element)
      texts.append(try SwiftLiteral.text(of: element, at: place))
    }
    let items = texts.sorted(by: SourceOrder.isBefore).map { SourceText.Item(text: $0) }
    return .list(opening: "[", items, closing: end, isCollection: true)
  }
}

extension Dictionary: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let end = try end(at: place)
    guard !isEmpty else { return .plain("[:" + end) }
    var entries: [(key: SourceText, value: SourceText)] = []
    for (key, value) in self {
      let keyText = try keyText(key, at: place)
      let place = place.element(keyText.flat, access: "[\(keyText.flat)]!").declaring(value)
      entries.append((keyText, try SwiftLiteral.text(of: value, at: place)))
    }
    let items = entries.sorted { SourceOrder.isBefore($0.key, $1.key) }.map { entry in
      SourceText.Item(label: entry.key.flat + ": ", isEntry: true, text: entry.value)
    }
    return .list(opening: "[", items, closing: end, isCollection: true)
  }

  /// Returns the expression of a key.
  func keyText(_ key: Key, at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try SwiftLiteral.text(of: key, at: place.element("…", access: nil).declaring(key))
  }
}

/// The order in which unordered elements are written: numbers by value, all others by text.
enum SourceOrder {
  static func isBefore(_ left: SourceText, _ right: SourceText) -> Bool {
    let (left, right) = (left.flat, right.flat)
    guard let number = number(left), let other = self.number(right), number != other else { return left < right }
    return number < other
  }

  private static func number(_ text: String) -> Double? { Double(text.filter { $0 != "_" }) }
}

extension AnyHashable: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let item = SourceText.Item(text: try SwiftLiteral.text(of: base, at: place.with(isTypeKnown: false)))
    return .list(opening: "AnyHashable(", [item], closing: ")")
  }
}

extension Range: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try boundsText(lowerBound, "..<", upperBound, at: place)
  }
}

extension ClosedRange: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try boundsText(lowerBound, "...", upperBound, at: place)
  }
}

extension SwiftWritten {
  fileprivate func boundsText(
    _ lower: Any,
    _ operation: String,
    _ upper: Any,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> SourceText {
    let lower = try SwiftLiteral.text(of: lower, at: place.part("lowerBound").with(isTypeKnown: false)).flat
    let upper = try SwiftLiteral.text(of: upper, at: place.part("upperBound").with(isTypeKnown: false)).flat
    // Otherwise an operator in the bound would combine with the operator of the range.
    func bound(_ text: String) -> String { text.contains(" as ") || text.hasPrefix("-") ? "(\(text))" : text }
    let first = lower.contains(" as ") ? bound(lower) : lower
    return .plain("\(first)\(operation)\(bound(upper))")
  }
}

extension Optional: PartwiseWritten {
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    guard case .some(let old) = before, case .some(let new) = self else { return nil }
    guard DeclaredType.isThat(of: new), DeclaredType.isThat(of: old) else { return nil }
    let inside = place.unwrapped(isTypeKnown: true)
    var assignments = StateAssignments()
    try assignments.add(from: old, to: new, at: inside)
    guard assignments.assignments.contains(where: { $0.target == inside.target }) else { return assignments }
    // If the content would be assigned as a whole, the optional itself is assigned instead.
    return try StateAssignments(assigning: self as Any, at: place)
  }
}

extension Array: PartwiseWritten {
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    guard before.count == count, !isEmpty else { return nil }
    var assignments = StateAssignments()
    for (index, (old, new)) in zip(before, self).enumerated() {
      let place = place.element("\(index)", access: "[\(index)]").declaring(new)
      try assignments.addProperty(from: old, to: new, at: place)
    }
    return assignments.orShorter(assigning: self, at: place)
  }
}

extension Dictionary: PartwiseWritten {
  func assignments(from before: Self, at place: LiteralPlace) throws(SwiftSourceError) -> StateAssignments? {
    guard !isEmpty, !before.isEmpty else { return nil }
    // A key that isn't equal to itself can't be found. A long key leaves no room on its line.
    guard keys.allSatisfy({ $0 == $0 && self[$0] != nil }), before.keys.allSatisfy({ before[$0] != nil }) else {
      return nil
    }
    var sorted: [(key: Key, text: SourceText)] = []
    for key in Set(keys).union(before.keys) { sorted.append((key, try keyText(key, at: place))) }
    guard sorted.allSatisfy({ $0.text.flat.count <= 60 }) else { return nil }
    var assignments = StateAssignments()
    for (key, text) in sorted.sorted(by: { SourceOrder.isBefore($0.text, $1.text) }) {
      // Like the subscript's result, the value is an optional.
      let place = place.element(text.flat, access: "[\(text.flat)]")
      try assignments.add(from: before[key] as Any, to: self[key] as Any, at: place)
    }
    return assignments.orShorter(assigning: self, at: place)
  }
}
