public import Arbor

// Each command checks what it is given before it changes anything.

extension Recording {
  /// Adds an action at the end, and reduces it. A recording that is at its end stays there.
  ///
  /// - A paused recording keeps the state, and not the action.
  /// - If there are more actions than the ``limit`` then, the oldest is committed to the ``base``.
  /// - Returns: The number of the action; nil if the recording is paused.
  @discardableResult
  public mutating func perform(_ action: Action) throws(RecordingError) -> Int? {
    guard !isLocked else { throw .locked }
    guard pausedState == nil else {
      reducer(&pausedState!, action)
      return nil
    }
    let number = nextNumber
    nextNumber += 1
    let isAtEnd = position == count
    append(Entry(number, action))
    if isAtEnd { position = count }
    commitExcess()
    return number
  }

  /// Adds actions at the end, and reduces them; as many calls of ``perform(_:)``.
  public mutating func perform(_ actions: some Sequence<Action>) throws(RecordingError) {
    guard !isLocked else { throw .locked }
    for action in actions { try perform(action) }
  }

  // MARK: Going back and forth

  /// Goes to a position.
  public mutating func jump(to position: Int) throws(RecordingError) {
    try check(position)
    self.position = position
  }

  /// Goes to the position after the action with a number.
  public mutating func jump(toAction number: Int) throws(RecordingError) {
    position = try index(of: number) + 1
  }

  /// Goes forward by a number of positions, or back by a negative one.
  public mutating func step(by distance: Int) throws(RecordingError) {
    let (target, isTooFar) = position.addingReportingOverflow(distance)
    try jump(to: isTooFar ? (distance < 0 ? .min : .max) : target)
  }

  // MARK: Changing the past

  /// Leaves out the action with a number, or takes it in again.
  public mutating func toggle(_ number: Int) throws(RecordingError) {
    let index = try index(of: number)
    setSkipped(!self[entryAt: index].isSkipped, in: index..<(index + 1))
  }

  /// Takes in all actions whose numbers are in a range, or leaves them out.
  public mutating func setActive(_ isActive: Bool, in numbers: Range<Int>) throws(RecordingError) {
    let indices = isReordered ? 0..<count : firstIndex(from: numbers.lowerBound)..<firstIndex(from: numbers.upperBound)
    guard indices.contains(where: { numbers.contains(self[entryAt: $0].id) }) else { throw .noActions(in: numbers) }
    setSkipped(!isActive, in: indices) { numbers.contains($0.id) }
  }

  /// Puts the action with a number before another one, or, without one, at the end.
  public mutating func move(_ number: Int, before other: Int?) throws(RecordingError) {
    let source = try index(of: number)
    var target = count
    if let other { target = try index(of: other) }
    guard target != source, target != source + 1 else { return }
    let first = min(source, target)
    var following = actions(from: first)
    let action = following.remove(at: source - first)
    following.insert(action, at: (target > source ? target - 1 : target) - first)
    isReordered = true
    replaceActions(from: first, with: following)
  }

  /// Removes the actions that are left out. The state at the ``position`` stays.
  public mutating func sweep() {
    guard let first = (0..<count).first(where: { self[entryAt: $0].isSkipped }) else { return }
    let following = actions(from: first)
    if position > first { position -= following.prefix(position - first).count { $0.isSkipped } }
    replaceActions(from: first, with: following.filter { !$0.isSkipped })
  }

  // MARK: Where it begins

  /// Makes the ``state`` the ``base``. No action is left.
  public mutating func commit() {
    begin(at: state)
  }

  /// Goes back to the ``base``. No action is left.
  public mutating func rollBack() {
    begin(at: base)
  }

  /// Goes back to the state with which the recording was made. No action is left.
  public mutating func reset() {
    begin(at: initialState)
  }

