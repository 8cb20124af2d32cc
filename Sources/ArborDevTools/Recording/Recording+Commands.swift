public import Arbor

// Each command checks its arguments before it changes anything.

extension Recording {
  /// Adds an action at the end and reduces it. If the position is at the end, it stays at the end.
  ///
  /// - A paused recording keeps the state but not the action.
  /// - If there are then more actions than the ``limit``, the oldest one is committed to the ``base``.
  /// - Parameter action: The action, in the form that the root's reducer receives.
  /// - Throws: ``RecordingError/locked`` if the recording is locked.
  /// - Returns: The number of the action; nil if the recording is paused.
  @discardableResult
  public mutating func perform(_ action: Action) throws(RecordingError) -> Int? {
    guard !isLocked else { throw .locked }
    guard !isPaused else {
      // Taken out, so that it is changed without a copy.
      var state = unkeptState.take() ?? state(afterFirst: count)
      reducer(&state, action)
      unkeptState = state
      return nil
    }
    let number = nextNumber
    nextNumber += 1
    let isAtEnd = position == count
    append(Entry(ActionNote(number: number), .reduced(action)))
    if isAtEnd { position = count }
    commitExcess()
    return number
  }

  /// Adds actions at the end and reduces them, like a call to ``perform(_:)`` for each.
  ///
  /// - Parameter actions: The actions, in their order.
  /// - Throws: ``RecordingError/locked`` if the recording is locked.
  public mutating func perform(_ actions: some Sequence<Action>) throws(RecordingError) {
    guard !isLocked else { throw .locked }
    for action in actions { try perform(action) }
  }

  // MARK: Going back and forth

  /// Goes to a position.
  ///
  /// - Parameter position: The number of actions before the position, from 0 to ``count``.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` for any other position.
  public mutating func jump(to position: Int) throws(RecordingError) {
    try check(position)
    self.position = position
  }

