/// An observable object that SwiftUI keeps for the identity of a view.
///
/// - <https://developer.apple.com/documentation/swiftui/stateobject>
/// - In this stub a view's identity is what ``keep(from:)`` carries from one value of the view to the
///   next.
@MainActor
@preconcurrency
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  final class Storage {
    private let make: () -> ObjectType
    private(set) lazy var object = make()

    init(_ make: @escaping () -> ObjectType) {
      self.make = make
    }
  }

  var storage: Storage

  /// <https://developer.apple.com/documentation/swiftui/stateobject/init(wrappedvalue:)>
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    storage = Storage(thunk)
  }

  /// <https://developer.apple.com/documentation/swiftui/stateobject/wrappedvalue>
  public var wrappedValue: ObjectType { storage.object }

  /// <https://developer.apple.com/documentation/swiftui/stateobject/projectedvalue>
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject(wrappedValue: wrappedValue).projectedValue
  }

  /// Takes the object over that SwiftUI keeps for the view, as SwiftUI does before it asks a new value for its body.
  public mutating func keep(from other: StateObject) {
    storage = other.storage
  }
}
