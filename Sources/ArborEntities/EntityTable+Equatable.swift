extension EntityTable: Equatable where Element: Equatable {
  /// `true` if both have equal records in the same order, and the same manual orders.
  ///
  /// - Cost: O(1) if neither was changed since they were one; else what differs is looked at, or all if they were never one.
  public static func == (left: EntityTable, right: EntityTable) -> Bool {
    if left.stamp == right.stamp { return true }
    guard left.count == right.count, left.hasEqualRecords(as: right) else { return false }
    return left.definition.indexes.indices.allSatisfy { number in
      left.definition.indexes[number].order == nil || left.indexes[number] === right.indexes[number]
        || left.ids(inOrder: number) == right.ids(inOrder: number)
    }
  }

  private func hasEqualRecords(as other: EntityTable) -> Bool {
    var isAligned = true
    let areEqual = other.store.records.differences(from: store.records) { _, left, right in
      guard let left, let right else {
        isAligned = false
        return false
      }
      return left.pointee.stamp == right.pointee.stamp && left.pointee.element.id == right.pointee.element.id
        || left.pointee.element == right.pointee.element
    }
    return isAligned ? areEqual : elementsEqual(other)
  }
}

extension EntityTable: Hashable where Element: Hashable {
  /// Hashes all records, in their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
