public import Arbor

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

  /// While a recording is locked, it takes no actions.
  public var isLocked = false

  /// The state of a recording that is paused, with the actions since; nil if it is not.
  var pausedState: State?

  /// The state after the last action.
  var lastState: State

  /// The number that the next action gets.
  var nextNumber = 1

  /// `true` if the numbers of the actions do not ascend.
  var isReordered = false

  /// The actions, in blocks that are full, and a last one that is not: a block begins at a state that is kept.
  var blocks: [Block]

  /// The number of actions of the first block that are committed: they are part of the ``base``.
  var committed = 0

  let initialState: State
  var reducer: Reducer<State, Action>

  /// An action of a recording.
  public struct Entry: Identifiable, Sendable {
    /// The number of the action, which no other action of its recording has.
    public let id: Int

    /// The action.
    public let action: Action

    /// `true` if the action is left out: the state after it is the one before it.
    public internal(set) var isSkipped = false

    init(_ id: Int, _ action: Action) {
      self.id = id
      self.action = action
    }
  }

  /// Actions that follow each other, with the state before the first one.
  struct Block: Sendable {
    var start: State
    var entries: [Entry] = []
  }

  /// Makes a recording without actions.
  ///
  /// - Parameter checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   A greater one takes less memory and longer jumps.
  public init(initialState: State, checkpointInterval: Int = 32, reducer: @escaping Reducer<State, Action>) {
    self.initialState = initialState
    self.checkpointInterval = max(checkpointInterval, 1)
    self.reducer = reducer
    blocks = [Block(start: initialState)]
    lastState = initialState
  }

  /// The number of actions.
  public var count: Int { (blocks.count - 1) * checkpointInterval + blocks.last!.entries.count - committed }

  /// The state at the ``position``, of a paused recording at its end with all actions since.
  public var state: State {
    if let pausedState, position == count { return pausedState }
    return state(afterFirst: position)
  }

  /// The state before the first action.
  public var base: State { state(afterFirst: 0) }

  /// The state at a position.
  public func state(at position: Int) throws(RecordingError) -> State {
    try check(position)
    return state(afterFirst: position)
  }

  /// The actions, in order.
  public var entries: some RandomAccessCollection<Entry> {
    (0..<count).lazy.map { index in self[entryAt: index] }
  }

  /// The action with a number.
  public func entry(_ number: Int) throws(RecordingError) -> Entry {
    self[entryAt: try index(of: number)]
  }

  /// The position before the action with a number.
  public func index(of number: Int) throws(RecordingError) -> Int {
    let index = isReordered ? (0..<count).first { self[entryAt: $0].id == number } : firstIndex(from: number)
    guard let index, index < count, self[entryAt: index].id == number else { throw .noSuchAction(number) }
    return index
  }

  /// The index of the first action with at least a number, by halves: the numbers must ascend.
  func firstIndex(from number: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = self[entryAt: middle].id < number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  func check(_ position: Int) throws(RecordingError) {
    guard 0...count ~= position else { throw .noSuchPosition(position, count: count) }
  }

  /// The action at an index, which is the position before it.
  subscript(entryAt index: Int) -> Entry {
    let place = committed + index
    return blocks[place / checkpointInterval].entries[place % checkpointInterval]
  }

  /// The state after the first actions, of which there are so many.
  func state(afterFirst actions: Int) -> State {
    if actions == count { return lastState }
    let place = committed + actions
    let block = blocks[place / checkpointInterval]
    var state = block.start
    reduce(block.entries[..<(place % checkpointInterval)], &state)
    return state
  }

  func reduce(_ actions: some Sequence<Entry>, _ state: inout State) {
    for action in actions where !action.isSkipped { reducer(&state, action.action) }
  }
}
