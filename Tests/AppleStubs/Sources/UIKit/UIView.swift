public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiview>
@MainActor
open class UIView: NSObject {
  // The initializer of Apple's takes a frame; this one stands for it.
  public nonisolated override required init() { super.init() }
}

/// <https://developer.apple.com/documentation/uikit/uilabel>
open class UILabel: UIView {
  /// <https://developer.apple.com/documentation/uikit/uilabel/text>
  public var text: String?
}
