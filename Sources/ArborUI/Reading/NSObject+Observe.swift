#if canImport(ObjectiveC) || APPLE_STUBS
  public import Arbor
  public import Foundation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension NSObject {
    /// Observes what a function reads, as the function ``ArborUI/observe(track:apply:)`` does.
    ///
    /// - A method, because in a class of `NSObject`, such as a view controller, `observe` means key-value observation, and
    ///   would hide that function.
    @MainActor
    public func observe<Value>(
      track: @escaping @MainActor () -> Value,
      apply: @escaping @MainActor (_ value: Value) -> Void
    ) -> StoreSubscription {
      ArborUI.observe(track: track, apply: apply)
    }
  }
#endif
