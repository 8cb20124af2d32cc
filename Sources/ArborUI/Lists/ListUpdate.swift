internal import Arbor

/// The changes that turn one list of ids into another one, for a view that shows the list.
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
/// - **Order.** Offsets are those of `UICollectionView` and `UITableView`: what goes and where a move begins is counted in the old
///   list, what comes and where a move ends in the new one. Items that neither come, go nor move keep their order.
/// - **Moves** are as few as possible.
/// - **Reloads** are told by both offsets and the id. An item that moved and changed is in both lists, and no view takes both in one
///   batch: reload after the batch, at the new offsets. A diffable snapshot takes the ids.
/// - **Ids that come twice** in a list: the first ones of both lists are one item. Each further one is an item of its own, which goes
///   from the old list and comes in the new one, so that the counts are right.
/// - For a diffable data source there is no need of it: that makes its own.
public struct ListUpdate<ID: Hashable & Sendable>: Hashable, Sendable {
  /// An item that is in both lists.
  public struct Item: Hashable, Sendable {
    /// The id of the item.
    public let id: ID

    /// Its offset in the old list.
    public let old: Int

    /// Its offset in the new list.
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

  /// The items whose place among the others changed, ascending by their new offsets.
  public let moves: [Item]

  /// The items whose records changed, ascending by their new offsets, those that moved too.
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

  /// Turns the old list, or a list of something for each of its items, into the new one.
  ///
  /// - Cost: O(n).
  /// - Parameters:
  ///   - list: Has as many elements as the old list; one that is too short stops the program.
  ///   - element: The element for an item that comes, by its offset in the new list. Called in that order.
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
    an update was applied to a list that is shorter than the one it was made from, so an offset is past its end. Apply \
    it to a list that has an element for each item of the old one, and apply each update once.
    """
  )
}
