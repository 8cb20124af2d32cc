/// An observable object that is stored elsewhere.
///
/// - <https://developer.apple.com/documentation/swiftui/observedobject>
@MainActor
@preconcurrency
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  /// <https://developer.apple.com/documentation/swiftui/observedobject/wrapper>
  @MainActor
  @preconcurrency
  @dynamicMemberLookup
  public struct Wrapper {
    let root: ObjectType

    /// <https://developer.apple.com/documentation/swiftui/observedobject/wrapper/subscript(dynamicmember:)>
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject>
    {
      Binding(root, keyPath)
    }
  }

  /// <https://developer.apple.com/documentation/swiftui/observedobject/wrappedvalue>
  public var wrappedValue: ObjectType

  /// <https://developer.apple.com/documentation/swiftui/observedobject/init(wrappedvalue:)>
  public init(wrappedValue: ObjectType) {
    self.wrappedValue = wrappedValue
  }

  /// <https://developer.apple.com/documentation/swiftui/observedobject/projectedvalue>
  public var projectedValue: Wrapper { Wrapper(root: wrappedValue) }
}
