/// An observable object that SwiftUI keeps for the identity of a view.
///
/// - <https://developer.apple.com/documentation/swiftui/stateobject>
@MainActor
@preconcurrency
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  fileprivate final class Storage {
    var make: () -> ObjectType
    lazy var object = make()

    init(_ make: @escaping () -> ObjectType) {
      self.make = make
    }
  }

  fileprivate let storage: Storage

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
}

extension StateObject: KeptProperty {
  fileprivate func take(from other: any KeptProperty) {
    storage.object = (other as! StateObject).storage.object
  }
}

/// A property whose value SwiftUI keeps for the identity of a view.
@MainActor
private protocol KeptProperty {
  func take(from other: any KeptProperty)
}

/// Passes the values that SwiftUI keeps for a view from one value of the view to the next, as SwiftUI does before it
/// reads a body. Only in this stub.
@MainActor
public func keepIdentity<Value>(of old: Value, in new: Value) {
  for (old, new) in zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children) {
    if let old = old.value as? any KeptProperty, let new = new.value as? any KeptProperty {
      new.take(from: old)
    } else {
      keepIdentity(of: old.value, in: new.value)
    }
  }
}
