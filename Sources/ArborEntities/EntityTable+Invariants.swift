extension EntityTable {
  /// Stops the program unless the table and its indexes are consistent: for tests.
  package func checkInvariants() {
    store.check()
    for (number, maintenance) in definition.indexes.enumerated() {
      maintenance.check(indexes[number], store.records)
    }
  }

  /// The address of a record in memory; nil if there is no such record. For tests that a change has copied nothing.
  package func address(of id: Element.ID) -> UnsafeRawPointer? {
    store.slot(of: id).map { UnsafeRawPointer(store.pointer(to: $0)) }
  }

  /// Skips slots, as if that many records had been inserted and removed: for tests of very old tables.
  package mutating func skipSlots(leaving count: Int) {
    store.end = RecordStore<Element>.limit - count
  }

  /// The ids in a manual order, which is the index with a number.
  func ids(inOrder number: Int) -> [Element.ID] {
    IndexBox<ManualPlaces>.content(of: indexes[number]).slots.map { store[$0].element.id }
  }
}

extension RecordStore {
  /// Stops the program unless each record, and nothing else, is found by its id.
  @usableFromInline
  func check() {
    var (count, last) = (0, -1)
    records.visit { slot, record in
      precondition(slot > last && slot < end, "a slot is out of order")
      precondition(self.slot(of: record.element.id) == slot, "a record is not found by its id")
      (count, last) = (count + 1, slot)
    }
    precondition(count == self.count, "a table's count differs from its number of records")
    precondition(places.count == count, "a table finds records that it doesn't have")
  }
}

extension PlaceTrie {
  /// The number of slots in the trie. Cost: O(n).
  var count: Int { root.map(PlaceTrie.count) ?? 0 }

  private static func count(in node: Node) -> Int {
    guard !node.head.pointee.isLeaf else { return node.head.pointee.count }
    var count = 0
    node.visitRuns { start, length in
      for offset in start..<start + length { count += self.count(in: node.children[offset]) }
    }
    return count
  }
}

extension OrderedNode {
  /// Stops the program unless each child matches its summary.
  func check() {
    precondition(entries.isEmpty || children.isEmpty, "a node is both a leaf and a branch")
    precondition(size <= OrderedNode.width, "a node has become too large")
    for child in children {
      child.node.check()
      precondition(child.count == child.node.count && child.count > 0, "a branch has a wrong count for a child")
      precondition(child.first.slot == child.node.first?.slot, "a branch has a wrong first entry for a child")
    }
    precondition(count == entries.count + children.reduce(0) { $0 + $1.count }, "a node has a wrong count")
  }
}
