public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiview>
@MainActor
open class UIView: NSObject {
  // Apple's initializer takes a frame; this one replaces it.
  public nonisolated override required init() { super.init() }
}

/// <https://developer.apple.com/documentation/uikit/uilabel>
open class UILabel: UIView {
  /// <https://developer.apple.com/documentation/uikit/uilabel/text>
  public var text: String?
}
