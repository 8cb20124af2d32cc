/// The entries of a dictionary, found by their keys, or the elements of a set.
package protocol KeyedEntries {
  var count: Int { get }

  /// All entries with their keys. The entries of a set have no values.
  var entries: [(key: Any, value: Any?)] { get }

  /// Finds the entries that may differ from another collection of the same type, visiting a limited number of
  /// entries of each.
  func differences(from older: any KeyedEntries, atMost limit: Int) -> EntryDifferences
}

/// Entries that may differ between two collections.
package struct EntryDifferences {
  struct Entry {
    let key: Any

    /// `true` if the key isn't equal to itself, so that it doesn't find an entry.
    let isStrange: Bool
    let before: Any?
    let after: Any?
  }

  var entries: [Entry] = []

  /// The number of visited entries, and the number of remaining ones.
  var looked = 0
  var left = 0
}

extension Dictionary: KeyedEntries {
  package var entries: [(key: Any, value: Any?)] { map { ($0.key, $0.value) } }

  package func differences(from older: any KeyedEntries, atMost limit: Int) -> EntryDifferences {
    var differences = EntryDifferences()
    guard let older = older as? Self else { return differences }
    var comparison = BitwiseComparison<Value>()
    var gone = older.count
    for (number, (key, value)) in enumerated() {
      guard differences.look(at: number, of: count, atMost: limit) else { return differences }
      let before = older[key]
      if before != nil { gone -= 1 }
      if let before, comparison.isSame(before, value) { continue }
      differences.add(key, before, value)
    }
    guard gone > 0 else { return differences }
    for (number, (key, value)) in older.enumerated() {
      guard differences.look(at: number, of: older.count, atMost: limit) else { return differences }
      if self[key] == nil { differences.add(key, value, nil) }
    }
    return differences
  }
}

extension Set: KeyedEntries {
  package var entries: [(key: Any, value: Any?)] { map { ($0, nil) } }

  package func differences(from older: any KeyedEntries, atMost limit: Int) -> EntryDifferences {
    var differences = EntryDifferences()
    guard let older = older as? Self else { return differences }
    var gone = older.count
    for (number, element) in enumerated() {
      guard differences.look(at: number, of: count, atMost: limit) else { return differences }
      if older.contains(element) { gone -= 1 } else { differences.add(element, nil, element) }
    }
    guard gone > 0 else { return differences }
    for (number, element) in older.enumerated() {
      guard differences.look(at: number, of: older.count, atMost: limit) else { return differences }
      if !contains(element) { differences.add(element, element, nil) }
    }
    return differences
  }
}

extension EntryDifferences {
  /// Counts one visited entry, if that is within the limit; otherwise counts the remaining ones.
  fileprivate mutating func look(at number: Int, of count: Int, atMost limit: Int) -> Bool {
    guard number < limit else {
      left = count - number
      return false
    }
    looked += 1
    return true
  }

  fileprivate mutating func add(_ key: some Hashable, _ before: Any?, _ after: Any?) {
    entries.append(Entry(key: key, isStrange: key != key, before: before, after: after))
  }
}