  /// Goes to the position after the action with a number.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public mutating func jump(toAction number: Int) throws(RecordingError) {
    position = try index(of: number) + 1
  }

  /// Goes forward or back by a number of positions.
  ///
  /// - Parameter distance: The number of positions, negative to go back. The recording must have the resulting position.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` if there is no such position; then the position stays the
  ///   same.
  public mutating func step(by distance: Int) throws(RecordingError) {
    let (target, isTooFar) = position.addingReportingOverflow(distance)
    try jump(to: isTooFar ? (distance < 0 ? .min : .max) : target)
  }

  // MARK: Changing the past

  /// Leaves out the action with a number, or includes it again.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public mutating func toggle(_ number: Int) throws(RecordingError) {
    let index = try index(of: number)
    setSkipped(!self[entryAt: index].isSkipped, in: index..<(index + 1))
  }

  /// Leaves out the action with a number and all actions that it caused, or includes them all again.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public mutating func toggleEpoch(of number: Int) throws(RecordingError) {
    let numbers = try epoch(of: number)
    let isSkipped = try !entry(number).isSkipped
    let first = try index(of: number)
    setSkipped(isSkipped, in: (isReordered ? 0 : first)..<count) { numbers.contains($0.id) }
  }

  /// Includes all actions whose numbers are in a range, or leaves them out.
  ///
  /// - Parameters:
  ///   - isActive: `true` to include the actions; `false` to leave them out.
  ///   - numbers: The range of the numbers. The recording must have an action with at least one of them.
  /// - Throws: ``RecordingError/noActions(in:)`` if the recording has no action with a number in the range.
  public mutating func setActive(_ isActive: Bool, in numbers: Range<Int>) throws(RecordingError) {
    let indices = isReordered ? 0..<count : firstIndex(from: numbers.lowerBound)..<firstIndex(from: numbers.upperBound)
    guard indices.contains(where: { numbers.contains(self[entryAt: $0].id) }) else { throw .noActions(in: numbers) }
    setSkipped(!isActive, in: indices) { numbers.contains($0.id) }
  }

  /// Moves the action with a number before another one, or to the end.
  ///
  /// - Parameters:
  ///   - number: The number of the action to move, ``Entry/id``.
  ///   - other: The number of the action before which it is placed; nil for the end.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording lacks one of the two; then nothing is moved.
  public mutating func move(_ number: Int, before other: Int?) throws(RecordingError) {
    let source = try index(of: number)
    var target = count
    if let other { target = try index(of: other) }
    guard target != source, target != source + 1 else { return }
    let first = min(source, target)
    var following = entries(from: first)
    let action = following.remove(at: source - first)
    following.insert(action, at: (target > source ? target - 1 : target) - first)
    isReordered = true
    replaceEntries(from: first, with: following)
  }

  /// Removes the actions that are left out. The state at the ``position`` stays.
  public mutating func sweep() {
    guard let first = (0..<count).first(where: { self[entryAt: $0].isSkipped }) else { return }
    let following = entries(from: first)
    if position > first { position -= following.prefix(position - first).count { $0.isSkipped } }
    // The places of the removed entries, in ascending order.
    let leaving = following.indices.filter { following[$0].isSkipped }.map { firstPlace + first + $0 }
    replaceEntries(from: first, with: following.filter { !$0.isSkipped }) { place in
      place - leaving.prefix { $0 < place }.count
    }
  }

  // MARK: The beginning

  /// Makes the ``state`` the ``base``, and removes all actions.
  public mutating func commit() {
    begin(at: state, childStates: childStates(at: position))
  }

  /// Removes the actions after the ``position`` and returns them.
  @discardableResult
  public mutating func removeFollowing() -> [Entry] {
    let following = entries(from: position)
    if !following.isEmpty {
      replaceEntries(from: position, with: [])
      unkeptState = nil
    }
    let place = firstPlace + count
    for (id, child) in children {
      if child.birth > place {
        children[id] = nil
      } else if let death = child.death, death > place {
        // The recording continues from a place before the store's death.
        children[id]!.death = nil
      }
    }
    return following
  }

  /// Goes back to the ``base``, and removes all actions.
  public mutating func rollBack() {
    begin(at: base, childStates: childStates(at: 0))
  }

  /// Goes back to the state with which the recording was made, and removes all actions.
  public mutating func reset() {
    begin(at: initialState, childStates: childStates(at: 0))
  }

  /// Sets the ``limit``, and commits the oldest actions if there are more.
  ///
  /// - Parameter limit: The maximum number of actions, at least 2.
  /// - Throws: ``RecordingError/limitTooSmall(_:)`` for less than 2.
  public mutating func setLimit(_ limit: Int) throws(RecordingError) {
    guard limit >= 2 else { throw .limitTooSmall(limit) }
    self.limit = limit
    commitExcess()
  }

  /// Reduces all actions again with another reducer, starting at the ``base``.
  ///
  /// - Parameter reducer: The new reducer of the root.
  public mutating func replaceReducer(with reducer: @escaping Reducer<State, Action>) {
    let base = base
    self.reducer = reducer
    forgetChildStates()
    replaceAll(entries(from: 0), from: base, origin: firstPlace)
  }

  /// Replaces the contents of the recording with those of another one, whose actions are reduced by this one's reducer.
  ///
  /// - That includes the base, the actions, the stores, the tasks, and everything else that a file contains.
  /// - The lock, the pause, the limit and the interval of this recording don't change. If it is paused, its position is
  ///   at the end of the loaded actions.
  /// - The ``redactions`` of both apply: first this one's, then the other one's.
  /// - Parameter other: The recording to load, such as one that was read from a file.
  public mutating func load(_ other: Recording) {
    var other = other
    other.forgetChildStates()
    children = other.children
    (rootStore, recordedTasks) = (other.rootStore, other.recordedTasks)
    (began, source) = (other.began, other.source)
    redactions += other.redactions
    replaceAll(other.entries(from: 0), from: other.base, origin: other.firstPlace)
    nextNumber = max(nextNumber, other.nextNumber)
    isReordered = other.isReordered
    unkeptState = nil
    position = isPaused ? count : other.position
    commitExcess()
  }

  /// Stops keeping actions, so that only the state after them is kept. Does nothing if the recording is paused.
  ///
  /// - If a command replaces the base or removes the end while the recording is paused, it also replaces that state. The
  ///   recording stays paused, at the new end.
  public mutating func pause() {
    guard !isPaused else { return }
    isPaused = true
    position = count
  }

  /// Starts keeping actions again. The state after the actions since the pause becomes the ``base``.
  ///
  /// - If there were no actions since the pause, nothing changes.
  public mutating func resume() {
    isPaused = false
    guard let unkeptState else { return }
    begin(at: unkeptState, childStates: childStates(at: count))
  }
}
