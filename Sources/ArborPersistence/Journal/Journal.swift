public import Arbor

/// A journal of the actions that the reducer of a store's root has reduced: between two snapshots of the parts, each of
/// them is kept, and reduced again at the next start.
///
/// ```swift
/// let journal = Journal(of: app)
/// let (state, report) = try await storage.load(into: AppState(), [list], journal)
/// let factory = StoreFactory(initialState: state, feature: app, monitors: [storage.saving([list], journal)])
/// try await factory.dispatchDurably(.list(.add("milk")))
/// ```
///
/// - **What is in it**: whatever the root's reducer got, also from child stores, in its order; a batch is there as a whole
///   or not at all. Actions that interceptors drop are not. A child's own state is none of the parts.
/// - **Replay** runs the feature's reducers and nothing else, before there is a store: no interceptors, no effects. What
///   is not declared as a part begins with the state into which is loaded; so the reducers of parts must not depend on it.
/// - **Versions.** Raise `version` when the type of the actions changes, and add a migration; raise `reducerVersion` when
///   the reducers make something else of the same actions.
/// - **Group commit**: the actions of a short time are written together. ``StoreProtocol/dispatchDurably(_:)`` and
///   ``Storage/flush()`` do not wait for that time, and share what is written.
public struct Journal<State: Sendable, Action: Codable & Sendable>: Sendable {
  /// The consequence of a reducer that has another version than the one that has reduced the journalled actions.
  public enum ReducerChange: Sendable {
    /// Reduces them by the new reducer.
    case replay

    /// Begins with the parts of the last snapshot. The actions are kept aside.
    case beginWithSnapshot
  }

  let feature: Feature<State, Action>
  let form: JournalForm
  let coding: any StorageCoding
  let migrations: MigrationChain
  let reducerChange: ReducerChange
  let snapshotInterval: Int

  /// Declares a journal.
  ///
  /// - Parameters:
  ///   - feature: The feature of the store's root, whose reducer reduces the actions again.
  ///   - version: The version of the type of the actions, from 1 on.
  ///   - migrations: Lead from older versions of an action to this one; see ``Migration``.
  ///   - reducerVersion: The version of the reducers.
  ///   - reducerChange: The consequence if the journal's actions were reduced by another version.
  ///   - coding: Turns actions into bytes and back; see ``StorageCoding``.
  ///   - snapshotInterval: The number of steps after which all parts are written, and older files removed.
  public init(
    of feature: Feature<State, Action>,
    version: Int = 1,
    migrations: [Migration] = [],
    reducerVersion: Int = 1,
    ifReducerChanged reducerChange: ReducerChange = .replay,
    coding: any StorageCoding = .json,
    snapshotEvery snapshotInterval: Int = 10_000
  ) {
    self.feature = feature
    self.coding = coding
    self.migrations = MigrationChain(migrations, to: Action.self, version: version, of: "\(Action.self)")
    self.reducerChange = reducerChange
    self.snapshotInterval = max(snapshotInterval, 1)
    form = JournalForm(version: version, reducerVersion: reducerVersion, coding: coding.name)
  }
}
