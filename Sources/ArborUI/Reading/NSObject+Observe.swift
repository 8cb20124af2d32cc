#if canImport(ObjectiveC) || APPLE_STUBS
  public import Arbor
  public import Foundation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension NSObject {
    /// Calls `apply` with the value of `track` now and after each change, like ``ArborUI/observe(track:apply:)``.
    ///
    /// - It is a method, because in subclasses of `NSObject`, such as view controllers, `observe` means key-value
    ///   observation and would hide the function.
    /// - Parameters:
    ///   - track: Reads the value, and is called again after each change to a part that it has read.
    ///   - apply: Called on the main actor with each value.
    @MainActor
    public func observe<Value>(
      track: @escaping @MainActor () -> Value,
      apply: @escaping @MainActor (_ value: Value) -> Void
    ) -> StoreSubscription {
      ArborUI.observe(track: track, apply: apply)
    }
  }
#endif
