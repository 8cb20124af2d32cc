public import Arbor

/// A journal of the actions that the root's reducer has reduced. It keeps each action between two snapshots of the
/// parts, and reduces it again at the next start.
///
/// ```swift
/// let journal = Journal(of: app)
/// let (state, report) = try await storage.load(into: AppState(), [list], journal)
/// let factory = StoreFactory(
///   initialState: state,
///   feature: app,
///   settings: TreeSettings(monitors: [storage.saving([list], journal)])
/// )
/// try await factory.dispatchDurably(.list(.add("milk")))
/// ```
///
/// - **Contents.** The journal contains each action that the root's reducer receives, including those of child stores,
///   in the order in which they are reduced. A batch is stored completely or not at all, unless its actions are written
///   ahead, one by one. Dropped actions aren't stored. A child store's own state isn't in the parts.
/// - **When.** After ``Storage/close()``, no actions are replayed. If the program was killed or has crashed, the
///   actions since the last snapshot are replayed.
/// - **Replay** only runs the feature's reducers, before there is a store: no interceptors and no effects. State that
///   isn't declared as a part begins with its value in the state that you load into. So the reducers of parts must not
///   depend on it.
/// - **The feature** must contain all of the root's reducers, and they must only depend on the state and the action.
///   Debug builds check that. They reduce the first ten actions of each case a second time, with the journal's feature.
///   They stop the program if a part differs both by `==` and in its encoded bytes.
/// - **Actions** are `Codable`. A `Mutation` is a closure, so a store of commits can't have a journal. Save its parts
///   instead: their changes are appended to the same log.
/// - **Snapshots** must contain everything that reducers read. If a part doesn't encode a property of its value, the
///   property is lost at the next start.
/// - **Versions.** If the type of the actions changes, raise `version` and add a migration. If the reducers change
///   their results for the same actions, raise `reducerVersion`. That matters if the previous program was killed or has
///   crashed.
/// - **Group commit.** Actions within a short time are written together. `dispatchDurably(_:)` and ``Storage/flush()``
///   don't wait for that time, and share writes.
public struct Journal<State: Sendable, Action: Codable & Sendable>: Sendable {
  /// The behavior if the journaled actions were reduced by another version of the reducer.
  public enum ReducerChange: Sendable {
    /// Reduces the actions with the new reducer.
    case replay

    /// Doesn't reduce the actions: if there are any, loading throws ``StorageError/otherReducer(_:stored:known:)`` and
    /// changes nothing.
    ///
    /// - There are no such actions if the program has closed its storage, but there may be if it was killed. Load them
    ///   with a journal of that version's reducers, or with ``replay``.
    case beginWithSnapshot
  }

  /// Makes the reducer of the journaled actions.
  let makeReducer: @Sendable () -> Reducer<State, Action>

  /// Finds the journaled actions among the actions of the store.
  let filter: any JournalFilter<Action>
  let form: JournalForm
  let coding: any StorageCoding
  let migrations: MigrationChain
  let reducerChange: ReducerChange
  let snapshotInterval: Int

  /// `false` if debug builds don't reduce actions a second time, because the reducer records its actions.
  package var isChecked = true

  /// Declares a journal.
  ///
  /// - Parameters:
  ///   - feature: The feature of the store's root, whose reducer reduces the actions again.
  ///   - version: The version of the type of the actions, at least 1.
  ///   - migrations: The migrations of actions from older versions; see ``Migration``.
  ///   - reducerVersion: The version of the reducers.
  ///   - reducerChange: The behavior if the journal's actions were reduced by another version.
  ///   - coding: Converts actions to bytes and back; see ``StorageCoding``.
  ///   - snapshotInterval: The number of steps, including those of earlier processes, after which all parts are written
  ///     and older files removed.
  public init(
    of feature: Feature<State, Action>,
    version: Int = 1,
    migrations: [Migration] = [],
    reducerVersion: Int = 1,
    ifReducerChanged reducerChange: ReducerChange = .replay,
    coding: any StorageCoding = .json,
    snapshotEvery snapshotInterval: Int = 10_000
  ) {
    self.init(
      WholeActions(),
      version, migrations, reducerVersion, reducerChange, coding, snapshotInterval
    ) { feature.makeReducerBesideTree() }
  }

