extension ListUpdate {
  /// Compares two lists of ids.
  ///
  /// - Cost: O(n) comparisons for the common beginning and end of the lists, and O(n log n) for the middle. For equal
  ///   lists, only the comparison is needed.
  /// - Parameters:
  ///   - old: The ids that the view shows.
  ///   - new: The ids that the view should show.
  ///   - changed: The ids of the records that changed. Ids that are not in both lists are ignored.
  @inlinable
  public init(from old: some Sequence<ID>, to new: some Sequence<ID>, changed: [ID] = []) {
    let (old, new) = (Array(old), Array(new))
    let limit = min(old.count, new.count)
    var (start, end) = (0, 0)
    while start < limit, old[start] == new[start] { start += 1 }
    while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let middle = Middle(of: old, in: start..<old.count - end, and: new, in: start..<new.count - end)
    var reloads: [Item] = []
    if !changed.isEmpty {
      let changed = Set(changed)
      let first = (0..<start).lazy.map { Item(new[$0], from: $0, to: $0) }
      let last = (new.count - end..<new.count).lazy.map { Item(new[$0], from: $0 - new.count + old.count, to: $0) }
      reloads += first.filter { changed.contains($0.id) }
      reloads += middle.items.filter { changed.contains($0.id) }
      reloads += last.filter { changed.contains($0.id) }
    }
    self.init(deletes: middle.deletes, inserts: middle.inserts, moves: middle.moves, reloads: reloads)
  }

  /// The parts of two lists between their common beginning and their common end.
  @usableFromInline
  struct Middle {
    /// The items that are in both, in the order of the new list.
    @usableFromInline var items: [Item] = []
    @usableFromInline var inserts: [Int] = []
    @usableFromInline var deletes: [Int] = []

    @inlinable
    init(of old: [ID], in oldOffsets: Range<Int>, and new: [ID], in newOffsets: Range<Int>) {
      var offsets: [ID: Int] = [:]
      offsets.reserveCapacity(oldOffsets.count)
      for offset in oldOffsets {
        // If an id occurs twice, its first occurrence is the item.
        if offsets[old[offset]] == nil { offsets[old[offset]] = offset } else { deletes.append(offset) }
      }
      for offset in newOffsets {
        if let before = offsets.removeValue(forKey: new[offset]) {
          items.append(Item(new[offset], from: before, to: offset))
        } else {
          inserts.append(offset)
        }
      }
      deletes += offsets.values
      deletes.sort()
    }

    /// The fewest items whose moves sort all of them: those outside a longest run that is already in order.
    @inlinable var moves: [Item] {
      var staying = items.map(\.old).longestIncreasingSubsequence[...]
      return items.indices.filter { position in
        guard staying.first == position else { return true }
        staying.removeFirst()
        return false
      }.map { items[$0] }
    }
  }
}
