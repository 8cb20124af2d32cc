public import Foundation

/// <https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa>
@MainActor
@preconcurrency
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable,
  ItemIdentifierType: Hashable & Sendable
>: NSObject {
  /// <https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa/cellprovider>
  public typealias CellProvider = (
    _ collectionView: UICollectionView,
    _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?

  private let list = DiffableList<SectionIdentifierType, ItemIdentifierType, UICollectionViewCell>()
  private weak var collectionView: UICollectionView?
  private let cellProvider: CellProvider

  /// <https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa/init(collectionview:cellprovider:)>
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    self.collectionView = collectionView
    self.cellProvider = cellProvider
    super.init()
  }

  /// <https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa/snapshot()>
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot(list.snapshot)
  }

  /// <https://developer.apple.com/documentation/uikit/uicollectionviewdiffabledatasource-9tqpa/apply(_:animatingdifferences:completion:)>
  ///
  /// - Since iOS 15, the difference is computed without animation too: only the necessary cells are made again.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {
    list.apply(snapshot.model, isAnimated: animatingDifferences, reloadsAll: false) { path, item, existing in
      collectionView!.existing = existing
      defer { collectionView?.existing = nil }
      return cellProvider(collectionView!, path, item)!
    }
    completion?()
  }

  /// Not Apple's: the shown cells, by the ids of the items.
  public var cells: [ItemIdentifierType: UICollectionViewCell] { list.cells }

  /// Not Apple's: all applied snapshots.
  public var applied: [AppliedSnapshot<ItemIdentifierType>] { list.applied }
}
