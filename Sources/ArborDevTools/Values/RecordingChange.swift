/// A part of a recorded tree that became another one, or went.
package struct RecordingChange: Equatable, Sendable {
  /// A step from a part to one inside of it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The way to the part.
  package let path: [Step]

  /// The value that is there now; nil if none is.
  package let value: RecordedValue?

  package init(_ path: [Step], _ value: RecordedValue?) {
    self.path = path
    self.value = value
  }
}

extension RecordingChange {
  /// The changes that make one tree of another, in the order in which they apply.
  ///
  /// - Arrays are compared place by place; one of which most is different is one change.
  /// - Cost: a walk through both trees, without the parts that share their memory.
  /// - Parameters:
  ///   - before: The tree that is changed.
  ///   - after: The tree that it becomes.
  ///   - path: The way to the tree, if it is a part of another.
  package static func changes(
    from before: RecordedValue,
    to after: RecordedValue,
    at path: [Step] = []
  ) -> [RecordingChange] {
    var comparison = RecordedValueComparison(at: path)
    comparison.compare(before, after)
    return comparison.changes
  }

  /// Makes the change in a tree.
  ///
  /// - Parameters:
  ///   - value: The tree.
  ///   - level: The number of steps that lead to the tree, if it is a part of the one that is changed.
  /// - Throws: ``RecordingChangeError`` if there is no such place; then the tree is as it was.
  package func apply(to value: inout RecordedValue, atLevel level: Int = 0) throws(RecordingChangeError) {
    try apply(path[level...], to: &value)
  }

  private func apply(_ rest: ArraySlice<Step>, to part: inout RecordedValue) throws(RecordingChangeError) {
    guard let step = rest.first else {
      guard let value else { throw RecordingChangeError(path: path) }
      part = value
      return
    }
    try FreshStack.run(atLevel: path.count - rest.count) { () throws(RecordingChangeError) in
      switch step {
      case .key(let key): try apply(rest, at: key, in: &part)
      case .index(let index): try apply(rest, at: index, in: &part)
      }
    }
  }

  private func apply(
    _ rest: ArraySlice<Step>,
    at key: String,
    in part: inout RecordedValue
  ) throws(RecordingChangeError) {
    guard case .object(var object) = part else { throw RecordingChangeError(path: path) }
    // The part is let go of, so that the object is changed where it is.
    part = .null
    defer { part = .object(object) }
    let place = object.place(of: key)
    if rest.count == 1 {
      guard value != nil || place != nil else { throw RecordingChangeError(path: path) }
      object[key] = value
      return
    }
    guard let place else { throw RecordingChangeError(path: path) }
    try object.change(at: place) { (member) throws(RecordingChangeError) in
      try apply(rest.dropFirst(), to: &member)
    }
  }

  private func apply(
    _ rest: ArraySlice<Step>,
    at index: Int,
    in part: inout RecordedValue
  ) throws(RecordingChangeError) {
    guard case .array(var array) = part else { throw RecordingChangeError(path: path) }
    part = .null
    defer { part = .array(array) }
    if rest.count == 1 {
      try set(index, in: &array)
      return
    }
    guard array.indices.contains(index) else { throw RecordingChangeError(path: path) }
    try apply(rest.dropFirst(), to: &array[index])
  }

  private func set(_ index: Int, in array: inout [RecordedValue]) throws(RecordingChangeError) {
    switch (index, value) {
    case (array.count, let value?): array.append(value)
    case (0..<array.count, let value?): array[index] = value
    case (array.count - 1, nil) where index >= 0: array.removeLast()
    default: throw RecordingChangeError(path: path)
    }
  }
}

/// A change of a place that is not there.
package struct RecordingChangeError: Error, Equatable {
  package let path: [RecordingChange.Step]

  package init(path: [RecordingChange.Step]) {
    self.path = path
  }
}

extension RecordingChangeError: CustomStringConvertible {
  package var description: String {
    let steps = path.map { step in
      switch step {
      case .key(let key): key.debugDescription
      case .index(let index): "\(index)"
      }
    }
    return "there is no place [\(steps.joined(separator: ", "))] to change"
  }
}
