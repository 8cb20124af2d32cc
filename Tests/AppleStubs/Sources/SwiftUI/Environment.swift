/// <https://developer.apple.com/documentation/swiftui/environment>
@propertyWrapper
public struct Environment<Value> {
  /// <https://developer.apple.com/documentation/swiftui/environment/init(_:)-8slkf>
  public init(_ objectType: Value.Type) where Value: AnyObject & Observable {}

  /// <https://developer.apple.com/documentation/swiftui/environment/wrappedvalue>
  public var wrappedValue: Value { fatalError("Without a renderer there is no environment.") }
}

extension Environment: DynamicProperty {}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/environment(_:)-4516h>
  public nonisolated func environment<T: AnyObject & Observable>(_ object: T?) -> some View { self }
}
