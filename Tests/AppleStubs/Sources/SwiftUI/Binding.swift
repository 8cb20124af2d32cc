/// A value that a view reads and writes, and that is stored elsewhere.
///
/// - <https://developer.apple.com/documentation/swiftui/binding>
/// - Two bindings are equal, as in SwiftUI, if they have the same object and the same key path.
@frozen
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  /// The object and the key path, by which this stub compares two bindings.
  public struct Location: Hashable {
    let object: ObjectIdentifier
    let path: AnyKeyPath
  }

  /// Nil if the binding was made from two closures, which cannot be compared.
  public let location: Location?
  private let read: () -> Value
  private let write: (Value) -> Void

  init(location: Location?, read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.location = location
    self.read = read
    self.write = write
  }

  /// <https://developer.apple.com/documentation/swiftui/binding/init(get:set:)-7ufcp>
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    fatalError("two closures are never equal: the library makes no such binding")
  }

  /// <https://developer.apple.com/documentation/swiftui/binding/constant(_:)>
  public static func constant(_ value: Value) -> Binding {
    Binding(location: nil, read: { value }, write: { _ in })
  }

  /// <https://developer.apple.com/documentation/swiftui/binding/wrappedvalue>
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// <https://developer.apple.com/documentation/swiftui/binding/projectedvalue>
  public var projectedValue: Binding { self }

  /// <https://developer.apple.com/documentation/swiftui/binding/subscript(dynamicmember:)>
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      location: location.flatMap { location in
        location.path.appending(path: keyPath).map { Binding<Subject>.Location(object: location.object, path: $0) }
      },
      read: { self.wrappedValue[keyPath: keyPath] },
      write: { self.wrappedValue[keyPath: keyPath] = $0 }
    )
  }
}

extension Binding {
  /// The binding of a property of an object.
  init<Root: AnyObject>(_ root: Root, _ path: ReferenceWritableKeyPath<Root, Value>) {
    self.init(
      location: Location(object: ObjectIdentifier(root), path: path),
      read: { root[keyPath: path] },
      write: { root[keyPath: path] = $0 }
    )
  }
}

extension Binding: Identifiable where Value: Identifiable {
  /// <https://developer.apple.com/documentation/swiftui/binding/id>
  public var id: Value.ID { wrappedValue.id }
}
