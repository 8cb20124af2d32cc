internal import Arbor

// The commands use these functions to change the blocks of entries and the kept states.

extension Recording {
  /// Starts over with the states of the stores, without entries.
  mutating func begin(at state: State, childStates: [UInt64: any Sendable]) {
    let place = firstPlace + count
    children = children.filter { childStates[$0.key] != nil }
    for (id, state) in childStates { children[id]?.begin(at: place, state) }
    replaceAll([], from: state, origin: place)
    unkeptState = nil
    position = 0
    isReordered = false
  }

  /// For each store below the root, keeps only its state at the first entry, or at its birth if that is later.
  mutating func forgetChildStates() {
    for (id, state) in childStates(at: 0) {
      let death = children[id]!.death
      children[id]!.begin(at: firstPlace, state)
      children[id]!.death = death
    }
    for id in children.keys { children[id]!.forget(behind: children[id]!.birth) }
  }

  /// Replaces the base and all actions. The stores below the root must only have the states of their births.
  mutating func replaceAll(_ entries: [Entry], from base: State, origin: Int) {
    blocks = [Block(start: base, capacity: checkpointInterval)]
    self.origin = origin
    committed = 0
    changedChildren = []
    changes = PartChanges()
    lastState = base
    for entry in entries { append(entry) }
  }

  /// Adds an action after all others and reduces it.
  mutating func append(_ entry: Entry) {
    // Taken out, so that it is changed without a copy.
    var state = lastState.take() ?? state(afterFirst: count)
    reduce(entry, &state)
    lastState = state
    changes.willChange()
    blocks[blocks.count - 1].append(entry)
    changedChildren.formUnion(entry.reducingStores)
    if roomInLastBlock == 0 { beginBlock(at: state) { _ in nil } }
  }

  /// The states of the stores after a block. Missing states are found by reducing the block's actions again.
  struct BlockEnd: Sendable {
    var rootState: State?

    /// The states of the stores below the root that reduced an action of the block.
    var childStates: [UInt64: any Sendable] = [:]
  }

  /// Adds actions that stores have reduced, after all others. The last block must have enough room.
  ///
  /// - Parameters:
  ///   - hasDetails: `true` if any of the notes has details.
  ///   - first: The place of the first action, as counted by the notes.
  ///   - states: The states to which the notes refer as recorded.
  ///   - end: The states after the last action, if it fills the block.
  mutating func add(
    _ notes: ContiguousArray<ActionNote>,
    _ hasDetails: Bool,
    _ actions: ContiguousArray<Action>,
    countedFrom first: Int,
    _ states: [State],
    endingWith end: BlockEnd
  ) {
    guard let last = notes.last else { return }
    changes.willChange()
    if hasDetails { for note in notes { changedChildren.formUnion(note.steps.lazy.map(\.store)) } }
    blocks[blocks.count - 1].append(notes, hasDetails, actions, countedFrom: first, states)
    nextNumber = last.number + 1
    if roomInLastBlock == 0 { beginBlock(at: end.rootState) { end.childStates[$0] } }
    position = count
  }

  /// The number of actions that still fit into the last block.
  var roomInLastBlock: Int { checkpointInterval - blocks[blocks.count - 1].count }

  /// Returns the index of the full block that begins at a place; nil if it no longer exists.
  func indexOfFullBlock(at place: Int) -> Int? {
    let (index, rest) = (place - origin).quotientAndRemainder(dividingBy: checkpointInterval)
    return rest == 0 && (committed / checkpointInterval)..<(blocks.count - 1) ~= index ? index : nil
  }

  /// Returns the place at which a block begins.
  func placeOfBlock(_ index: Int) -> Int { origin + index * checkpointInterval }

  /// The places of the full blocks that weren't measured.
  var unmeasuredFullBlocks: [Int] {
    (committed / checkpointInterval..<blocks.count - 1).filter { blocks[$0].bytes == 0 }.map(placeOfBlock)
  }

  /// Begins a block after the last one, which is full.
  private mutating func beginBlock(at state: State?, childState: (UInt64) -> (any Sendable)?) {
    let place = origin + blocks.count * checkpointInterval
    for id in changedChildren {
      if let state = childState(id) ?? childStateBehindLastBlock(id) { children[id]?.keep(state, at: place) }
    }
    changedChildren = []
    blocks.append(Block(start: state ?? stateBehind(blocks[blocks.count - 1]), capacity: checkpointInterval))
  }

  private func stateBehind(_ block: Block) -> State {
    var state = block.start
    block.reduce(0..<block.count, on: &state, by: reducer)
    return state
  }

  /// The values that a commit removed from a recording. Code that holds a lock must release them after the lock.
  struct Committed: Sendable {
    var blocks: [Block] = []
    var states: [any Sendable] = []

    static func += (left: inout Committed, right: Committed) {
      left.blocks += right.blocks
      left.states += right.states
    }
  }

  /// Commits the oldest actions if there are more than the limit. Returns the values to release.
  @discardableResult
  mutating func commitExcess() -> Committed {
    commitOldest(count - limit)
  }

