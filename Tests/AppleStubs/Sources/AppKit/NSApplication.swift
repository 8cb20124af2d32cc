/// <https://developer.apple.com/documentation/appkit/nsapplication>
@MainActor
open class NSApplication {
  /// <https://developer.apple.com/documentation/appkit/nsapplication/shared>
  public static let shared = NSApplication()

  /// <https://developer.apple.com/documentation/appkit/nsapplication/activationpolicy-swift.enum>
  public enum ActivationPolicy: Int, Sendable {
    /// <https://developer.apple.com/documentation/appkit/nsapplication/activationpolicy-swift.enum/regular>
    case regular
  }

  /// <https://developer.apple.com/documentation/appkit/nsapplication/setactivationpolicy(_:)>
  @discardableResult
  open func setActivationPolicy(_ activationPolicy: ActivationPolicy) -> Bool { true }

  /// <https://developer.apple.com/documentation/appkit/nsapplication/activate()>
  open func activate() {}
}
