public import Foundation

/// <https://developer.apple.com/documentation/appkit/nscollectionviewdiffabledatasource-axww>
open class NSCollectionViewDiffableDataSource<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable>: NSObject {
  /// <https://developer.apple.com/documentation/appkit/nscollectionviewdiffabledatasource-axww/itemprovider>
  public typealias ItemProvider = (
    _ collectionView: NSCollectionView,
    _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> NSCollectionViewItem?

  private let list = DiffableList<SectionIdentifierType, ItemIdentifierType, NSCollectionViewItem>()
  private weak var collectionView: NSCollectionView?
  private let itemProvider: ItemProvider

  /// <https://developer.apple.com/documentation/appkit/nscollectionviewdiffabledatasource-axww/init(collectionview:itemprovider:)>
  public init(collectionView: NSCollectionView, itemProvider: @escaping ItemProvider) {
    self.collectionView = collectionView
    self.itemProvider = itemProvider
    super.init()
  }

  /// <https://developer.apple.com/documentation/appkit/nscollectionviewdiffabledatasource-axww/snapshot()>
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot(list.snapshot)
  }

  /// <https://developer.apple.com/documentation/appkit/nscollectionviewdiffabledatasource-axww/apply(_:animatingdifferences:completion:)>
  ///
  /// - Without animation, the view is reloaded.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {
    list.apply(snapshot.model, isAnimated: animatingDifferences, reloadsAll: !animatingDifferences) { path, item, _ in
      itemProvider(collectionView!, path, item)!
    }
    completion?()
  }

  /// Not Apple's: the shown cells, by the ids of the items.
  public var cells: [ItemIdentifierType: NSCollectionViewItem] { list.cells }

  /// Not Apple's: all applied snapshots.
  public var applied: [AppliedSnapshot<ItemIdentifierType>] { list.applied }
}
