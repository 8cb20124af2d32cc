public import Arbor

/// A part of a state that is kept in a storage.
///
/// ```swift
/// let settings = Persisted(\AppState.settings, as: "settings")
/// let list = Persisted(
///   \AppState.list, as: "list", version: 2, migrations: [.from(1) { $0.rename("items.*.note", to: "title") }])
/// ```
///
/// - **The name** identifies the part in the storage: keep it when you rename the property. A part that is no longer
///   declared stays in the storage and is reported.
/// - **The version** counts the changes to the part's type. Older stored values are migrated; newer ones are refused.
///   The program stops at the declaration if the migrations don't form a chain.
/// - **A new property** with a default needs no new version. If a stored value lacks the property, it keeps its value
///   from the state that you load into. In elements of arrays, dictionaries and tables, it takes its value from
///   ``StoredDefaults``. <doc:VersionsAndMigrations> has the exact rules.
/// - **Only changes are written.** A change shows in the stamp of an `EntityTable` or a `Stamped`, in `==`, or in
///   `removeDuplicates`. A value of any other type must be encoded to compare its bytes. For an `EntityTable`, only the
///   changed records are written.
/// - **A change that `==` doesn't detect isn't stored**, such as a change to a property that `==` ignores, or to a
///   `String`'s normal form. Not even `dispatchDurably(_:)` stores it, and nothing is reported. So let `==` compare
///   everything that must be stored. A ``Journal`` does store the action.
/// - Between two saves, the storage keeps the last saved value of a part that it compares by `==`. So a reducer that
///   changes a large array copies it once per save. To avoid that, wrap the array in `Stamped` and compare by the
///   stamp.
public struct Persisted<State: Sendable>: Sendable {
  /// The name of the part.
  public let name: String

  /// The version of the part's type.
  public let version: Int

  let part: any PersistedPart<State>

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - path: The key path of the part.
  ///   - name: The name under which the part is stored. It must be unique in the storage.
  ///   - version: The version of the part's type, at least 1.
  ///   - migrations: The migrations from older versions; see ``Migration``.
  ///   - coding: Converts the part to bytes and back; see ``StorageCoding``.
  ///   - duplicates: Finds states whose parts are equal, instead of the part's own `==`: `.by(\.$items)` compares the
  ///     stamp of a `Stamped`. Called on a queue of the storage; it must not wait for a store or a storage.
  public init<Value: Codable & Sendable>(
    _ path: any WritableKeyPath<State, Value> & Sendable,
    as name: String,
    version: Int = 1,
    migrations: [Migration] = [],
    coding: any StorageCoding = .json,
    removeDuplicates duplicates: Equating<State>? = nil
  ) {
    self.name = name
    self.version = version
    part = TypedPart(
      path: path,
      name: name,
      version: version,
      migrations: MigrationChain(migrations, to: Value.self, version: version, of: name),
      coding: coding,
      duplicates: duplicates
    )
  }
}

/// A persisted part whose type is erased.
protocol PersistedPart<State>: Sendable {
  associatedtype State: Sendable

  /// The coding of new values.
  var coding: any StorageCoding { get }

  /// Reads a stored value into a state.
  ///
  /// - Returns: The paths of its missing properties, which keep their values from the state, or are taken from
  ///   defaults.
  func load(_ stored: StoredPart, into state: inout State) throws(StoredValueError) -> Set<String>

  /// Returns the complete part of a state.
  func whole(_ state: State) throws -> StoredPart

  /// Copies the part from one state to another one.
  func copy(from old: State, to state: inout State)

  /// Returns `true` if the parts of two states are unequal by `==` and have different bytes; `false` if their type has
  /// no `==`.
  func isUnequal(_ left: State, _ right: State) -> Bool

  /// Makes a function that returns `true` if another state's part differs from this state's. It keeps this state's
  /// part.
  func makeChangeCheck(from state: State) -> (_ new: State) -> Bool

  /// Makes a comparison of states with the part that was saved last.
  func makeComparison() -> any PartComparison<State>
}

/// A comparison with the part that was saved last. Used on the queue of its storage.
protocol PartComparison<State>: AnyObject {
  associatedtype State: Sendable

  /// Returns `true` if the part differs from the part that was saved last. Afterward, it may return `true` until the
  /// part is saved.
  func isChanged(in state: State) -> Bool

  /// Returns the change to the part since the last save; nil if there is none. The complete part if nothing was saved.
  func change(to state: State) throws -> PartChange?

  /// Returns the complete part of a state.
  func whole(_ state: State) throws -> StoredPart

  /// Records that the last encoded part was saved.
  func didSave()

  /// Treats the part of a state as the one that was saved last.
  func begin(with state: State)
}