  /// Sets the greatest number of actions, and commits the oldest ones if there are more.
  public mutating func setLimit(_ limit: Int) throws(RecordingError) {
    guard limit >= 2 else { throw .limitTooSmall(limit) }
    self.limit = limit
    commitExcess()
  }

  /// Reduces all actions by another reducer, from the ``base`` on.
  public mutating func replaceReducer(with reducer: @escaping Reducer<State, Action>) {
    let base = base
    self.reducer = reducer
    load(actions(from: 0), from: base)
  }

  /// Replaces the base and the actions by those of another recording, which are reduced by this one's reducer.
  ///
  /// - A lock, a pause, the limit and the interval of this recording stay as they are.
  public mutating func load(_ other: Recording) {
    load(other.actions(from: 0), from: other.base)
    nextNumber = max(nextNumber, other.nextNumber)
    isReordered = other.isReordered
    position = other.position
    commitExcess()
  }

  /// `true` while the actions that are performed are not kept, but the state that they leave.
  ///
  /// - The actions from before are kept, until the recording is resumed: then the state of that time is committed.
  public var isPaused: Bool { pausedState != nil }

  /// Keeps no actions from here on, only the state that they leave. Does nothing if the recording is paused.
  public mutating func pause() {
    guard pausedState == nil else { return }
    pausedState = state(afterFirst: count)
    position = count
  }

  /// Keeps actions again. The state that the actions since the pause have left becomes the ``base``.
  public mutating func resume() {
    guard let pausedState else { return }
    begin(at: pausedState)
    self.pausedState = nil
  }
}

extension Recording {
  private mutating func begin(at state: State) {
    load([], from: state)
    position = 0
    isReordered = false
  }

  /// Replaces the base and all actions.
  private mutating func load(_ actions: [Entry], from base: State) {
    blocks = [Block(start: base)]
    committed = 0
    lastState = base
    for action in actions { append(action) }
  }

  /// Adds an action behind all others.
  private mutating func append(_ action: Entry) {
    let last = blocks.count - 1
    if !action.isSkipped { reducer(&lastState, action.action) }
    blocks[last].entries.append(action)
    if blocks[last].entries.count == checkpointInterval { blocks.append(Block(start: lastState)) }
  }

  /// Commits the oldest actions, if there are more than the limit.
  private mutating func commitExcess() {
    let excess = count - limit
    guard excess > 0 else { return }
    committed += excess
    blocks.removeFirst(committed / checkpointInterval)
    committed %= checkpointInterval
    position = max(position - excess, 0)
  }

  /// Sets whether some of the actions in a range of indices are left out, and reduces what that changes.
  private mutating func setSkipped(
    _ isSkipped: Bool,
    in indices: Range<Int>,
    where isMeant: (Entry) -> Bool = { _ in true }
  ) {
    var first: Int?
    for index in indices where self[entryAt: index].isSkipped != isSkipped && isMeant(self[entryAt: index]) {
      let place = committed + index
      blocks[place / checkpointInterval].entries[place % checkpointInterval].isSkipped = isSkipped
      first = first ?? place / checkpointInterval
    }
    guard let first else { return }
    lastState = blocks[first].start
    for block in first..<blocks.count {
      blocks[block].start = lastState
      reduce(blocks[block].entries, &lastState)
    }
  }

  /// The actions from an index on.
  private func actions(from index: Int) -> [Entry] {
    let place = committed + index
    let block = place / checkpointInterval
    return Array(blocks[block...].lazy.flatMap(\.entries).dropFirst(place % checkpointInterval))
  }

  /// Replaces the actions from an index on.
  private mutating func replaceActions(from index: Int, with actions: [Entry]) {
    let place = committed + index
    let (block, kept) = place.quotientAndRemainder(dividingBy: checkpointInterval)
    lastState = state(afterFirst: index)
    blocks[block].entries.removeSubrange(kept...)
    blocks.removeSubrange((block + 1)...)
    for action in actions { append(action) }
  }
}
