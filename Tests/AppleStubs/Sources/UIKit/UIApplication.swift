public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiapplication>
@MainActor
open class UIApplication {
  /// <https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification>
  public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActive")

  /// <https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification>
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
}
