/// A record that is kept when it has been deleted: as it was last, and that it is gone.
@dynamicMemberLookup
public struct KeptEntity<Element: Sendable>: Sendable {
  /// The record now, or as it was last.
  public let value: Element

  /// `true` if it is not in its table any more.
  public let isDeleted: Bool

  /// Makes one by hand, for tests and previews of what takes it.
  ///
  /// - Parameters:
  ///   - value: The record now, or as it was last.
  ///   - isDeleted: `true` if the record is not in its table any more.
  @inlinable
  public init(_ value: Element, isDeleted: Bool = false) {
    self.value = value
    self.isDeleted = isDeleted
  }

  /// A property of the record.
  ///
  /// - Parameter keyPath: The key path of the property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> Value {
    value[keyPath: keyPath]
  }
}

extension KeptEntity: Equatable where Element: Equatable {}
