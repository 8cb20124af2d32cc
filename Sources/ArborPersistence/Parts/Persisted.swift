public import Arbor

/// A part of a state that is kept in a storage.
///
/// ```swift
/// let settings = Persisted(\AppState.settings, as: "settings")
/// let list = Persisted(
///   \AppState.list, as: "list", version: 2, migrations: [.from(1) { $0.rename("items.*.note", to: "title") }])
/// ```
///
/// - **The name** is what the part is found by: keep it when the property is renamed. A part that is no longer declared
///   is kept in the storage, and told.
/// - **The version** is that of the part's type. A stored older one is migrated; a newer one is refused. Migrations that do
///   not fit together stop the program when the part is declared.
/// - **A new property** with a default needs no new version. If a stored value lacks it, it is that of the state into which
///   is loaded; in elements of arrays, dictionaries and tables that of ``StoredDefaults``. <doc:KeepingAState> says exactly
///   what is completed.
/// - **What is unchanged is not written.** That is told by the stamp of an `EntityTable` or a `Stamped`, by `==`, or by
///   `removeDuplicates`; of any other type by its bytes, which takes an encoding. Of an `EntityTable` the changed records
///   are written, and not the whole.
/// - **Arbor stores a part when it differs by `==`.** A change that `==` does not see, as of a property that it leaves out or of
///   a `String`'s normal form alone, is not stored by itself, not even by `dispatchDurably(_:)`, and nothing tells of it: let
///   `==` see all that is to be kept. A ``Journal`` stores the action all the same.
/// - Between two saves the storage keeps the last saved value of a part that is compared by `==`: what a reducer changes
///   in a large array then is copied once for each save. Wrap it in `Stamped`, and compare by the stamp.
public struct Persisted<State: Sendable>: Sendable {
  /// The name of the part.
  public let name: String

  /// The version of the part's type.
  public let version: Int

  let part: any PersistedPart<State>

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - path: Leads to the part.
  ///   - name: The name under which it is stored; no other part of the storage may have it.
  ///   - version: The version of its type, from 1 on.
  ///   - migrations: Lead from older versions to this one; see ``Migration``.
  ///   - coding: Turns it into bytes and back; see ``StorageCoding``.
  ///   - duplicates: Finds states whose parts are equal, in place of the part's own `==`: `.by(\.$items)` compares the
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

/// A persisted part, whose type only it knows.
protocol PersistedPart<State>: Sendable {
  associatedtype State: Sendable

  /// The coding of new values.
  var coding: any StorageCoding { get }

  /// Reads a stored value into a state.
  ///
  /// - Returns: The paths of what it lacks, which is as it was in the state, or as the defaults of types say.
  func load(_ stored: StoredPart, into state: inout State) throws(StoredValueError) -> Set<String>

  /// The part of a state as a whole.
  func whole(_ state: State) throws -> StoredPart

  /// Copies the part from one state to another one.
  func copy(from old: State, to state: inout State)

  /// Makes a function that returns `true` if the part of another state differs from that of a state. It keeps the part.
  func makeChangeCheck(from state: State) -> (_ new: State) -> Bool

  /// Makes a comparison of the parts of states with what was saved last.
  func makeComparison() -> any PartComparison<State>
}

/// A comparison of a part with what was saved last. On the queue of its storage.
protocol PartComparison<State>: AnyObject {
  associatedtype State: Sendable

  /// `true` if the part is another one than what was saved last. Once that is so, it may stay so until it is saved.
  func isChanged(in state: State) -> Bool

  /// The change of the part since what was saved last; nil if there is none. The whole part if nothing was.
  func change(to state: State) throws -> PartChange?

  /// The part of a state as a whole.
  func whole(_ state: State) throws -> StoredPart

  /// Notes that the part of the state that was encoded last was saved.
  func didSave()

  /// Takes the part of a state for what was saved last.
  func begin(with state: State)
}
