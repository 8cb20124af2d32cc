public import Arbor
internal import Foundation

/// The actions of a store and the states that they have left, as a value in which one can go back and forth.
///
/// ```swift
/// var recording = Recording(initialState: Counter(), reducer: counterReducer)
/// try recording.perform([.add(1), .double, .add(1)])
/// try recording.jump(to: 1)  // as it was after the first
/// try recording.toggle(2)    // and what if it had not been doubled?
/// try recording.state(at: 3)
/// ```
///
/// - A recording has no store, no queue and no effects: it calls the reducer alone, which must be pure.
/// - Its actions are in an order, and between them are positions: position 0 is before the first action, where the state
///   is the ``base``; position n is after the nth. ``state`` is that at ``position``.
/// - An action keeps its number whatever happens to others.
/// - **Cost.** States are not kept for each action, but one for every ``checkpointInterval`` actions; states share what
///   did not change. A jump costs as many reductions as there are actions since the last one that is kept, a change of
///   the past those of all actions that follow it, and an action performed at the end one.
public struct Recording<State: Sendable, Action: Sendable>: Sendable {
  /// The number of actions between two states that are kept, at least 1.
  public let checkpointInterval: Int

  /// The greatest number of actions; the oldest ones are committed to the ``base`` first. At least 2.
  public internal(set) var limit = Int.max

  /// The position at which the recording is, from 0 to ``count``.
  public internal(set) var position = 0

  /// The rules for what the recording does not show where it leaves the process: in files, pages, messages and tests. Each
  /// of these applies them before those that it is given.
  ///
  /// - States and entries that the recording itself is asked for are not redacted.
  public var redactions: [Redaction<State, Action>] = []

  /// While a recording is locked, it takes no actions.
  public var isLocked = false

  /// `true` while the actions that are performed are not kept, but the state that they leave.
  ///
  /// - The actions from before are kept. They are committed where the recording is resumed behind others.
  public internal(set) var isPaused = false

  /// The state behind the end that the actions since the pause have left, which are not kept; nil if there were none.
  var unkeptState: State?

  /// The state after the last action; nil if it is to be found by reducing the last block again.
  var lastState: State?

  /// The number that the next action gets.
  var nextNumber = 1

  /// `true` if the numbers of the actions do not ascend.
  var isReordered = false

  /// The actions, in blocks that are full, and a last one that is not: a block begins at a state that is kept.
  var blocks: [Block]

  /// The number of all entries that there ever were before the first block.
  var origin = 0

  /// The number of actions of the first blocks that are committed: they are part of the ``base``. Blocks whose actions
  /// are all committed are empty.
  var committed = 0

  /// The stores below the root, by their numbers.
  var children: [UInt64: RecordedChild] = [:]

  /// The stores below the root that have reduced an action of the last block.
  var changedChildren: Set<UInt64> = []

  /// The changes of parts that were asked for.
  var changes = PartChanges()

  /// The tasks of the recorded stores.
  var recordedTasks = RecordedTasks()

  /// The time at which the recording was made.
  var began = Date()

  /// The file from which the recording was read; nil of one that was made here.
  var source: RecordingSource?

  /// The root of the recorded stores; nil of a recording that no store has made.
  var rootStore: MonitoredStore?

  let initialState: State
  var reducer: Reducer<State, Action>

  /// Makes a recording without actions.
  ///
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1. A greater one
  ///     takes less memory and longer jumps.
  ///   - reducer: The reducer of the root.
  public init(initialState: State, checkpointInterval: Int = 32, reducer: @escaping Reducer<State, Action>) {
    self.initialState = initialState
    self.checkpointInterval = max(checkpointInterval, 1)
    self.reducer = reducer
    blocks = [Block(start: initialState, capacity: self.checkpointInterval)]
    lastState = initialState
  }

  /// The tasks of the recorded stores, in the order in which they began. The oldest leave that have ended.
  public var tasks: [RecordedTask] { recordedTasks.all }

  /// The task with a number, such as the one that has sent an action.
  ///
  /// ```swift
  /// entry.cause.task.flatMap(recording.task)?.key
  /// ```
  ///
  /// - `nil` if the recording has no such task, or has it no more.
  /// - Cost: looks at the tasks one after the other, from the newest.
  /// - Parameter id: The number of the task, ``RecordedTask/id``.
  public func task(_ id: UInt64) -> RecordedTask? { tasks.last { $0.id == id } }

