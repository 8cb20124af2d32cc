extension Optional: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard let wrapped = self else {
      guard place.isTypeKnown else { return .plain("\(try SwiftLiteral.name(of: Self.self, at: place)).none") }
      // Without it, the optional around it would be nil.
      let count = place.optionals
      return .plain(String(repeating: ".some(", count: count) + "nil" + String(repeating: ")", count: count))
    }
    let isKnown = DeclaredType.isThat(of: wrapped)
    let text = try SwiftLiteral.text(of: wrapped, at: place.unwrapped(isTypeKnown: isKnown))
    return place.isTypeKnown ? text : text.followed(by: " as \(try SwiftLiteral.name(of: Self.self, at: place))")
  }
}

extension SwiftWritten where Self: Collection {
  /// A literal of the elements in their order.
  func elementsText(at place: LiteralPlace, end: String) throws(SwiftSourceError) -> SourceText {
    var items: [SourceText.Item] = []
    for (index, element) in enumerated() {
      let place = place.element("\(index)", access: "[\(index)]").with(isTypeKnown: DeclaredType.isThat(of: element))
      items.append(SourceText.Item(text: try SwiftLiteral.text(of: element, at: place)))
    }
    return .list(opening: "[", items, closing: end, isCollection: true)
  }

  /// The text behind the elements: the type where it is not known.
  func end(at place: LiteralPlace) throws(SwiftSourceError) -> String {
    place.isTypeKnown ? "]" : "] as \(try SwiftLiteral.name(of: Self.self, at: place))"
  }
}

extension Array: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try elementsText(at: place, end: end(at: place))
  }
}

extension ArraySlice: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard startIndex == 0 else { throw place.error("it is a slice whose indices do not begin with 0") }
    return try elementsText(at: place, end: end(at: place))
  }
}

extension ContiguousArray: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try elementsText(at: place, end: end(at: place))
  }
}

extension Set: SwiftWritten {
  func text(at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    let end = try end(at: place)
    var texts: [SourceText] = []
    for element in self {
      let place = place.element("…", access: nil).with(isTypeKnown: DeclaredType.isThat(of: element))
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
      let isKnown = DeclaredType.isThat(of: value)
      let place = place.element(keyText.flat, access: "[\(keyText.flat)]!").with(isTypeKnown: isKnown)
      entries.append((keyText, try SwiftLiteral.text(of: value, at: place)))
    }
    let items = entries.sorted { SourceOrder.isBefore($0.key, $1.key) }.map { entry in
      SourceText.Item(label: entry.key.flat + ": ", isEntry: true, text: entry.value)
    }
    return .list(opening: "[", items, closing: end, isCollection: true)
  }

  /// The expression of a key.
  func keyText(_ key: Key, at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    try SwiftLiteral.text(of: key, at: place.element("…", access: nil).with(isTypeKnown: DeclaredType.isThat(of: key)))
  }
}

/// The order in which elements are written that have none: numbers by their values, all else by its text.
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
    // An operator of the bound's own would be read as one with that of the range.
    func bound(_ text: String) -> String { text.contains(" as ") || text.hasPrefix("-") ? "(\(text))" : text }
    let first = lower.contains(" as ") ? bound(lower) : lower
    return .plain("\(first)\(operation)\(bound(upper))")
  }
}
