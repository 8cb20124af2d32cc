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
/// - **The version** counts the changes of the part's type. Older stored values are migrated; newer ones are refused. The
///   program stops at the declaration if the migrations do not form a chain.
/// - **A new property** with a default needs no new version. If a stored value lacks the property, it keeps its value from
///   the state that is loaded into. In elements of arrays, dictionaries and tables it takes its value from
///   ``StoredDefaults``. <doc:VersionsAndMigrations> has the exact rules.
/// - **Only changes are written.** A change shows in the stamp of an `EntityTable` or a `Stamped`, in `==`, or in
///   `removeDuplicates`. A value of any other type must be encoded to compare its bytes. Of an `EntityTable` only the
///   changed records are written.
/// - **A change that `==` does not see is not stored**, such as one of a property that `==` leaves out, or of a `String`'s
///   normal form. Not even `dispatchDurably(_:)` stores it, and nothing is reported: let `==` compare everything that is to
///   be kept. A ``Journal`` stores the action all the same.
/// - Between two saves the storage keeps the last saved value of a part that it compares by `==`. A reducer that changes a
///   large array therefore copies it once per save. To avoid that, wrap the array in `Stamped` and compare by the stamp.
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

  /// Returns `true` if the parts of two states are unequal by `==` and have other bytes; `false` if their type has no `==`.
  func isUnequal(_ left: State, _ right: State) -> Bool

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
