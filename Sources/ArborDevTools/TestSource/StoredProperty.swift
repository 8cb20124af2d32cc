internal import Arbor

/// A stored property as the memberwise initializer and an assignment name it.
struct StoredProperty {
  let name: String
  let value: Any

  /// Finds the property of a mirror's child.
  init(_ label: String, _ value: Any, at place: LiteralPlace) throws(SwiftSourceError) {
    if label.hasPrefix("_"), let stamped = value as? any StampedContent {
      name = String(label.dropFirst())
      self.value = stamped.content
      return
    }
    guard !label.hasPrefix("_"), !label.hasPrefix("$") else {
      throw place.member(label).error(
        "it is private storage, or that of a wrapper; write its type by SwiftSourceConvertible")
    }
    name = label
    self.value = value
  }
}

/// The content of a `Stamped` property.
private protocol StampedContent {
  var content: Any { get }
}

extension Stamped: StampedContent {
  fileprivate var content: Any { wrappedValue }
}
