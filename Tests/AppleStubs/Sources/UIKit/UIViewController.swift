public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@MainActor
open class UIViewController: NSObject {
  // Apple's initializer takes a nib and a bundle; this one replaces it.
  public nonisolated override init() { super.init() }

  /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()>
  open func viewDidLoad() {}

  /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/loadviewifneeded()>
  public func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    isViewLoaded = true
    viewDidLoad()
  }

  /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/isviewloaded>
  public private(set) var isViewLoaded = false
}
