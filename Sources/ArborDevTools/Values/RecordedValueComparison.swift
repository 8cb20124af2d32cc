/// A walk through two trees that collects what is different.
struct RecordedValueComparison {
  private(set) var changes: [RecordingChange] = []
  private var path: [RecordingChange.Step]

  /// So many changes in one part are kept without a look at whether the whole part would be shorter.
  private static let fewChanges = 8

  /// - Parameter path: The way to the trees, if they are parts of others.
  init(at path: [RecordingChange.Step]) {
    self.path = path
  }

  mutating func compare(_ before: RecordedValue, _ after: RecordedValue) {
    FreshStack.run(atLevel: path.count) { compareParts(before, after) }
  }

  private mutating func compareParts(_ before: RecordedValue, _ after: RecordedValue) {
    switch (before, after) {
    case (.object(let old), .object(let new)):
      // A marked object stands for one value, which has no parts.
      if before.markedText != nil || after.markedText != nil { return compareWhole(before, after) }
      let first = changes.count
      compare(old, new)
      shorten(from: first, to: after)
    case (.array(let old), .array(let new)):
      let first = changes.count
      compare(old, new)
      shorten(from: first, to: after)
    default: compareWhole(before, after)
    }
  }

  private mutating func compareWhole(_ before: RecordedValue, _ after: RecordedValue) {
    if before != after { add(after) }
  }

  private mutating func add(_ value: RecordedValue?) {
    changes.append(RecordingChange(path, value))
  }

  private mutating func compare(_ before: [RecordedValue], _ after: [RecordedValue]) {
    let isSame = before.withUnsafeBufferPointer { before in
      after.withUnsafeBufferPointer { before.baseAddress == $0.baseAddress && before.count == $0.count }
    }
    if isSame { return }
    for index in 0..<min(before.count, after.count) {
      path.append(.index(index))
      compare(before[index], after[index])
      path.removeLast()
    }
    for index in stride(from: before.count - 1, through: after.count, by: -1) { add(nil, at: .index(index)) }
    for index in before.count..<max(before.count, after.count) { add(after[index], at: .index(index)) }
  }

  private mutating func compare(_ before: RecordedObject, _ after: RecordedObject) {
    if before.sharesMemory(with: after) { return }
    let (old, new) = (before.members, after.members)
    var index = 0
    while index < min(old.count, new.count), ExactText(old[index].key) == ExactText(new[index].key) {
      compare(old[index].value, new[index].value, at: new[index].key)
      index += 1
    }
    guard index < max(old.count, new.count) else { return }
    // From here on the keys differ, or their order does.
    let (oldPlaces, newPlaces) = (before.places(), after.places())
    for member in old[index...] where newPlaces[ExactText(member.key)] == nil { add(nil, at: .key(member.key)) }
    for member in new[index...] {
      if let place = oldPlaces[ExactText(member.key)] {
        compare(old[place].value, member.value, at: member.key)
      } else {
        add(member.value, at: .key(member.key))
      }
    }
  }

  private mutating func compare(_ before: RecordedValue, _ after: RecordedValue, at key: String) {
    path.append(.key(key))
    compare(before, after)
    path.removeLast()
  }

  private mutating func add(_ value: RecordedValue?, at step: RecordingChange.Step) {
    path.append(step)
    add(value)
    path.removeLast()
  }

  /// Replaces the changes of a part by one of all of it, if that is not longer. Never of the whole tree.
  private mutating func shorten(from first: Int, to value: RecordedValue) {
    guard !path.isEmpty, changes.count - first > RecordedValueComparison.fewChanges else { return }
    let length = changes[first...].reduce(0) { length, change in
      length + change.path.reduce(4) { $0 + $1.length } + (change.value?.length(atMost: .max) ?? 0)
    }
    guard value.length(atMost: length) <= length else { return }
    changes.removeSubrange(first...)
    add(value)
  }
}

extension RecordingChange.Step {
  /// About as many bytes as it takes in a file.
  fileprivate var length: Int {
    switch self {
    case .key(let key): key.utf8.count + 3
    case .index: 3
    }
  }
}

extension RecordedValue {
  /// About as many bytes as it takes in a file; of a longer one some number above the limit.
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
