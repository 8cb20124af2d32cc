/// The place of a value in what is written.
struct LiteralPlace {
  /// The way to the value, for errors.
  let path: String

  /// `true` if the type is known where the expression stands.
  var isTypeKnown = true

  /// The number of optionals around the value that are not written.
  var optionals = 0
  private(set) var depth = 0

  /// `true` in a closure of a test, where `store` is the test store.
  var hasStore = false

  init(_ path: String, isTypeKnown: Bool = true) {
    self.path = path
    self.isTypeKnown = isTypeKnown
  }

  /// The place of a property, or of a part of a case's payload.
  func member(_ name: String) -> LiteralPlace { inside("\(path).\(name)") }

  /// The place of an element.
  func element(_ key: String) -> LiteralPlace { inside("\(path)[\(key)]") }

  /// The place of what an optional holds.
  func unwrapped(isTypeKnown: Bool) -> LiteralPlace {
    var place = inside(path)
    place.isTypeKnown = isTypeKnown
    place.optionals = isTypeKnown ? optionals + 1 : 0
    return place
  }

  /// The same place, whose type is known or is not.
  func with(isTypeKnown: Bool) -> LiteralPlace {
    var place = self
    place.isTypeKnown = isTypeKnown
    return place
  }

  func error(_ reason: String) -> SwiftSourceError { SwiftSourceError(at: path, reason) }

  private func inside(_ path: String) -> LiteralPlace {
    var place = LiteralPlace(path)
    place.depth = depth + 1
    place.hasStore = hasStore
    return place
  }
}
