public import Foundation

/// <https://developer.apple.com/documentation/appkit/nstableviewdiffabledatasource-c5gl>
open class NSTableViewDiffableDataSource<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable>: NSObject {
  /// <https://developer.apple.com/documentation/appkit/nstableviewdiffabledatasource-c5gl/cellprovider>
  public typealias CellProvider = (
    _ tableView: NSTableView,
    _ column: NSTableColumn,
    _ row: Int,
    _ identifier: ItemIdentifierType
  ) -> NSView

  private let list = DiffableList<SectionIdentifierType, ItemIdentifierType, NSView>()
  private weak var tableView: NSTableView?
  private let cellProvider: CellProvider

  /// <https://developer.apple.com/documentation/appkit/nstableviewdiffabledatasource-c5gl/init(tableview:cellprovider:)>
  public init(tableView: NSTableView, cellProvider: @escaping CellProvider) {
    self.tableView = tableView
    self.cellProvider = cellProvider
    super.init()
  }

  /// <https://developer.apple.com/documentation/appkit/nstableviewdiffabledatasource-c5gl/snapshot()>
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot(list.snapshot)
  }

  /// <https://developer.apple.com/documentation/appkit/nstableviewdiffabledatasource-c5gl/apply(_:animatingdifferences:completion:)>
  ///
  /// - Without animation, the view is reloaded.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool,
    completion: (() -> Void)? = nil
  ) {
    list.apply(snapshot.model, isAnimated: animatingDifferences, reloadsAll: !animatingDifferences) { path, item, _ in
      cellProvider(tableView!, NSTableColumn(), path[1], item)
    }
    completion?()
  }

  /// Not Apple's: the shown cells, by the ids of the items.
  public var cells: [ItemIdentifierType: NSView] { list.cells }

  /// Not Apple's: all applied snapshots.
  public var applied: [AppliedSnapshot<ItemIdentifierType>] { list.applied }
}
