/// The place of a value in the written source.
struct LiteralPlace {
  /// The path of the value, for errors.
  private(set) var path: String

  /// `true` if the context of the expression determines its type.
  var isTypeKnown = true

  /// The number of optionals around the value that aren't written.
  var optionals = 0
  private(set) var depth = 0

  /// The expression that reads the value from the test store; nil if there is none.
  private(set) var access: String?

  /// The variable that a statement assigns.
  private(set) var target = ""

  /// `true` in a closure of a test, which may throw errors.
  private(set) var canThrow = false

  /// `true` if a history shows its recorded documents, which aren't redacted.
  var showsPast = true

  /// The types whose values are assigned as a whole, because their properties are constants.
  var wholeTypes: [Any.Type] = []

  init(_ path: String, isTypeKnown: Bool = true) {
    self.path = path
    self.isTypeKnown = isTypeKnown
  }

  /// Returns the place of a property.
  func member(_ name: String) -> LiteralPlace {
    // The name of a tuple's element can be a number.
    inside("\(path).\(name)", access: ".\(Int(name) == nil ? Identifier.member(name) : name)")
  }

  /// Returns the place of a case's payload, or of another part that no expression reads.
  func part(_ name: String) -> LiteralPlace { inside("\(path).\(name)", access: nil, target: ".\(name)") }

  /// Returns the place of an element.
  ///
  /// - Parameter access: The subscript that reads the element; nil if there is none.
  func element(_ key: String, access: String?) -> LiteralPlace { inside("\(path)[\(key)]", access: access) }

  /// Returns the place of an optional's content.
  func unwrapped(isTypeKnown: Bool) -> LiteralPlace {
    var place = inside(path, access: "!", target: "?")
    place.isTypeKnown = isTypeKnown
    place.optionals = isTypeKnown ? optionals + 1 : 0
    return place
  }

  /// Returns the same place with a type that is known or unknown.
  func with(isTypeKnown: Bool) -> LiteralPlace {
    var place = self
    place.isTypeKnown = isTypeKnown
    return place
  }

  /// Returns the same place; its type is known if it is the type that a declaration with the value infers.
  func declaring<Declared>(_ value: Declared) -> LiteralPlace {
    with(isTypeKnown: DeclaredType.isThat(of: value))
  }

  /// Returns the same place in the closure of a test, which can access the test store and throw errors.
  func inTest() -> LiteralPlace {
    var place = self
    (place.access, place.canThrow) = ("store.\(path)", true)
    return place.assigning("$0")
  }

  /// Returns the same place in a closure that makes a value, which must not throw.
  func inValue(_ name: String) -> LiteralPlace {
    var place = assigning(name)
    place.canThrow = false
    return place
  }

  /// Returns the same place, assigned through the name of a variable.
  func assigning(_ name: String) -> LiteralPlace {
    var place = self
    place.target = name
    return place
  }

  func error(_ reason: String) -> SwiftSourceError { SwiftSourceError(at: path, reason) }

  private func inside(_ path: String, access suffix: String?, target: String? = nil) -> LiteralPlace {
    var place = self
    (place.path, place.isTypeKnown, place.optionals) = (path, true, 0)
    place.depth += 1
    place.access = suffix.flatMap { suffix in access.map { $0 + suffix } }
    place.target += target ?? suffix ?? ""
    return place
  }
}
