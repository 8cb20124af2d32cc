public import Foundation

/// <https://developer.apple.com/documentation/uikit/uitableview>
open class UITableView: UIView {
  private var classes: [String: UITableViewCell.Type] = [:]

  /// The cell of the item that is being reconfigured.
  var existing: UITableViewCell?

  /// <https://developer.apple.com/documentation/uikit/uitableview/register(_:forcellreuseidentifier:)>
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    classes[identifier] = cellClass as? UITableViewCell.Type
  }

  /// <https://developer.apple.com/documentation/uikit/uitableview/dequeuereusablecell(withidentifier:for:)>
  open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    existing ?? classes[identifier]!.init()
  }
}

/// <https://developer.apple.com/documentation/uikit/uitableviewcell>
open class UITableViewCell: UIView {
  /// <https://developer.apple.com/documentation/uikit/uitableviewcell/contentconfiguration>
  public var contentConfiguration: (any UIContentConfiguration)?

  /// <https://developer.apple.com/documentation/uikit/uitableviewcell/defaultcontentconfiguration()>
  public func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

/// <https://developer.apple.com/documentation/uikit/uicontentconfiguration>
@MainActor
public protocol UIContentConfiguration {}

/// <https://developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct>
public struct UIListContentConfiguration: UIContentConfiguration {
  /// <https://developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct/text>
  public var text: String?
}

/// <https://developer.apple.com/documentation/uikit/uitableviewcontroller>
open class UITableViewController: UIViewController {
  /// <https://developer.apple.com/documentation/uikit/uitableviewcontroller/tableview>
  public var tableView: UITableView! = UITableView()
}
