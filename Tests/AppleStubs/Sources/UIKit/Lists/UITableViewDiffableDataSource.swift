public import Foundation

/// <https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir>
@MainActor
@preconcurrency
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable,
  ItemIdentifierType: Hashable & Sendable
>: NSObject {
  /// <https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir/cellprovider>
  public typealias CellProvider = (
    _ tableView: UITableView,
    _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> UITableViewCell?

  private let list = DiffableList<SectionIdentifierType, ItemIdentifierType, UITableViewCell>()
  private weak var tableView: UITableView?
  private let cellProvider: CellProvider

  /// <https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir/init(tableview:cellprovider:)>
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
    self.tableView = tableView
    self.cellProvider = cellProvider
    super.init()
  }

  /// <https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir/snapshot()>
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot(list.snapshot)
  }

  /// <https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource-2euir/apply(_:animatingdifferences:completion:)>
  ///
  /// - Since iOS 15, the difference is computed without animation too: only the necessary cells are made again.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {
    list.apply(snapshot.model, isAnimated: animatingDifferences, reloadsAll: false) { path, item, existing in
      tableView!.existing = existing
      defer { tableView?.existing = nil }
      return cellProvider(tableView!, path, item)!
    }
    completion?()
  }

  /// Not Apple's: the shown cells, by the ids of the items.
  public var cells: [ItemIdentifierType: UITableViewCell] { list.cells }

  /// Not Apple's: all applied snapshots.
  public var applied: [AppliedSnapshot<ItemIdentifierType>] { list.applied }
}
