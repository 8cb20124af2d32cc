/// Makes bindings to the properties of an observable object.
///
/// - <https://developer.apple.com/documentation/swiftui/bindable>
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value: AnyObject & Observable> {
  /// <https://developer.apple.com/documentation/swiftui/bindable/wrappedvalue>
  public var wrappedValue: Value

  /// <https://developer.apple.com/documentation/swiftui/bindable/init(wrappedvalue:)>
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// <https://developer.apple.com/documentation/swiftui/bindable/init(_:)>
  public init(_ wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// <https://developer.apple.com/documentation/swiftui/bindable/projectedvalue>
  public var projectedValue: Bindable { self }

  /// <https://developer.apple.com/documentation/swiftui/bindable/subscript(dynamicmember:)>
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding(wrappedValue, keyPath)
  }
}
