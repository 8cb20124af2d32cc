internal import Foundation

/// The decoding of a value that was stored without some of its properties, which are taken from defaults.
///
/// - It is used when the coding finds that a key is missing. It only fills in values that a type requires: no
///   optionals, no entries of dictionaries, and no elements of arrays.
final class Filling {
  private let coding: any StorageCoding
  let userInfo: [CodingUserInfoKey: Any]

  /// The objects that lacked properties.
  private var incomplete: [FillingPlace] = []

  /// The defaults of types, as objects.
  private var typeDefaults: [ObjectIdentifier: FillingDefault] = [:]

  private init(_ coding: any StorageCoding, _ userInfo: [CodingUserInfoKey: Any]) {
    (self.coding, self.userInfo) = (coding, userInfo)
  }

  /// Decodes a value.
  ///
  /// - Parameter initial: The value that provides missing properties; nil if there is none.
  /// - Returns: The value, and the paths of its missing properties, with `*` in place of indexes.
  /// - Throws: The errors of the coding, and `DecodingError` if a missing property has no default.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from data: Data,
    _ coding: any StorageCoding,
    over initial: (any Encodable)?
  ) throws -> (value: Value, filled: Set<String>) {
    try LargeStack.run {
      let stored = try coding.decode(ReadContent.self, from: data)
      let filling = Filling(coding, stored.userInfo)
      // Breaks the cycle of references between the places and this object.
      defer { filling.incomplete = [] }
      let initial = try initial.map { try FillingDefault(StoredContent(encoding: $0, coding)) }
      let value = try filling.value(type, stored.content, initial.map { [$0] } ?? [], [])
      for place in filling.incomplete { try place.requireThatAllIsRead() }
      return (value, Set(filling.incomplete.flatMap(\.filledPaths)))
    }
  }

  /// Decodes a value inside the whole value.
  ///
  /// - Parameters:
  ///   - defaults: The objects that provide missing keys, in order of priority.
  ///   - path: The path of the value in the whole value.
  func value<Value: Decodable>(
    _ type: Value.Type,
    _ content: StoredContent,
    _ defaults: [FillingDefault],
    _ path: [any CodingKey]
  ) throws -> Value {
    if let plain = content.plain(type) { return plain }
    if content.isSingle, isRead(byCoding: type) {
      do {
        return try content.decoded(as: type, coding)
      } catch {
        let text = "The value cannot be decoded as \(type): \(StoredValueError.Reason(error))"
        throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: text))
      }
    }
    let place = FillingPlace(self, content, try self.defaults(of: type, defaults), path)
    return try type.init(from: place)
  }

  /// Returns the defaults of a value: first the ones for its place, and then the one of its type.
  private func defaults(of type: any Any.Type, _ defaults: [FillingDefault]) throws -> [FillingDefault] {
    // The keys of a dictionary are data, so a value can't be the default of another value with an equal key.
    if type is any AnyDictionary.Type { return [] }
    guard let type = type as? any StoredDefaults.Type else { return defaults }
    let identifier = ObjectIdentifier(type)
    if let known = typeDefaults[identifier] { return defaults + [known] }
    let new = FillingDefault(try StoredContent(encoding: type.storedDefaults, coding))
    typeDefaults[identifier] = new
    return defaults + [new]
  }

  /// Returns `true` for types that a coding may write in its own form.
  private func isRead(byCoding type: any Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == Decimal.self || type == URL.self || type == Double.self
      || type == Float.self || type == Bool.self || type == String.self || type is any FixedWidthInteger.Type
      || type == [UInt8].self
  }

  func note(_ place: FillingPlace) { incomplete.append(place) }
}

/// Stored content, and the `userInfo` of the decoder that has read it.
private struct ReadContent: Decodable {
  let content: StoredContent
  let userInfo: [CodingUserInfoKey: Any]

  init(from decoder: any Decoder) throws {
    content = try StoredContent(from: decoder)
    userInfo = decoder.userInfo
  }
}

private protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}

/// A type whose values may be stored without some of their properties, which are then taken from a default.
///
/// ```swift
/// struct Todo: Codable {
///   var title: String
///   var isUrgent = false  // new in this version of the program
/// }
/// extension Todo: StoredDefaults {
///   static let storedDefaults = Todo(title: "")
/// }
/// ```
///
/// - Elements of arrays, values of dictionaries, records of tables and values in actions need it. A part itself, and
///   its properties, are completed from the state that you load into. See <doc:VersionsAndMigrations>.
/// - A default is only encoded when a stored value lacks a property.
public protocol StoredDefaults: Codable {
  /// A value that provides the properties missing in stored values.
  static var storedDefaults: Self { get }
}
