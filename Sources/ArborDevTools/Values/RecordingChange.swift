/// A part of a recorded tree that was replaced or removed.
package struct RecordingChange: Equatable, Sendable {
  /// A step from a part to a part inside it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The path of the part.
  package let path: [Step]

  /// The new value of the part; nil if it was removed.
  package let value: RecordedValue?

  package init(_ path: [Step], _ value: RecordedValue?) {
    self.path = path
    self.value = value
  }
}

extension RecordingChange {
  /// Returns the changes that turn one tree into another, in the order in which they apply.
  ///
  /// - Arrays are compared index by index. An array in which most elements differ is a single change.
  /// - Cost: a walk through both trees, without the parts that share their memory.
  /// - Parameters:
  ///   - before: The old tree.
  ///   - after: The new tree.
  ///   - path: The path of the tree, if it is part of another tree.
  package static func changes(
    from before: RecordedValue,
    to after: RecordedValue,
    at path: [Step] = []
  ) -> [RecordingChange] {
    var comparison = RecordedValueComparison(at: path)
    comparison.compare(before, after)
    return comparison.changes
  }

  /// Applies the change to a tree.
  ///
  /// - Parameters:
  ///   - value: The tree.
  ///   - level: The number of the path's steps that lead to the tree, if it is part of a larger tree.
  /// - Throws: ``RecordingChangeError`` if the path doesn't exist in the tree, which then stays unchanged.
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
    // The part releases the object, so that the object is changed without a copy.
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
    guard rest.count > 1 else { return try set(index, in: &array) }
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

/// An error that reports a change to a part that doesn't exist.
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
    return "there is nothing at [\(steps.joined(separator: ", "))] to change"
  }
}

/// A walk through two trees that collects the differences.
private struct RecordedValueComparison {
  private(set) var changes: [RecordingChange] = []
  private var path: [RecordingChange.Step]

  /// The number of changes in a part that are kept without checking if the whole part would be shorter.
  private static let fewChanges = 8

  /// - Parameter path: The path of the trees, if they are parts of others.
  init(at path: [RecordingChange.Step]) {
    self.path = path
  }

  mutating func compare(_ before: RecordedValue, _ after: RecordedValue) {
    FreshStack.run(atLevel: path.count) { compareParts(before, after) }
  }

  private mutating func compareParts(_ before: RecordedValue, _ after: RecordedValue) {
    let first = changes.count
    switch (before, after) {
    // A marked object stands for a single value without parts.
    case (.object(let old), .object(let new)) where before.markedText == nil && after.markedText == nil:
      compare(old, new)
    case (.array(let old), .array(let new)): compare(old, new)
    default: if before != after { changes.append(RecordingChange(path, after)) }
    }
    shorten(from: first, to: after)
  }

  private mutating func compare(_ before: [RecordedValue], _ after: [RecordedValue]) {
    if before.sharesMemory(with: after) { return }
    for index in 0..<min(before.count, after.count) {
      compare(before[index], after[index], at: .index(index))
    }
    for index in stride(from: before.count - 1, through: after.count, by: -1) { add(nil, at: .index(index)) }
    for index in before.count..<max(before.count, after.count) { add(after[index], at: .index(index)) }
  }

  private mutating func compare(_ before: RecordedObject, _ after: RecordedObject) {
    if before.members.sharesMemory(with: after.members) { return }
    let (old, new) = (before.members, after.members)
    var index = 0
    while index < min(old.count, new.count), ExactText(old[index].key) == ExactText(new[index].key) {
      compare(old[index].value, new[index].value, at: .key(new[index].key))
      index += 1
    }
    guard index < max(old.count, new.count) else { return }
    // From here on the keys differ, or their order does.
    let (oldPlaces, newPlaces) = (before.places(), after.places())
    for member in old[index...] where newPlaces[ExactText(member.key)] == nil { add(nil, at: .key(member.key)) }
    for member in new[index...] {
      if let place = oldPlaces[ExactText(member.key)] {
        compare(old[place].value, member.value, at: .key(member.key))
      } else {
        add(member.value, at: .key(member.key))
      }
    }
  }

  private mutating func compare(_ before: RecordedValue, _ after: RecordedValue, at step: RecordingChange.Step) {
    path.append(step)
    compare(before, after)
    path.removeLast()
  }

  private mutating func add(_ value: RecordedValue?, at step: RecordingChange.Step) {
    changes.append(RecordingChange(path + [step], value))
  }

  /// Replaces the changes in a part with one change to the whole part, if that isn't longer. Never replaces the whole
  /// tree.
  private mutating func shorten(from first: Int, to value: RecordedValue) {
    guard !path.isEmpty, changes.count - first > RecordedValueComparison.fewChanges else { return }
    let length = changes[first...].reduce(0) { length, change in
      length + change.path.reduce(4) { $0 + $1.length } + (change.value?.length(atMost: .max) ?? 0)
    }
    guard value.length(atMost: length) <= length else { return }
    changes.removeSubrange(first...)
    changes.append(RecordingChange(path, value))
  }
}

extension RecordingChange.Step {
  /// The approximate number of bytes of the step in a file.
  fileprivate var length: Int {
    switch self {
    case .key(let key): key.utf8.count + 3
    case .index: 3
    }
  }
}

extension RecordedValue {
  /// Returns the approximate number of bytes of the value in a file; for a longer value, a number above the limit.
  fileprivate func length(atMost limit: Int) -> Int {
    switch self {
    case .null, .bool, .integer, .unsigned, .double: return 5
    case .string(let text): return text.utf8.count + 3
    case .array(let elements):
      var length = 2
      for element in elements where length <= limit { length += element.length(atMost: limit - length) }
      return length
    case .object(let object):
      var length = 2
      for member in object.members where length <= limit {
        length += member.key.utf8.count + 4
        length += member.value.length(atMost: limit - length)
      }
      return length
    }
  }
}
