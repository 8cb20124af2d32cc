internal import Arbor

/// A store below the root in a recording: its lifetime and its kept states.
///
/// - Places count all entries that the recording ever had, so they stay the same when old entries are committed.
/// - A state is kept at the store's birth, and at the start of each block that follows a block in which the store reduced
///   an action. Any other state is therefore found by reducing at most one block again.
struct RecordedChild: Sendable {
  var store: MonitoredStore

  /// The name of the state's type in a file; nil if the store's own type provides it.
  var stateName: String?

  /// Reduces the store's actions again; nil if the program with its reducer isn't available.
  let reducer: RecordedStore?

  /// The times at which the store came and went, since the tree was made.
  var made: Duration
  var gone: Duration?

  /// The place at which the store came.
  var birth: Int

  /// The place at which the store went; nil if it still exists.
  var death: Int?

  /// The kept states, in the order of their places. The first one is from the store's birth, or from a place before the
  /// recording's base.
  private(set) var kept: [(place: Int, state: any Sendable)]

  init(_ store: MonitoredStore, reducer: RecordedStore?, birth: Int, state: any Sendable, made: Duration = .zero) {
    self.store = store
    self.made = made
    self.reducer = reducer
    self.birth = birth
    kept = [(birth, state)]
  }

  func exists(at place: Int) -> Bool { birth <= place && place < death ?? .max }

  /// Returns the last kept state up to a place.
  func keptState(at place: Int) -> (place: Int, state: any Sendable) {
    kept[(1..<kept.count).end { kept[$0].place <= place } - 1]
  }

  /// Returns the state that is kept at a place if it is the last one; otherwise nil.
  func stateKept(at place: Int) -> (any Sendable)? {
    kept.last.flatMap { $0.place == place ? $0.state : nil }
  }

  mutating func keep(_ state: any Sendable, at place: Int) {
    kept.append((place, state))
  }

  /// Removes the kept states after a place.
  mutating func forget(behind place: Int) {
    while kept.count > 1, kept.last!.place > place { kept.removeLast() }
  }

  /// Removes the states that are only needed before a place, and returns them.
  mutating func forget(before place: Int) -> [any Sendable] {
    let first = kept.lastIndex { $0.place <= place } ?? 0
    guard first > 0 else { return [] }
    let forgotten = kept[..<first].map(\.state)
    kept.removeFirst(first)
    return forgotten
  }

  /// Replaces all states with one, from which the recording starts over.
  mutating func begin(at place: Int, _ state: any Sendable) {
    birth = place
    death = nil
    kept = [(place, state)]
  }

  /// Moves the store's birth and death after entries were removed.
  mutating func move(by newPlace: (Int) -> Int) {
    birth = newPlace(birth)
    death = death.map(newPlace)
    if kept[0].place > birth { kept[0].place = birth }
  }
}

extension RecordedChild {
  /// Returns the state after a sequence of actions.
  func reduce(_ notes: some Sequence<ActionNote>, from start: any Sendable) -> any Sendable {
    var state = start
    var replay: Replay?
    var moment: FileMoment?
    for note in notes where !note.isSkipped {
      guard let step = note.details?.step(of: store.id) else { continue }
      switch step {
      case .recorded(let recorded):
        state = recorded
        replay = nil
      case .reduced(let action):
        replay = replay ?? reducer.flatMap { Replay.begin(from: state, by: $0) }
        replay?.reduce(action)
      case .file(let shown): moment = shown
      }
    }
    return moment?.state ?? replay?.state ?? state
  }
}

/// A state on which actions are reduced again, with a store's reducer but without the store.
private class Replay {
  /// The state after the actions so far.
  var state: any Sendable { () }

  /// Reduces an action. A mutation that fails leaves the state unchanged.
  func reduce(_ action: any Sendable) {}

  private init() {}

  /// Begins with a state and the reducer of a store.
  static func begin(from state: any Sendable, by store: RecordedStore) -> Replay? {
    func replay<State, Action>(_ store: some RecordedReducer<State, Action>) -> Replay {
      Typed(state as! State, store.reduce)
    }
    return (store as? any RecordedReducer).map { replay($0) }
  }

  private final class Typed<State: Sendable, Action: Sendable>: Replay {
    private var current: State
    private let reducer: Reducer<State, Action>

    init(_ state: State, _ reducer: @escaping Reducer<State, Action>) {
      current = state
      self.reducer = reducer
      super.init()
    }

    override var state: any Sendable { current }

    override func reduce(_ action: any Sendable) {
      // Only a file can contain an action of another type.
      if let action = action as? Action { reducer(&current, action) }
    }
  }
}

extension Range<Int> {
  /// Returns the first number for which a condition is false, by binary search. The condition must hold for a prefix of
  /// the range.
  func end(where isBefore: (Int) -> Bool) -> Int {
    var range = self
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(middle) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
