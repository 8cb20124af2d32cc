internal import Arbor

/// The source of values: Swift expressions that make equal values, bitwise identical where the language permits it.
///
/// - These can be written: numbers, texts, optionals, collections, ranges, tuples, structs and enums, and Foundation's
///   dates, data, URLs, UUIDs and decimals. Other types can provide their own source (``SwiftSourceConvertible``). Sets
///   and dictionaries are ordered by the source of their elements, so equal values have the same source.
/// - Other values are errors with their paths, and never a crash. These are objects, functions, values of private or
///   local types, and values with underscored properties or a custom mirror. Values more than 64 levels deep are errors,
///   too.
/// - The library's own types are written as calls. Tables are lists of their records, with calls that fill the manual
///   orders. Jobs are written as their verbs, and histories as their changes. The token of a held action is read from the
///   test's store.
/// - Mirrors don't show everything, so this is assumed; otherwise the test doesn't compile, or fails:
///   - A struct has an accessible memberwise initializer with all stored properties. It has no constants with initial
///     values, and no property wrappers except `Stamped`.
///   - A value with a raw value can be made from it.
///   - A case has several associated values, not a single tuple.
/// - Types are written without their modules, which the file imports. Foundation's types need `import Foundation`.
package enum SwiftLiteral {
  /// The maximum depth of a value that is written.
  static let depthLimit = 64

  /// Returns the expression of a value on one line.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The name of the value in errors.
  ///   - isTypeKnown: `true` if the context of the expression determines its type, as in an assignment.
  package static func source(
    of value: Any,
    at path: String = "value",
    isTypeKnown: Bool = true
  ) throws(SwiftSourceError) -> String {
    try text(of: value, at: LiteralPlace(path, isTypeKnown: isTypeKnown)).flat
  }

  static func text(of value: Any, at place: LiteralPlace) throws(SwiftSourceError) -> SourceText {
    guard place.depth <= depthLimit else {
      throw place.error("it is more than \(depthLimit) levels deep; set it manually in the test")
    }
    guard !Confidentiality.hides(value) else { throw hiddenError(type(of: value), at: place) }
    if let source = ownSource(of: value) {
      guard !Confidentiality.hidesPart(of: value) else { throw hiddenError(type(of: value), at: place) }
      return .plain(source)
    }
    if let value = value as? any SwiftWritten { return try value.text(at: place) }
    if let text = try tableText(of: value, at: place) { return text }
    let type = type(of: value)
    let mirror = Mirror(reflecting: value)
    let isEnum = mirror.displayStyle == .enum
    if !isEnum, let value = value as? any RawRepresentable {
      guard !Confidentiality.hidesPart(of: value) else { throw hiddenError(type, at: place) }
      return try text(ofRaw: value, at: place)
    }
    guard !(value is any CustomReflectable) else {
      throw place.error("its type \(type) has a custom mirror; \(convertible(type))")
    }
    switch mirror.displayStyle {
    case .enum: return try text(ofEnum: value, mirror, at: place)
    case .tuple: return .list(opening: "(", try items(of: mirror, at: place), closing: ")")
    case .struct where !isForeign(type):
      return .list(opening: try name(of: type, at: place) + "(", try items(of: mirror, at: place), closing: ")")
    case .class, .foreignReference: throw place.error("it is an instance of the class \(type); \(convertible(type))")
    default: throw place.error("the parts of a \(type) aren't known; \(convertible(type))")
    }
  }

  /// Returns the source that a value provides. An optional provides none, even if its content does.
  static func ownSource(of value: Any) -> String? {
    value is any OptionalValue ? nil : (value as? any SwiftSourceConvertible)?.swiftSource
  }

  private static func text(
    ofRaw value: some RawRepresentable,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> SourceText {
    let name = try name(of: type(of: value), at: place)
    let item = SourceText.Item(label: "rawValue: ", text: try text(of: value.rawValue, at: place.part("rawValue")))
    if value is any OptionSet { return .list(opening: name + "(", [item], closing: ")") }
    // Mirrors don't show if the initializer is failable. This compiles in both cases.
    return .list(opening: "(\(name)(", [item], closing: ") as \(name)?)!")
  }

  /// Returns the arguments of a memberwise initializer, or the elements of a tuple.
  private static func items(of mirror: Mirror, at place: LiteralPlace) throws(SwiftSourceError) -> [SourceText.Item] {
    var items: [SourceText.Item] = []
    for (index, child) in mirror.children.enumerated() {
      let label = child.label ?? ".\(index)"
      let isKnown = Mirror.isDeclared(asTypeOf: child.value)
      // Mirrors name unlabeled elements of a tuple ".0", ".1" and so on.
      guard !label.hasPrefix(".") else {
        let place = place.member(String(label.dropFirst())).with(isTypeKnown: isKnown)
        items.append(SourceText.Item(text: try text(of: child.value, at: place)))
        continue
      }
      let property = try StoredProperty(label, child.value, at: place)
      let value = try text(of: property.value, at: place.member(property.name).with(isTypeKnown: isKnown))
      items.append(SourceText.Item(label: "\(Identifier.label(property.name)): ", text: value))
    }
    return items
  }

  private static func text(
    ofEnum value: Any,
    _ mirror: Mirror,
    at place: LiteralPlace
  ) throws(SwiftSourceError) -> SourceText {
    let type = type(of: value)
    let child = mirror.children.first
    if child == nil, value is any CustomStringConvertible || value is any CustomDebugStringConvertible {
      // The custom description may be any text, and it is the only way to get the name of the case.
      guard let raw = value as? any RawRepresentable else {
        throw place.error(
          "its type \(type) has a custom description, so the case is unknown; \(convertible(type))")
      }
      return try text(ofRaw: raw, at: place)
    }
    let name = child.map { $0.label ?? "" } ?? String(describing: value)
    let isMistakable = place.optionals > 0 && (name == "none" || name == "some") || place.optionals > 1
    let needsType = !place.isTypeKnown || isMistakable
    let opening = (needsType ? try self.name(of: type, at: place) : "") + "." + Identifier.member(name)
    guard let child else { return .plain(opening) }
    let payload = Mirror(reflecting: child.value)
    let inside = place.part(name)
    let isKnown = Mirror.isDeclared(asTypeOf: child.value)
    guard payload.displayStyle == .tuple, !payload.children.isEmpty else {
      let item = SourceText.Item(text: try text(of: child.value, at: inside.with(isTypeKnown: isKnown)))
      return .list(opening: opening + "(", [item], closing: ")")
    }
    return .list(opening: opening + "(", try items(of: payload, at: inside), closing: ")")
  }

  // MARK: Types

  /// Returns the name of a type. Throws if another file can't use the type.
  static func name(of type: Any.Type, at place: LiteralPlace) throws(SwiftSourceError) -> String {
    if let name = SwiftTypeName.of(type) { return name }
    throw place.error("its type \(type) is private or local; declare it where the test can name it")
  }

  /// Returns `true` for types of the language's own libraries, whose mirrors don't show how to make a value.
  static func isForeign(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch."].contains { name.hasPrefix($0) }
  }

  private static func hiddenError(_ type: Any.Type, at place: LiteralPlace) -> SwiftSourceError {
    place.error("values of \(type) are confidential or contain a confidential part; begin the recording without them")
  }

  private static func convertible(_ type: Any.Type) -> String { "make \(type) conform to SwiftSourceConvertible" }
}
