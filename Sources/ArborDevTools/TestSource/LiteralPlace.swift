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

  /// The types whose values are not written.
  private let hidden: HiddenTypes

  init(_ path: String, isTypeKnown: Bool = true, hiding hidden: HiddenTypes = HiddenTypes()) {
    self.path = path
    self.isTypeKnown = isTypeKnown
    self.hidden = hidden
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

  /// `true` if a value is of a type whose values are not written.
  func hides(_ value: Any) -> Bool { hidden.contain(value) }

  /// `true` if a value is of such a type, or may have one inside that its own source would show.
  func hidesPart(of value: Any) -> Bool {
    !hidden.isEmpty && RecordedValue.reflecting(value, hiding: hidden).hasGaps
  }

  func error(_ reason: String) -> SwiftSourceError { SwiftSourceError(at: path, reason) }

  private func inside(_ path: String) -> LiteralPlace {
    var place = LiteralPlace(path, hiding: hidden)
    place.depth = depth + 1
    place.hasStore = hasStore
    return place
  }
}
