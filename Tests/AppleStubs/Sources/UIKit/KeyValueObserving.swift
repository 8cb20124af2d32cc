public import Foundation

// On Apple's systems, every object has this method. A call of any function `observe` in an object's methods finds it
// first.

/// <https://developer.apple.com/documentation/foundation/nskeyvalueobservation>
public final class NSKeyValueObservation {}

/// The protocol that gives `NSObject` its method, so that the key path has the caller's own type.
public protocol KeyValueObserving {}

extension KeyValueObserving {
  /// <https://developer.apple.com/documentation/swift/using-key-value-observing-in-swift>
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    changeHandler: @escaping @Sendable (Self, Value) -> Void
  ) -> NSKeyValueObservation { NSKeyValueObservation() }
}

extension NSObject: KeyValueObserving {}