  /// Declares a journal of the store's actions that contain an action of a given type; other actions aren't journaled.
  ///
  /// ```swift
  /// let journal = Journal(of: app, action: AppAction.list, extract: \.list)
  /// ```
  ///
  /// - Use it if other actions seldom change the stored parts. Other actions don't need to be `Codable`, and aren't
  ///   written.
  /// - If another action does change a part, nothing is lost: all parts are written with the next save, and the journal
  ///   continues from there. For that, the parts are compared before and after each such action. Each comparison is
  ///   cheap unless the part changes.
  /// - `action` must return a complete action from the result of `extract`, because that action is reduced at the next
  ///   start.
  /// - Parameters:
  ///   - feature: The feature of the store's root, whose reducer reduces the actions again.
  ///   - embed: Wraps a journaled action in an action of the store, usually an enum case.
  ///   - extract: Returns the action that an action of the store contains; nil if it contains none. Called on the
  ///     tree's queue with each action.
  ///   - version: The version of the type of the journaled actions, at least 1.
  ///   - migrations: The migrations of actions from older versions; see ``Migration``.
  ///   - reducerVersion: The version of the reducers.
  ///   - reducerChange: The behavior if the journal's actions were reduced by another version.
  ///   - coding: Converts actions to bytes and back; see ``StorageCoding``.
  ///   - snapshotInterval: The number of steps, including those of earlier processes, after which all parts are written
  ///     and older files removed.
  public init<Whole: Sendable>(
    of feature: Feature<State, Whole>,
    action embed: @escaping @Sendable (_ action: Action) -> Whole,
    extract: @escaping @Sendable (_ action: Whole) -> Action?,
    version: Int = 1,
    migrations: [Migration] = [],
    reducerVersion: Int = 1,
    ifReducerChanged reducerChange: ReducerChange = .replay,
    coding: any StorageCoding = .json,
    snapshotEvery snapshotInterval: Int = 10_000
  ) {
    self.init(
      ContainedActions(embed: embed, extract: extract),
      version, migrations, reducerVersion, reducerChange, coding, snapshotInterval
    ) {
      let reduce = feature.makeReducerBesideTree()
      return { state, action in reduce(&state, embed(action)) }
    }
  }

  private init(
    _ filter: any JournalFilter<Action>,
    _ version: Int,
    _ migrations: [Migration],
    _ reducerVersion: Int,
    _ reducerChange: ReducerChange,
    _ coding: any StorageCoding,
    _ snapshotInterval: Int,
    _ makeReducer: @escaping @Sendable () -> Reducer<State, Action>
  ) {
    self.filter = filter
    self.makeReducer = makeReducer
    self.coding = coding
    self.migrations = MigrationChain(migrations, to: Action.self, version: version, of: "\(Action.self)")
    if reducerVersion < 1 { Misuse.versionBelowOne.stop(about: "the reducer of \(Action.self)") }
    self.reducerChange = reducerChange
    self.snapshotInterval = max(snapshotInterval, 1)
    form = JournalForm(version: version, reducerVersion: reducerVersion, coding: coding.name)
  }
}

/// A filter that selects the journaled actions of a store.
protocol JournalFilter<Action>: Sendable {
  associatedtype Action: Sendable

  /// Makes the hook of a store; nil if its actions have another type.
  ///
  /// - Parameters:
  ///   - receive: Receives each journaled action after it was reduced.
  ///   - reduceOther: Calls a function that reduces an action that isn't journaled, and returns its result.
  func hook<Sent: Sendable>(
    of type: Sent.Type,
    _ receive: @escaping @Sendable (Action) -> Void,
    reduceOther: @escaping @Sendable (_ reduce: () -> Bool) -> Bool
  ) -> JournalHook<Sent>?

  /// Returns the journaled action; `.some(nil)` if it isn't journaled, and nil if the store's actions have another
  /// type.
  func action<Sent: Sendable>(in sent: Sent) -> Action??
}

/// The way in which a journal receives the actions of a store.
enum JournalHook<Sent: Sendable> {
  /// Receives each reduced action: all of them are journaled.
  case receiver(@Sendable (Sent) -> Void)

  /// Makes a function that replaces the reducer, so that changes by actions that aren't journaled are detected.
  case reducer(@Sendable (_ reduce: @escaping @Sendable (Sent) -> Bool) -> @Sendable (Sent) -> Bool)
}

/// A filter that accepts all actions of a store.
private struct WholeActions<Action: Sendable>: JournalFilter {
  func hook<Sent: Sendable>(
    of type: Sent.Type,
    _ receive: @escaping @Sendable (Action) -> Void,
    reduceOther: @escaping @Sendable (_ reduce: () -> Bool) -> Bool
  ) -> JournalHook<Sent>? {
    (receive as? @Sendable (Sent) -> Void).map { .receiver($0) }
  }

  func action<Sent: Sendable>(in sent: Sent) -> Action?? { (sent as? Action).map { .some($0) } }
}

/// A filter that extracts the journaled actions from the actions of a store.
private struct ContainedActions<Whole: Sendable, Action: Sendable>: JournalFilter {
  let embed: @Sendable (Action) -> Whole
  let extract: @Sendable (Whole) -> Action?

  func hook<Sent: Sendable>(
    of type: Sent.Type,
    _ receive: @escaping @Sendable (Action) -> Void,
    reduceOther: @escaping @Sendable (_ reduce: () -> Bool) -> Bool
  ) -> JournalHook<Sent>? {
    guard Sent.self == Whole.self else { return nil }
    return .reducer { [self] reduce in
      let reduce = reduce as! @Sendable (Whole) -> Bool
      let reduceAny: @Sendable (Whole) -> Bool = { whole in
        guard let action = extract(whole) else { return reduceOther { reduce(whole) } }
        guard reduce(whole) else { return false }
        receive(action)
        return true
      }
      return reduceAny as! @Sendable (Sent) -> Bool
    }
  }

  func action<Sent: Sendable>(in sent: Sent) -> Action?? { (sent as? Whole).map(extract) }
}
