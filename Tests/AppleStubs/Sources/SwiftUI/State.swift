/// A value that SwiftUI keeps for the identity of a view.
///
/// - <https://developer.apple.com/documentation/swiftui/state>
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private final class Storage {
    var value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private let storage: Storage

  /// <https://developer.apple.com/documentation/swiftui/state/init(wrappedvalue:)>
  public init(wrappedValue value: Value) {
    storage = Storage(value)
  }

  /// <https://developer.apple.com/documentation/swiftui/state/wrappedvalue>
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// <https://developer.apple.com/documentation/swiftui/state/projectedvalue>
  public var projectedValue: Binding<Value> { Binding(storage, \.value) }
}
