import Foundation

/// The way a snapshot was applied. Not Apple's: for tests.
public struct AppliedSnapshot<Item: Hashable>: Equatable {
  /// `true` if animation was requested.
  public var isAnimated: Bool

  /// The new items, in the order of the snapshot.
  public var inserted: [Item] = []

  /// The removed items.
  public var deleted: Set<Item> = []

  /// The items to reload, as requested.
  public var reloaded: [Item] = []

  /// The items to reconfigure, as requested.
  public var reconfigured: [Item] = []

  /// Makes a value for comparisons.
  public init(
    isAnimated: Bool,
    inserted: [Item] = [],
    deleted: Set<Item> = [],
    reloaded: [Item] = [],
    reconfigured: [Item] = []
  ) {
    self.isAnimated = isAnimated
    self.inserted = inserted
    self.deleted = deleted
    self.reloaded = reloaded
    self.reconfigured = reconfigured
  }
}

/// A diffable data source with its view, which shows all items: a model that UIKit's and AppKit's stubs share.
final class DiffableList<Section: Hashable, Item: Hashable, Cell: AnyObject> {
  private(set) var snapshot = SnapshotModel<Section, Item>()
  private(set) var cells: [Item: Cell] = [:]
  private(set) var applied: [AppliedSnapshot<Item>] = []

  /// Applies a snapshot.
  ///
  /// - Parameters:
  ///   - reloadsAll: `true` to make all cells again.
  ///   - make: Makes the cell of an item, or configures its existing one.
  func apply(
    _ new: SnapshotModel<Section, Item>,
    isAnimated: Bool,
    reloadsAll: Bool,
    make: (_ path: IndexPath, _ item: Item, _ existing: Cell?) -> Cell
  ) {
    var application = AppliedSnapshot<Item>(isAnimated: isAnimated)
    application.reloaded = new.reloaded
    application.reconfigured = new.reconfigured
    application.inserted = new.items.filter { snapshot.sectionsOfItems[$0] == nil }
    application.deleted = Set(snapshot.items).subtracting(new.items)
    applied.append(application)

    snapshot = new
    snapshot.reloaded = []
    snapshot.reconfigured = []
    for item in application.deleted { cells[item] = nil }
    let (reloaded, reconfigured) = (Set(new.reloaded), Set(new.reconfigured))
    for (section, id) in new.sections.enumerated() {
      for (row, item) in new.items(in: id).enumerated() {
        let path = IndexPath(indexes: [section, row])
        if reloadsAll || reloaded.contains(item) || cells[item] == nil {
          cells[item] = make(path, item, nil)
        } else if reconfigured.contains(item) {
          let cell = make(path, item, cells[item])
          precondition(cell === cells[item], "a cell that is reconfigured must stay the same")
        }
      }
    }
  }
}
