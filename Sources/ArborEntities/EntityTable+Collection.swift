internal import Arbor

extension EntityTable: BidirectionalCollection {
  /// The place of a record in a table.
  ///
  /// - It refers to the same record as long as the record is in the table. There is one exception: when four billion
  ///   records have been inserted over a table's lifetime, the table gives its records new places.
  public struct Index: Comparable, Hashable, Sendable {
    @usableFromInline let slot: Int

    @inlinable
    init(_ slot: Int) {
      self.slot = slot
    }

    /// `true` if the first place is before the second.
    @inlinable
    public static func < (left: Index, right: Index) -> Bool { left.slot < right.slot }
  }

  /// The place of the first record.
  @inlinable
  public var startIndex: Index { Index(store.records.slot(from: 0) ?? store.end) }

  /// The place after the last record.
  @inlinable
  public var endIndex: Index { Index(store.end) }

  /// The place of the next record.
  @inlinable
  public func index(after index: Index) -> Index {
    Index(store.records.slot(from: index.slot + 1) ?? store.end)
  }

  /// The place of the previous record.
  @inlinable
  public func index(before index: Index) -> Index {
    guard let slot = store.records.slot(before: index.slot) else {
      EntityTable.stopWithoutRecord()
    }
    return Index(slot)
  }

  /// Returns the place of the record with an id; nil if there is no such record.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public func index(of id: Element.ID) -> Index? { store.slot(of: id).map(Index.init) }

  /// The record at a place.
  ///
  /// - Parameter index: The place. If it has no record, the program stops.
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

  /// Returns an iterator over the records, in their order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the records of a table.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var leaves: SlotTrie<Record<Element>>.Leaves
    @usableFromInline var leaf: TrieNode<Record<Element>>?

    /// The places of the leaf whose records have not been returned yet.
    @usableFromInline var rest: UInt32 = 0

    /// The number of records of the leaf that have been returned.
    @usableFromInline var given = 0

    @inlinable
    init(_ table: EntityTable) {
      leaves = SlotTrie.Leaves(of: table.store.records)
    }

    /// Returns the next record; nil at the end.
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
  /// The records, formatted like an array.
  public var description: String { Array(self).description }
}

extension EntityTable: CustomReflectable {
  /// A mirror that shows a dictionary of the records by their ids, in their order, and the ids of each manual order by
  /// its name.
  public var customMirror: Mirror {
    var children = map { (key: AnyHashable($0.id), value: $0 as Any) }
    for (number, maintenance) in definition.indexes.enumerated() {
      if let name = maintenance.order { children.append((AnyHashable("order \(name)"), ids(inOrder: number))) }
    }
    return Mirror(self, unlabeledChildren: children, displayStyle: .dictionary)
  }
}
