internal import Arbor

/// The changes that turn one list of ids into another, for a view that shows the list.
///
/// ```swift
/// let update = ListUpdate(changes) { $0[Book.byTitle] }
/// func path(_ offset: Int) -> IndexPath { IndexPath(item: offset, section: 0) }
/// collectionView.performBatchUpdates {
///   books = changes.current
///   collectionView.deleteItems(at: update.deletes.map(path))
///   collectionView.insertItems(at: update.inserts.map(path))
///   for item in update.moves { collectionView.moveItem(at: path(item.old), to: path(item.new)) }
/// }
/// collectionView.reconfigureItems(at: update.reloads.map { path($0.new) })
/// ```
///
/// - **Order.** Offsets follow the rules of `UICollectionView` and `UITableView`. Deletions and the starts of moves use
///   offsets in the old list; insertions and the ends of moves use offsets in the new list. All other items keep their
///   order.
/// - **Moves.** The update has as few moves as possible.
/// - **Reloads.** A reload has both offsets and the id. An item that moved and changed is listed as both, and no view
///   accepts both in one batch. Reload after the batch, at the new offsets. A diffable snapshot takes the ids.
/// - **Duplicate ids.** The first occurrences in both lists are one item. Each further occurrence is a separate item,
///   which is deleted from the old list and inserted into the new one, so that the counts are right.
/// - You don't need it for a diffable data source, which computes its own changes.
public struct ListUpdate<ID: Hashable & Sendable>: Hashable, Sendable {
  /// An item that is in both lists.
  public struct Item: Hashable, Sendable {
    /// The id of the item.
    public let id: ID

    /// The item's offset in the old list.
    public let old: Int

    /// The item's offset in the new list.
    public let new: Int

    @inlinable
    init(_ id: ID, from old: Int, to new: Int) {
      self.id = id
      self.old = old
      self.new = new
    }
  }

  /// The offsets in the old list of the items that are not in the new one, ascending.
  public let deletes: [Int]

  /// The offsets in the new list of the items that were not in the old one, ascending.
  public let inserts: [Int]

  /// The items whose position relative to the others changed, ascending by their new offsets.
  public let moves: [Item]

  /// The items whose records changed, including items that moved, ascending by their new offsets.
  public let reloads: [Item]

  @usableFromInline
  init(deletes: [Int], inserts: [Int], moves: [Item], reloads: [Item]) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.reloads = reloads
  }

  /// `true` if the lists are equal and no record changed.
  public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty }

  /// Applies the update to the old list, or to any list with one element per item of the old list.
  ///
  /// - Cost: O(n).
  /// - Parameters:
  ///   - list: The list to update, with as many elements as the old list. A list that is too short stops the program.
  ///   - element: Returns the element for an inserted item, given its offset in the new list. Called in ascending
  ///     order.
  public func apply<Element>(to list: inout [Element], inserting element: (_ offset: Int) throws -> Element) rethrows {
    let count = list.count - deletes.count + inserts.count
    let isLongEnough =
      deletes.last ?? -1 < list.count && inserts.last ?? -1 < count
      && moves.allSatisfy { $0.old < list.count && $0.new < count }
    guard isLongEnough else { Misuse.updatingAnotherList.stop(about: "a list of \(list.count)") }
    var places = [Element?](repeating: nil, count: count)
    var staying = list.map { Optional($0) }
    for offset in deletes { staying[offset] = nil }
    for item in moves {
      staying[item.old] = nil
      places[item.new] = list[item.old]
    }
    for offset in inserts { places[offset] = try element(offset) }
    var rest = staying.lazy.compactMap(\.self).makeIterator()
    list = places.map { $0 ?? rest.next()! }
  }
}

/// A misuse of a ``ListUpdate``.
extension Misuse {
  fileprivate static let updatingAnotherList = Misuse(
    """
    An update was applied to a list that is shorter than the one it was made from, so an offset is past its end. Apply \
    it to a list that has an element for each item of the old one, and apply each update once.
    """
  )
}
