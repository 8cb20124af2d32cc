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
///   properties in it, are completed from the state into which is loaded. See <doc:KeepingAState>.
/// - A default is encoded when a stored value lacks a property, and not before.
public protocol StoredDefaults: Codable {
  /// A value with the properties that stored ones may lack.
  static var storedDefaults: Self { get }
}
