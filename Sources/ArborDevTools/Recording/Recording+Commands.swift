public import Arbor

// Each command checks what it is given before it changes anything.

extension Recording {
  /// Adds an action at the end, and reduces it. A recording that is at its end stays there.
  ///
  /// - A paused recording keeps the state, and not the action.
  /// - If there are more actions than the ``limit`` then, the oldest is committed to the ``base``.
  /// - Parameter action: The action, as the root's reducer receives it.
  /// - Throws: ``RecordingError/locked`` if the recording is locked.
  /// - Returns: The number of the action; nil if the recording is paused.
  @discardableResult
  public mutating func perform(_ action: Action) throws(RecordingError) -> Int? {
    guard !isLocked else { throw .locked }
    guard !isPaused else {
      // Taken out, so that it is changed where it lies.
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

  /// Adds actions at the end, and reduces them; as many calls of ``perform(_:)``.
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
  /// - Parameter distance: The number of positions, negative to go back. The recording must have the position to which
  ///   it leads.
  /// - Throws: ``RecordingError/noSuchPosition(_:count:)`` if it leads to no position. Then it stays where it is.
  public mutating func step(by distance: Int) throws(RecordingError) {
    let (target, isTooFar) = position.addingReportingOverflow(distance)
    try jump(to: isTooFar ? (distance < 0 ? .min : .max) : target)
  }

  // MARK: Changing the past

  /// Leaves out the action with a number, or takes it in again.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public mutating func toggle(_ number: Int) throws(RecordingError) {
    let index = try index(of: number)
    setSkipped(!self[entryAt: index].isSkipped, in: index..<(index + 1))
  }

  /// Leaves out the action with a number and all that it has caused, or takes all of them in again.
  ///
  /// - Parameter number: The number of the action, ``Entry/id``.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording has no action with that number.
  public mutating func toggleEpoch(of number: Int) throws(RecordingError) {
    let numbers = try epoch(of: number)
    let isSkipped = try !entry(number).isSkipped
    let first = try index(of: number)
    setSkipped(isSkipped, in: (isReordered ? 0 : first)..<count) { numbers.contains($0.id) }
  }

  /// Takes in all actions whose numbers are in a range, or leaves them out.
  ///
  /// - Parameters:
  ///   - isActive: `true` if the actions are taken in; `false` if they are left out.
  ///   - numbers: The range of the numbers. The recording must have an action with at least one of them.
  /// - Throws: ``RecordingError/noActions(in:)`` if the recording has no action with a number of the range.
  public mutating func setActive(_ isActive: Bool, in numbers: Range<Int>) throws(RecordingError) {
    let indices = isReordered ? 0..<count : firstIndex(from: numbers.lowerBound)..<firstIndex(from: numbers.upperBound)
    guard indices.contains(where: { numbers.contains(self[entryAt: $0].id) }) else { throw .noActions(in: numbers) }
    setSkipped(!isActive, in: indices) { numbers.contains($0.id) }
  }

  /// Puts the action with a number before another one, or at the end.
  ///
  /// - Parameters:
  ///   - number: The number of the action that is moved, ``Entry/id``.
  ///   - other: The number of the action before which it is put; nil for the end.
  /// - Throws: ``RecordingError/noSuchAction(_:)`` if the recording lacks one of the two. Then nothing has moved.
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
    // Ascending places of the entries that leave.
    let leaving = following.indices.filter { following[$0].isSkipped }.map { firstPlace + first + $0 }
    replaceEntries(from: first, with: following.filter { !$0.isSkipped }) { place in
      place - leaving.prefix { $0 < place }.count
    }
  }

  // MARK: Where it begins

  /// Makes the ``state`` the ``base``. No action is left.
  public mutating func commit() {
    begin(at: state, childStates: childStates(at: position))
  }

  /// Removes the actions behind the ``position``, and returns them.
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
        // The recording goes on from before that.
        children[id]!.death = nil
      }
    }
    return following
  }

  /// Goes back to the ``base``. No action is left.
  public mutating func rollBack() {
    begin(at: base, childStates: childStates(at: 0))
  }

  /// Goes back to the state with which the recording was made. No action is left.
  public mutating func reset() {
    begin(at: initialState, childStates: childStates(at: 0))
  }

  /// Sets the ``limit``, and commits the oldest actions if there are more.
  ///
  /// - Parameter limit: The greatest number of actions, at least 2.
  /// - Throws: ``RecordingError/limitTooSmall(_:)`` for less than 2.
  public mutating func setLimit(_ limit: Int) throws(RecordingError) {
    guard limit >= 2 else { throw .limitTooSmall(limit) }
    self.limit = limit
    commitExcess()
  }

  /// Reduces all actions by another reducer, from the ``base`` on.
  ///
  /// - Parameter reducer: The new reducer of the root.
  public mutating func replaceReducer(with reducer: @escaping Reducer<State, Action>) {
    let base = base
    self.reducer = reducer
    forgetChildStates()
    replaceAll(entries(from: 0), from: base, origin: firstPlace)
  }

  /// Replaces the base and the actions by those of another recording; this one's reducer reduces them. Replaces the
  /// stores, the tasks and what else a file has said, too.
  ///
  /// - A lock, a pause, the limit and the interval of this recording stay as they are. One that is paused is at the end
  ///   of what was loaded.
  /// - The ``redactions`` of both hold: the other one's are applied after this one's.
  /// - Parameter other: The recording that is loaded, such as one that was read from a file.
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

  /// Keeps no actions from here on, only the state that they leave. Does nothing if the recording is paused.
  ///
  /// - A command that replaces the base or removes the end while the recording is paused replaces that state, too: the
  ///   recording stays paused, at the new end.
  public mutating func pause() {
    guard !isPaused else { return }
    isPaused = true
    position = count
  }

  /// Keeps actions again. The state that the actions since the pause have left becomes the ``base``.
  ///
  /// - Without actions since the pause, nothing changes.
  public mutating func resume() {
    isPaused = false
    guard let unkeptState else { return }
    begin(at: unkeptState, childStates: childStates(at: count))
  }
}
