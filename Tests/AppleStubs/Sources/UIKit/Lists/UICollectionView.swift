public import Foundation

/// <https://developer.apple.com/documentation/uikit/uicollectionview>
open class UICollectionView: UIView {
  private var classes: [String: UICollectionViewCell.Type] = [:]

  /// The cell of the item that is being reconfigured.
  var existing: UICollectionViewCell?

  /// <https://developer.apple.com/documentation/uikit/uicollectionview/register(_:forcellwithreuseidentifier:)>
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    classes[identifier] = cellClass as? UICollectionViewCell.Type
  }

  /// <https://developer.apple.com/documentation/uikit/uicollectionview/dequeuereusablecell(withreuseidentifier:for:)>
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String,
    for indexPath: IndexPath
  ) -> UICollectionViewCell {
    existing ?? classes[identifier]!.init()
  }
}

/// <https://developer.apple.com/documentation/uikit/uicollectionviewcell>
open class UICollectionViewCell: UIView {}
