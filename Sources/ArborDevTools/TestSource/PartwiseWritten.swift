/// A value of the libraries whose parts can be assigned, or which calls can change.
protocol PartwiseWritten {
  /// Adds the assignments and the calls that make this value of another one.
  ///
  /// - Returns: `false` if the value must be compared and assigned as a whole.
  func add(
    to assignments: inout StateAssignments,
    from before: Self,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool
}

extension PartwiseWritten {
  /// Adds the assignments and the calls that make this value of another one, if that has the same type.
  func addParts(
    to assignments: inout StateAssignments,
    from before: Any,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard let before = before as? Self else { return false }
    return try add(to: &assignments, from: before, target: target, at: place)
  }
}

extension Optional: PartwiseWritten {
  func add(
    to assignments: inout StateAssignments,
    from before: Self,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard case .some(let old) = before, case .some(let new) = self else { return false }
    guard DeclaredType.isThat(of: new), DeclaredType.isThat(of: old) else { return false }
    var inside = StateAssignments()
    try inside.add(from: old, to: new, target: target + "?", at: place.unwrapped(isTypeKnown: true))
    // A value that would be assigned as a whole inside is assigned to the optional itself.
    if inside.assignments.contains(where: { $0.target == target + "?" }) {
      try assignments.assign(self as Any, to: target, at: place)
    } else {
      assignments.add(inside)
    }
    return true
  }
}

extension Array: PartwiseWritten {
  func add(
    to assignments: inout StateAssignments,
    from before: Self,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard before.count == count, !isEmpty else { return false }
    try assignments.addShorter(self, target: target, at: place) { assignments throws(SwiftSourceError) in
      for (index, (old, new)) in zip(before, self).enumerated() {
        let place = place.element("\(index)", access: "[\(index)]").with(isTypeKnown: DeclaredType.isThat(of: new))
        try assignments.addProperty(from: old, to: new, target: "\(target)[\(index)]", at: place)
      }
    }
    return true
  }
}

extension Dictionary: PartwiseWritten {
  func add(
    to assignments: inout StateAssignments,
    from before: Self,
    target: String,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> Bool {
    guard !isEmpty, !before.isEmpty else { return false }
    // A key that is not equal to itself is not found, and a long one leaves no room on its line.
    guard keys.allSatisfy({ $0 == $0 && self[$0] != nil }), before.keys.allSatisfy({ before[$0] != nil }) else {
      return false
    }
    var sorted: [(key: Key, text: SourceText)] = []
    for key in Set(keys).union(before.keys) { sorted.append((key, try keyText(key, at: place))) }
    guard sorted.allSatisfy({ $0.text.flat.count <= 60 }) else { return false }
    try assignments.addShorter(self, target: target, at: place) { assignments throws(SwiftSourceError) in
      for (key, text) in sorted.sorted(by: { SourceOrder.isBefore($0.text, $1.text) }) {
        // As the subscript is: an optional of the value.
        let target = "\(target)[\(text.flat)]"
        let place = place.element(text.flat, access: "[\(text.flat)]")
        try assignments.add(from: before[key] as Any, to: self[key] as Any, target: target, at: place)
      }
    }
    return true
  }
}