  /// The number of actions.
  public var count: Int { (blocks.count - 1) * checkpointInterval + blocks.last!.count - committed }

  /// The state at the ``position``, of a paused recording at its end with all actions since.
  public var state: State {
    if let unkeptState, position == count { return unkeptState }
    return state(afterFirst: position)
  }

  /// The state before the first action.
  public var base: State { state(afterFirst: 0) }

  /// The state at a position.
  ///
  /// - Parameter position: The number of actions before the state, from 0 to ``count``.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func state(at position: Int) throws(RecordingError) -> State {
    try check(position)
    return state(afterFirst: position)
  }

  /// The action with a number.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public func entry(_ number: Int) throws(RecordingError) -> Entry {
    self[entryAt: try index(of: number)]
  }

  /// The position before the action with a number.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public func index(of number: Int) throws(RecordingError) -> Int {
    let index = isReordered ? (0..<count).first { self[entryAt: $0].id == number } : firstIndex(from: number)
    guard let index, index < count, self[entryAt: index].id == number else { throw .noSuchAction(number) }
    return index
  }

  /// The numbers of an action and of all that it has caused, directly or through others.
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

  /// The own state of a store at a position; nil if it does not exist there.
  ///
  /// - In a recording that was read from a file, that of a store below the root is a ``RecordedValue``.
  /// - Parameters:
  ///   - store: The store's number, ``/Arbor/MonitoredStore/id``.
  ///   - position: The number of actions before the state.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func state(of store: UInt64, at position: Int) throws(RecordingError) -> (any Sendable)? {
    try check(position)
    return store == rootStore?.id ? state(afterFirst: position) : childState(store, atPlace: firstPlace + position)
  }

  /// The stores that exist at a position, the root first; none of a recording that no store has made.
  ///
  /// - Parameter position: The number of actions before the position, from 0 to ``count``.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public func stores(at position: Int) throws(RecordingError) -> [MonitoredStore] {
    try check(position)
    let children = children.values.filter { $0.exists(at: firstPlace + position) }.map(\.store)
    return (rootStore.map { [$0] } ?? []) + children.sorted { $0.id < $1.id }
  }

  /// The name of the type of a store's own state; nil if the recording has no such store.
  ///
  /// - Parameter store: The store's number, ``/Arbor/MonitoredStore/id``.
  public func stateName(of store: UInt64) -> String? {
    if store == rootStore?.id { return "\(State.self)" }
    return children[store].map { $0.stateName ?? "\($0.store)" }
  }

  /// The index of the first action with at least a number, by halves: the numbers must ascend.
  func firstIndex(from number: Int) -> Int { (0..<count).end { self[entryAt: $0].id < number } }

  func check(_ position: Int) throws(RecordingError) {
    guard 0...count ~= position else { throw .noSuchPosition(position, count: count) }
  }

  /// The action at an index, which is the position before it.
  subscript(entryAt index: Int) -> Entry {
    let place = committed + index
    return blocks[place / checkpointInterval][place % checkpointInterval]
  }

  /// The number of entries that there ever were before the first one.
  var firstPlace: Int { origin + committed }

  /// The root's state after the first actions, of which there are so many.
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
  /// Makes a recording without actions, which a feature's reducers reduce.
  ///
  /// ```swift
  /// let app = todos.withHistory().scoped(to: \.todos, action: AppAction.todos, extract: \.todos)
  /// var recording = Recording(initialState: AppState(), feature: app)
  /// ```
  ///
  /// - The reducers of all features of which it consists are called, each on its part of the state. Interceptors and
  ///   effects are not.
  /// - Otherwise like ``init(initialState:checkpointInterval:reducer:)``.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   - feature: The feature of the root. One without reducers changes nothing.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Action>) {
    self.init(
      initialState: initialState, checkpointInterval: checkpointInterval, reducer: feature.makeReducerBesideTree())
  }
}

extension Recording where Action == Mutation<State> {
  /// Makes a recording without commits, which makes each and then calls the feature's middleware.
  ///
  /// - A commit that fails changes nothing.
  /// - Otherwise like ``init(initialState:checkpointInterval:reducer:)``.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   - feature: The feature of the root. A feature without middleware changes nothing apart from the commits.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Mutation<State>>) {
    self.init(
      initialState: initialState,
      checkpointInterval: checkpointInterval,
      reducer: feature.applyingCommits.makeReducerBesideTree()
    )
  }
}
