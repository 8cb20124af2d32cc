internal import Foundation

/// The decoding of a value that was stored without some of its properties: these are taken from defaults.
///
/// - It is done once the coding has found that a key is missing. Only what a type asks for and must have is filled: no
///   optional, no entry of a dictionary, no element of an array.
final class Filling {
  private let coding: any StorageCoding
  let userInfo: [CodingUserInfoKey: Any]

  /// The objects that lacked something.
  private var incomplete: [FillingPlace] = []

  /// The defaults of types, as objects.
  private var typeDefaults: [ObjectIdentifier: FillingDefault] = [:]

  private init(_ coding: any StorageCoding, _ userInfo: [CodingUserInfoKey: Any]) {
    (self.coding, self.userInfo) = (coding, userInfo)
  }

  /// Decodes a value.
  ///
  /// - Parameter initial: The value whose properties are taken where the stored one lacks them; nil if there is none.
  /// - Returns: The value, and the paths of what it lacked, with `*` in the place of indexes.
  /// - Throws: `DecodingError` also if something is missing for which there is no default.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from data: Data,
    _ coding: any StorageCoding,
    over initial: (any Encodable)?
  ) throws -> (value: Value, filled: Set<String>) {
    try LargeStack.run {
      let stored = try coding.decode(ReadContent.self, from: data)
      let filling = Filling(coding, stored.userInfo)
      // The places keep this object alive: without them, nothing is left in a cycle.
      defer { filling.incomplete = [] }
      let initial = try initial.map { try FillingDefault(StoredContent(encoding: $0, coding)) }
      let value = try filling.value(type, stored.content, initial.map { [$0] } ?? [], [])
      for place in filling.incomplete { try place.requireThatAllIsRead() }
      return (value, Set(filling.incomplete.flatMap(\.filledPaths)))
    }
  }

  /// Decodes a value in the whole.
  ///
  /// - Parameters:
  ///   - defaults: The objects from which missing keys are taken, the first that has them.
  ///   - path: The path of the value in the whole.
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
        let text = "There is no \(type): \(StoredValueError.Reason(error))"
        throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: text))
      }
    }
    let place = FillingPlace(self, content, try self.defaults(of: type, defaults), path)
    return try type.init(from: place)
  }

  /// The defaults of a value: those that it has by its place, and then that of its type.
  private func defaults(of type: any Any.Type, _ defaults: [FillingDefault]) throws -> [FillingDefault] {
    // Keys of a dictionary are data: equal ones say nothing of the values.
    if type is any AnyDictionary.Type { return [] }
    guard let type = type as? any StoredDefaults.Type else { return defaults }
    let identifier = ObjectIdentifier(type)
    if let known = typeDefaults[identifier] { return defaults + [known] }
    let new = FillingDefault(try StoredContent(encoding: type.storedDefaults, coding))
    typeDefaults[identifier] = new
    return defaults + [new]
  }

  /// `true` for types for which a coding has a form of its own.
  private func isRead(byCoding type: any Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == Decimal.self || type == URL.self || type == Double.self
      || type == Float.self || type == Bool.self || type == String.self || type is any FixedWidthInteger.Type
      || type == [UInt8].self
  }

  func note(_ place: FillingPlace) { incomplete.append(place) }
}

/// Stored content with the `userInfo` of the decoder that has read it.
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

/// A type whose values may be stored without some of their properties: those of a default are taken instead.
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
/// - Elements of arrays, values of dictionaries, records of tables and values in actions need it; a part itself, and the
///   properties in it, are completed from the state into which is loaded. See <doc:VersionsAndMigrations>.
/// - A default is encoded when a stored value lacks a property, and not before.
public protocol StoredDefaults: Codable {
  /// A value with the properties that stored ones may lack.
  static var storedDefaults: Self { get }
}
