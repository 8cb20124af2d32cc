public import Arbor
internal import Foundation

/// The actions of a store and the states after them, as a value in which you can go back and forth.
///
/// ```swift
/// var recording = Recording(initialState: Counter(), reducer: counterReducer)
/// try recording.perform([.add(1), .double, .add(1)])
/// try recording.jump(to: 1)  // the state after the first action
/// try recording.toggle(2)    // what if it had not been doubled?
/// try recording.state(at: 3)
/// ```
///
/// - A recording has no store, queue or effects: it only calls the reducer, which must be pure.
/// - Its actions are ordered, with positions between them. Position 0 is before the first action, where the state is the
///   ``base``; position n is after the nth. ``state`` is the state at ``position``.
/// - An action keeps its number when other actions change.
/// - **Cost.** Only one state is kept for every ``checkpointInterval`` actions, and states share their unchanged parts. A
///   jump reduces the actions since the last kept state. A change to the past reduces all later actions. An action
///   performed at the end is reduced once.
public struct Recording<State: Sendable, Action: Sendable>: Sendable {
  /// The number of actions between two kept states, at least 1.
  public let checkpointInterval: Int

  /// The maximum number of actions, at least 2. Beyond it, the oldest actions are committed to the ``base``.
  public internal(set) var limit = Int.max

  /// The current position of the recording, from 0 to ``count``.
  public internal(set) var position = 0

  /// The rules for data that must not leave the process in files, pages, messages and tests.
  ///
  /// - Each of these applies them before its own additional rules.
  /// - States and entries that you read from the recording itself aren't redacted.
  public var redactions: [Redaction<State, Action>] = []

  /// `true` if the recording is locked, so that it accepts no actions.
  public var isLocked = false

  /// `true` while performed actions aren't kept, only the state after them.
  ///
  /// - Earlier actions are kept. They are committed if the recording is resumed after further actions.
  public internal(set) var isPaused = false

  /// The state after the actions since the pause, which aren't kept; nil if there were none.
  var unkeptState: State?

  /// The state after the last action; nil if it must be found by reducing the last block again.
  var lastState: State?

  /// The number of the next action.
  var nextNumber = 1

  /// `true` if the numbers of the actions aren't in ascending order.
  var isReordered = false

  /// The actions, in blocks that each begin with a kept state. All blocks but the last are full.
  var blocks: [Block]

  /// The number of all entries before the first block.
  var origin = 0

  /// The number of actions in the first blocks that are committed, so that they are part of the ``base``. Blocks that are
  /// completely committed are empty.
  var committed = 0

  /// The stores below the root, by their numbers.
  var children: [UInt64: RecordedChild] = [:]

  /// The stores below the root that reduced an action of the last block.
  var changedChildren: Set<UInt64> = []

  /// The changes of the queried parts.
  var changes = PartChanges()

  /// The tasks of the recorded stores.
  var recordedTasks = RecordedTasks()

  /// The time at which the recording was made.
  var began = Date()

  /// The file from which the recording was read; nil for a recording that was made here.
  var source: RecordingSource?

  /// The root of the recorded stores; nil for a recording that wasn't made by a store.
  var rootStore: MonitoredStore?

  let initialState: State
  var reducer: Reducer<State, Action>

  /// Makes a recording without actions.
  ///
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two kept states; less than 1 counts as 1. A higher number uses
  ///     less memory, but makes jumps slower.
  ///   - reducer: The reducer of the root.
  public init(initialState: State, checkpointInterval: Int = 32, reducer: @escaping Reducer<State, Action>) {
    self.initialState = initialState
    self.checkpointInterval = max(checkpointInterval, 1)
    self.reducer = reducer
    blocks = [Block(start: initialState, capacity: self.checkpointInterval)]
    lastState = initialState
  }

  /// The tasks of the recorded stores, in the order in which they started. The oldest tasks that have ended are removed.
  public var tasks: [RecordedTask] { recordedTasks.all }

  /// Returns the task with a number, such as the task that sent an action.
  ///
  /// ```swift
  /// entry.cause.task.flatMap(recording.task)?.key
  /// ```
  ///
  /// - It returns nil if the recording has no such task, or no longer has it.
  /// - Cost: a linear search that begins with the newest task.
  /// - Parameter id: The number of the task, ``RecordedTask/id``.
  public func task(_ id: UInt64) -> RecordedTask? { tasks.last { $0.id == id } }

  /// The number of actions.
  public var count: Int { (blocks.count - 1) * checkpointInterval + blocks.last!.count - committed }

  /// The state at the ``position``. At the end of a paused recording, it includes all actions since the pause.
  public var state: State {
    if let unkeptState, position == count { return unkeptState }
    return state(afterFirst: position)
  }

  /// The state before the first action.
  public var base: State { state(afterFirst: 0) }

