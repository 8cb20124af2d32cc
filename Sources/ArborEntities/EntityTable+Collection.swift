internal import Arbor

extension EntityTable: BidirectionalCollection {
  /// The place of a record in a table.
  ///
  /// - It stays that of the same record for as long as the record is in the table, but for a table into which four thousand
  ///   million records were put in its time: that gives its records new places.
  public struct Index: Comparable, Hashable, Sendable {
    @usableFromInline let slot: Int

    @inlinable
    init(_ slot: Int) {
      self.slot = slot
    }

    /// `true` if the one is in front of the other.
    @inlinable
    public static func < (left: Index, right: Index) -> Bool { left.slot < right.slot }
  }

  /// The place of the first record.
  @inlinable
  public var startIndex: Index { Index(store.records.slot(from: 0) ?? store.end) }

  /// The place behind the last record.
  @inlinable
  public var endIndex: Index { Index(store.end) }

  /// The place of the next record.
  @inlinable
  public func index(after index: Index) -> Index {
    Index(store.records.slot(from: index.slot + 1) ?? store.end)
  }

  /// The place of the record before.
  @inlinable
  public func index(before index: Index) -> Index {
    guard let slot = store.records.slot(before: index.slot) else {
      EntityTable.stopWithoutRecord()
    }
    return Index(slot)
  }

  /// The place of the record with an id, if there is one.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func index(of id: Element.ID) -> Index? { store.slot(of: id).map(Index.init) }

  /// The record at a place.
  ///
  /// - Parameter index: The place; one that has no record stops the program.
  @inlinable
  public subscript(index: Index) -> Element {
    guard let record = store.records.pointer(to: index.slot) else {
      EntityTable.stopWithoutRecord()
    }
    return record.pointee.element
  }

  @usableFromInline
  static func stopWithoutRecord() -> Never {
    Misuse.indexOfNoRecord.stop(about: "\(Element.self)")
  }

  /// Walks through the records, in their order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Gives one record after the other.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var leaves: SlotTrie<Record<Element>>.Leaves
    @usableFromInline var leaf: TrieNode<Record<Element>>?

    /// The places of the leaf whose records are still to be given.
    @usableFromInline var rest: UInt32 = 0

    /// The number of records of the leaf that were given.
    @usableFromInline var given = 0

    @inlinable
    init(_ table: EntityTable) {
      leaves = SlotTrie.Leaves(of: table.store.records)
    }

    /// The next record, if there is one.
    @inlinable
    public mutating func next() -> Element? {
      if rest == 0 {
        leaf = leaves.next()
        rest = leaf?.head.pointee.mask ?? 0
        given = 0
      }
      guard let leaf else { return nil }
      let offset = leaf.isSpread ? rest.trailingZeroBitCount : given
      rest &= rest &- 1
      given &+= 1
      return leaf.slots[offset].element
    }
  }
}

extension EntityTable: CustomStringConvertible {
  /// The records, as those of an array.
  public var description: String { Array(self).description }
}

extension EntityTable: CustomReflectable {
  /// Shown as a dictionary of its records by their ids, in their order, and of the ids in its manual orders by their names.
  public var customMirror: Mirror {
    var children = map { (key: AnyHashable($0.id), value: $0 as Any) }
    for (number, maintenance) in definition.indexes.enumerated() {
      if let name = maintenance.order { children.append((AnyHashable("order \(name)"), ids(inOrder: number))) }
    }
    return Mirror(self, unlabeledChildren: children, displayStyle: .dictionary)
  }
}
