public import Arbor

/// A journal of the actions that the reducer of a store's root has reduced: between two snapshots of the parts, each of
/// them is kept, and reduced again at the next start.
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
/// - **What is in it**: whatever the root's reducer got, also from child stores, in its order; a batch is there as a whole
///   or not at all, unless its actions are written ahead, each for itself. Actions that interceptors drop are not. A
///   child's own state is none of the parts.
/// - **When.** After ``Storage/close()`` nothing is replayed. The actions since the last snapshot are, if the program was
///   killed, or has crashed.
/// - **Replay** runs the feature's reducers and nothing else, before there is a store: no interceptors, no effects. What
///   is not declared as a part begins with the state into which is loaded; so the reducers of parts must not depend on it.
/// - **The feature** must have all of the root's reducers, and they must depend on the state and the action alone. Debug
///   builds check that: they reduce the first ten actions of each case a second time, by the journal's feature, and stop
///   the program if a part differs, both by `==` and in its encoded bytes.
/// - **Actions** are `Codable`. A `Mutation` is a closure, so a store of commits has no journal: save its parts, whose
///   changes are appended to the same log.
/// - **Snapshots** must have in them whatever reducers read: a part that does not encode something of its value has lost
///   that at the next start.
/// - **Versions.** Raise `version` when the type of the actions changes, and add a migration; raise `reducerVersion` when
///   the reducers make something else of the same actions: that counts where the program of before was killed.
/// - **Group commit**: the actions of a short time are written together. `dispatchDurably(_:)` and
///   ``Storage/flush()`` do not wait for that time, and share what is written.
public struct Journal<State: Sendable, Action: Codable & Sendable>: Sendable {
  /// The consequence of a reducer that has another version than the one that has reduced the journaled actions.
  public enum ReducerChange: Sendable {
    /// Reduces them by the new reducer.
    case replay

    /// Reduces none of them: loading throws ``StorageError/otherReducer(_:stored:known:)``, and changes nothing, if there
    /// are any.
    ///
    /// - There are none after a program that has closed its storage, but there may be after one that was killed. Load them
    ///   with a journal of the reducers of that version, or by ``replay``.
    case beginWithSnapshot
  }

  /// Makes the reducer of actions that were journaled.
  let makeReducer: @Sendable () -> Reducer<State, Action>

  /// Finds what is journaled among the actions of the store.
  let filter: any JournalFilter<Action>
  let form: JournalForm
  let coding: any StorageCoding
  let migrations: MigrationChain
  let reducerChange: ReducerChange
  let snapshotInterval: Int

  /// `false` if debug builds do not reduce actions a second time, because the reducer notes what it reduces.
  package var isChecked = true

  /// Declares a journal.
  ///
  /// - Parameters:
  ///   - feature: The feature of the store's root, whose reducer reduces the actions again.
  ///   - version: The version of the type of the actions, from 1 on.
  ///   - migrations: Lead from older versions of an action to this one; see ``Migration``.
  ///   - reducerVersion: The version of the reducers.
  ///   - reducerChange: The consequence if the journal's actions were reduced by another version.
  ///   - coding: Turns actions into bytes and back; see ``StorageCoding``.
  ///   - snapshotInterval: The number of steps, also of earlier processes, after which all parts are written, and
  ///     older files removed.
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

  /// Declares a journal of those actions of a store that contain one of a feature; the others are not in it.
  ///
  /// ```swift
  /// let journal = Journal(of: app, action: AppAction.list, extract: \.list)
  /// ```
  ///
  /// - Use it where other actions seldom change what is stored: they need not be `Codable`, and are not written.
  /// - If another action changes a part all the same, nothing is lost: all parts are written with the next save, and the
  ///   journal goes on from there. To find out, the parts are compared before and after each such action. That costs no
  ///   more than a look at each, unless the action changes one of them.
  /// - `action` must return the whole action from what `extract` has found: that is reduced at the next start.
  /// - Parameters:
  ///   - feature: The feature of the store's root, whose reducer reduces the actions again.
  ///   - embed: Wraps an action that is journaled in an action of the store, usually an enum case.
  ///   - extract: Returns the action that an action of the store contains; nil if it contains none. Called on the tree's
  ///     queue, with each action.
  ///   - version: The version of the type of the actions that are journaled, from 1 on.
  ///   - migrations: Lead from older versions of such an action to this one; see ``Migration``.
  ///   - reducerVersion: The version of the reducers.
  ///   - reducerChange: The consequence if the journal's actions were reduced by another version.
  ///   - coding: Turns actions into bytes and back; see ``StorageCoding``.
  ///   - snapshotInterval: The number of steps, also of earlier processes, after which all parts are written, and
  ///     older files removed.
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

/// A filter of the actions of a store for those that are journaled.
protocol JournalFilter<Action>: Sendable {
  associatedtype Action: Sendable

  /// Makes the hook of a store; nil if its actions are of another type.
  ///
  /// - Parameters:
  ///   - receive: Receives each action that is journaled, once it was reduced.
  ///   - reduceOther: Calls a function that reduces an action that is not journaled, and returns what that returns.
  func hook<Sent: Sendable>(
    of type: Sent.Type,
    _ receive: @escaping @Sendable (Action) -> Void,
    reduceOther: @escaping @Sendable (_ reduce: () -> Bool) -> Bool
  ) -> JournalHook<Sent>?

  /// The action that is journaled; `.some(nil)` if it is none, and nil if the store's actions are of another type.
  func action<Sent: Sendable>(in sent: Sent) -> Action??
}

/// The way in which a journal gets the actions of a store.
enum JournalHook<Sent: Sendable> {
  /// Receives each action that was reduced: all are journaled.
  case receiver(@Sendable (Sent) -> Void)

  /// Makes a function that takes the place of the reducer: what an action that is not journaled changes must be found.
  case reducer(@Sendable (_ reduce: @escaping @Sendable (Sent) -> Bool) -> @Sendable (Sent) -> Bool)
}

/// A filter that takes all actions of a store.
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

/// A filter that takes the actions that actions of a store contain.
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