  /// Returns the state at a position.
  ///
  /// - Parameter position: The number of actions before the state, from 0 to ``count``.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func state(at position: Int) throws(RecordingError) -> State {
    try check(position)
    return state(afterFirst: position)
  }

  /// Returns the action with a number.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public func entry(_ number: Int) throws(RecordingError) -> Entry {
    self[entryAt: try index(of: number)]
  }

  /// Returns the position before the action with a number.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public func index(of number: Int) throws(RecordingError) -> Int {
    let index = isReordered ? (0..<count).first { self[entryAt: $0].id == number } : firstIndex(from: number)
    guard let index, index < count, self[entryAt: index].id == number else { throw .noSuchAction(number) }
    return index
  }

  /// Returns the numbers of an action and all actions that it caused, directly or indirectly.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public func epoch(of number: Int) throws(RecordingError) -> Set<Int> {
    let first = try index(of: number)
    var numbers: Set = [number]
    for index in (isReordered ? 0 : first + 1)..<count {
      let entry = self[entryAt: index]
      if let cause = entry.cause.action, numbers.contains(Int(cause)) { numbers.insert(entry.id) }
    }
    return numbers
  }

  /// Returns a store's own state at a position; nil if the store doesn't exist there.
  ///
  /// - In a recording that was read from a file, the state of a store below the root is a ``RecordedValue``.
  /// - Parameters:
  ///   - store: The store's number, ``/Arbor/MonitoredStore/id``.
  ///   - position: The number of actions before the state.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func state(of store: UInt64, at position: Int) throws(RecordingError) -> (any Sendable)? {
    try check(position)
    return store == rootStore?.id ? state(afterFirst: position) : childState(store, atPlace: firstPlace + position)
  }

  /// Returns the stores that exist at a position, with the root first; none for a recording that wasn't made by a store.
  ///
  /// - Parameter position: The number of actions before the position, from 0 to ``count``.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func stores(at position: Int) throws(RecordingError) -> [MonitoredStore] {
    try check(position)
    let children = children.values.filter { $0.exists(at: firstPlace + position) }.map(\.store)
    return (rootStore.map { [$0] } ?? []) + children.sorted { $0.id < $1.id }
  }

  /// Returns the name of the type of a store's own state; nil if the recording has no such store.
  ///
  /// - Parameter store: The store's number, ``/Arbor/MonitoredStore/id``.
  public func stateName(of store: UInt64) -> String? {
    if store == rootStore?.id { return "\(State.self)" }
    return children[store].map { $0.stateName ?? "\($0.store)" }
  }

  /// Returns the index of the first action with at least a number, by binary search. The numbers must be in ascending
  /// order.
  func firstIndex(from number: Int) -> Int { (0..<count).end { self[entryAt: $0].id < number } }

  func check(_ position: Int) throws(RecordingError) {
    guard 0...count ~= position else { throw .noSuchPosition(position, count: count) }
  }

  /// The action at an index, which is the position before it.
  subscript(entryAt index: Int) -> Entry {
    let place = committed + index
    return blocks[place / checkpointInterval][place % checkpointInterval]
  }

  /// The number of all entries before the first one.
  var firstPlace: Int { origin + committed }

  /// Returns the root's state after a number of actions.
  func state(afterFirst actions: Int) -> State {
    if actions == count, let lastState { return lastState }
    let place = committed + actions
    let block = blocks[place / checkpointInterval]
    var state = block.start
    block.reduce(0..<(place % checkpointInterval), on: &state, by: reducer)
    return state
  }

  func reduce(_ entry: Entry, _ state: inout State) {
    guard !entry.isSkipped else { return }
    switch entry.root {
    case .none: break
    case .reduced(let action): reducer(&state, action)
    case .recorded(let recorded): state = recorded() ?? state
    }
  }
}

extension Recording {
  /// Makes a recording without actions that uses the reducers of a feature.
  ///
  /// ```swift
  /// let app = todos.withHistory().scoped(to: \.todos, action: AppAction.todos, extract: \.todos)
  /// var recording = Recording(initialState: AppState(), feature: app)
  /// ```
  ///
  /// - The reducers of the feature and its parts are called, each for its part of the state. Interceptors and effects
  ///   aren't.
  /// - The state at each position is computed from the last kept state before it.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two kept states; less than 1 counts as 1.
  ///   - feature: The feature of the root. A feature without reducers changes nothing.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Action>) {
    self.init(
      initialState: initialState, checkpointInterval: checkpointInterval, reducer: feature.makeReducerBesideTree())
  }
}

extension Recording where Action == Mutation<State> {
  /// Makes a recording without commits that makes each commit and then calls the feature's middleware.
  ///
  /// - A commit that fails changes nothing.
  /// - The state at each position is computed from the last kept state before it.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two kept states; less than 1 counts as 1.
  ///   - feature: The feature of the root. A feature without middleware changes nothing apart from the commits.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Mutation<State>>) {
    self.init(
      initialState: initialState,
      checkpointInterval: checkpointInterval,
      reducer: feature.applyingCommits.makeReducerBesideTree()
    )
  }
}
