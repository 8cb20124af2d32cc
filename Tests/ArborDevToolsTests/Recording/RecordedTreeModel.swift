/// A model of a recorded tree. It finds all own states by replaying everything.
struct RecordedTreeModel {
  /// The effect of an action on a store's own state.
  enum Step {
    case mix(Int)

    /// The state after a step that can't be repeated.
    case left(UInt64)
  }

  struct Entry {
    var id: Int
    var root: Step?
    var children: [UInt64: Step] = [:]
    var isSkipped = false
  }

  struct Child {
    var id: UInt64
    var start: UInt64

    /// The first position at which the store exists, and the first at which it no longer does. Positions before the base
    /// are negative.
    var birth: Int
    var death: Int?

    func exists(at position: Int) -> Bool { birth <= position && position < death ?? .max }
  }

  var initial: UInt64
  var base: UInt64
  var entries: [Entry] = []
  var children: [Child] = []
  var position = 0
  var limit: Int
  var nextNumber = 1

  init(initial: UInt64, limit: Int) {
    (self.initial, base, self.limit) = (initial, initial, limit)
  }

  /// Mixes a value into a state, so that the order and the number of the actions matter.
  static func mix(_ state: inout UInt64, _ value: Int) {
    state = state &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(value)
  }

  private func apply(_ step: Step?, _ state: inout UInt64) {
    switch step {
    case nil: break
    case .mix(let value): Self.mix(&state, value)
    case .left(let left): state = left
    }
  }

  func state(at position: Int) -> UInt64 {
    var state = base
    for entry in entries.prefix(position) where !entry.isSkipped { apply(entry.root, &state) }
    return state
  }

  /// Returns the own states of the existing children, by their ids.
  func childStates(at position: Int) -> [UInt64: UInt64] {
    var states: [UInt64: UInt64] = [:]
    for child in children where child.exists(at: position) {
      var state = child.start
      for entry in entries.prefix(position).dropFirst(max(child.birth, 0)) where !entry.isSkipped {
        apply(entry.children[child.id], &state)
      }
      states[child.id] = state
    }
    return states
  }

  func index(of number: Int) -> Int? { entries.firstIndex { $0.id == number } }

  mutating func append(_ root: Step?, _ children: [UInt64: Step] = [:]) {
    let isAtEnd = position == entries.count
    entries.append(Entry(id: nextNumber, root: root, children: children))
    nextNumber += 1
    if isAtEnd { position = entries.count }
    commit(max(entries.count - limit, 0))
  }

  /// Makes the oldest entries part of the base.
  mutating func commit(_ count: Int) {
    guard count > 0 else { return }
    let states = childStates(at: count)
    base = state(at: count)
    entries.removeFirst(count)
    position = max(position - count, 0)
    children.removeAll { $0.death.map { $0 <= count } ?? false }
    for index in children.indices {
      if let state = states[children[index].id] { children[index].start = state }
      children[index].birth -= count
      if let death = children[index].death { children[index].death = death - count }
    }
  }

  /// Starts over with a state, and with the children's states at a position.
  mutating func begin(_ state: UInt64, at position: Int) {
    let states = childStates(at: position)
    base = state
    entries = []
    self.position = 0
    children = children.filter { states[$0.id] != nil }
    for index in children.indices {
      children[index].start = states[children[index].id]!
      (children[index].birth, children[index].death) = (0, nil)
    }
  }

  mutating func sweep() {
    position -= entries.prefix(position).count { $0.isSkipped }
    func moved(_ place: Int) -> Int { place - entries.prefix(max(place, 0)).count { $0.isSkipped } }
    for index in children.indices {
      children[index].birth = moved(children[index].birth)
      children[index].death = children[index].death.map(moved)
    }
    entries.removeAll { $0.isSkipped }
  }

  mutating func removeFollowing() {
    entries.removeSubrange(position...)
    children.removeAll { $0.birth > position }
    for index in children.indices where children[index].death ?? 0 > position { children[index].death = nil }
  }

  mutating func move(_ number: Int, before other: Int?) {
    guard let index = index(of: number), other != number else { return }
    let entry = entries.remove(at: index)
    entries.insert(entry, at: other.flatMap { self.index(of: $0) } ?? entries.count)
  }
}