  /// Commits the oldest actions. Returns the values to release.
  mutating func commitOldest(_ number: Int) -> Committed {
    guard number > 0 else { return Committed() }
    changes.willChange()
    let emptied = committed / checkpointInterval
    committed += number
    position = max(position - number, 0)
    let full = committed / checkpointInterval
    guard full > emptied else { return Committed() }
    var released = Committed(blocks: Array(blocks[emptied..<full]))
    // Committed blocks are emptied, and only removed when they are more than half, because a removal moves all remaining
    // blocks.
    for block in emptied..<full { blocks[block] = Block(start: blocks[full].start, capacity: 0) }
    if full > blocks.count / 2 {
      blocks.removeFirst(full)
      origin += full * checkpointInterval
      committed %= checkpointInterval
    }
    let base = firstPlace
    for id in children.keys {
      released.states += children[id]!.forget(before: base)
      guard let death = children[id]!.death, death <= base else { continue }
      released.states += children.removeValue(forKey: id)!.kept.map(\.state)
    }
    return released
  }

  /// Leaves out some of the actions in a range of indices, or takes them in again, and reduces everything that this
  /// changes.
  mutating func setSkipped(
    _ isSkipped: Bool,
    in indices: Range<Int>,
    where isMeant: (Entry) -> Bool = { _ in true }
  ) {
    var first: Int?
    var changed: Set<UInt64> = []
    for index in indices where self[entryAt: index].isSkipped != isSkipped && isMeant(self[entryAt: index]) {
      let place = committed + index
      blocks[place / checkpointInterval].setSkipped(isSkipped, at: place % checkpointInterval)
      changed.formUnion(self[entryAt: index].reducingStores)
      first = first ?? place / checkpointInterval
    }
    guard let first else { return }
    changes = PartChanges()
    var state = blocks[first].start
    for block in first..<blocks.count {
      blocks[block].start = state
      blocks[block].reduce(0..<blocks[block].count, on: &state, by: reducer)
    }
    lastState = state
    for id in changed { reduceChild(id, fromBlock: first) }
  }

  /// Returns the entries from an index on.
  func entries(from index: Int) -> [Entry] {
    let place = committed + index
    let block = place / checkpointInterval
    return Array(blocks[block...].lazy.flatMap(\.entries).dropFirst(place % checkpointInterval))
  }

  /// Replaces the entries from an index on.
  ///
  /// - Parameter newPlace: Returns the new place for an old one.
  mutating func replaceEntries(from index: Int, with entries: [Entry], newPlace: (Int) -> Int = { $0 }) {
    let changed = Set(self.entries(from: index).flatMap(\.reducingStores))
    let (block, kept) = (committed + index).quotientAndRemainder(dividingBy: checkpointInterval)
    changes = PartChanges()
    lastState = state(afterFirst: index)
    blocks[block].keep(first: kept)
    blocks.removeSubrange((block + 1)...)
    for id in children.keys {
      children[id]!.forget(behind: origin + block * checkpointInterval)
      children[id]!.move(by: newPlace)
    }
    changedChildren = Set(blocks[block].notes.flatMap(\.steps).map(\.store))
    for entry in entries { append(entry) }
    for id in changed { reduceChild(id, fromBlock: block) }
  }
}

/// The stores below the root.
extension Recording {
  /// Records that a store is gone after the last entry.
  ///
  /// - Returns: The store if it also came there. Then no position has it, and it is removed, so that any number of such
  ///   stores needs no memory.
  mutating func endChild(_ id: UInt64, at time: Duration) -> RecordedChild? {
    let place = firstPlace + count
    guard children[id]?.birth != place else { return children.removeValue(forKey: id) }
    children[id]?.death = place
    children[id]?.gone = time
    return nil
  }

  /// Returns the own state of a store below the root; nil if the store doesn't exist at the place.
  func childState(_ id: UInt64, atPlace place: Int) -> (any Sendable)? {
    guard let child = children[id], child.exists(at: place) else { return nil }
    let kept = child.keptState(at: place)
    let (block, rest) = (place - origin).quotientAndRemainder(dividingBy: checkpointInterval)
    let begin = origin + block * checkpointInterval
    return child.reduce(blocks[block].notes[max(kept.place - begin, 0)..<rest], from: kept.state)
  }

  /// Returns the own state of a store below the root after all entries of the last block, which is full.
  private func childStateBehindLastBlock(_ id: UInt64) -> (any Sendable)? {
    let last = blocks.count - 1
    let begin = origin + last * checkpointInterval
    guard let child = children[id] else { return nil }
    let kept = child.keptState(at: begin + checkpointInterval)
    // If the action was moved, its store may only be made later.
    guard kept.place < begin + checkpointInterval else { return nil }
    return child.reduce(blocks[last].notes[max(kept.place - begin, 0)...], from: kept.state)
  }

  /// Returns the own states of the existing stores below the root at a position, by their numbers.
  func childStates(at position: Int) -> [UInt64: any Sendable] {
    var states: [UInt64: any Sendable] = [:]
    for id in children.keys { states[id] = childState(id, atPlace: firstPlace + position) }
    return states
  }

  /// Reduces all actions of a store below the root again, starting with a block.
  private mutating func reduceChild(_ id: UInt64, fromBlock first: Int) {
    guard var child = children[id] else { return }
    children[id] = nil
    child.forget(behind: origin + first * checkpointInterval)
    for block in first..<(blocks.count - 1) {
      let begin = origin + block * checkpointInterval
      let kept = child.keptState(at: begin + checkpointInterval)
      guard kept.place < begin + checkpointInterval else { continue }
      let notes = blocks[block].notes[max(kept.place - begin, 0)...]
      guard notes.contains(where: { $0.steps.contains { $0.store == id } }) else { continue }
      child.keep(child.reduce(notes, from: kept.state), at: begin + checkpointInterval)
    }
    children[id] = child
  }
}
