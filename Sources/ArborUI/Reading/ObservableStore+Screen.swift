#if canImport(SwiftUI)
  public import SwiftUI
#endif

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore: ScreenStore {
  #if canImport(SwiftUI)
    /// Returns a binding that reads and sets a property of this store.
    ///
    /// - Parameter property: The key path of the property.
    public func binding<Value>(to property: ReferenceWritableKeyPath<ObservableStore, Value>) -> Binding<Value> {
      Bindable(self)[dynamicMember: property]
    }
  #endif
}
