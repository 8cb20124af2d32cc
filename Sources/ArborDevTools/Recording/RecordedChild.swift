internal import Arbor

/// A store below the root, as a recording knows it: its life, and the states that are kept.
///
/// - Places count all entries that the recording has ever had before them, so that they stay when old ones are
///   committed.
/// - A state is kept where the store came, and at the beginning of each block of entries behind one in which the store
///   has reduced an action. So at most one block is reduced again to find any other.
struct RecordedChild: Sendable {
  var store: MonitoredStore

  /// The name of the state's type where a file says it; nil if the store's own type does.
  var stateName: String?

  /// Reduces the store's actions again; nil if the program that has its reducer is not there.
  let reducer: RecordedStore?

  /// The times at which the store came and went, since the tree was made.
  var made: Duration
  var gone: Duration?

  /// The place at which the store came.
  var birth: Int

  /// The place at which the store went; nil if it has not.
  var death: Int?

  /// The states that are kept, by ascending places. The first one is from the store's birth, or from before the
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

  /// The last state that is kept up to a place.
  func keptState(at place: Int) -> (place: Int, state: any Sendable) {
    kept[(1..<kept.count).end { kept[$0].place <= place } - 1]
  }

  /// The state that is kept at a place, and is the last one; nil if there is none.
  func stateKept(at place: Int) -> (any Sendable)? {
    kept.last.flatMap { $0.place == place ? $0.state : nil }
  }

  mutating func keep(_ state: any Sendable, at place: Int) {
    kept.append((place, state))
  }

  /// Forgets the states that are kept behind a place.
  mutating func forget(behind place: Int) {
    while kept.count > 1, kept.last!.place > place { kept.removeLast() }
  }

  /// Forgets the states that are needed before a place only, and returns them.
  mutating func forget(before place: Int) -> [any Sendable] {
    let first = kept.lastIndex { $0.place <= place } ?? 0
    guard first > 0 else { return [] }
    let forgotten = kept[..<first].map(\.state)
    kept.removeFirst(first)
    return forgotten
  }

  /// Replaces all states by one, from which the recording begins anew.
  mutating func begin(at place: Int, _ state: any Sendable) {
    birth = place
    death = nil
    kept = [(place, state)]
  }

  /// Moves the store's life, where entries were removed.
  mutating func move(by newPlace: (Int) -> Int) {
    birth = newPlace(birth)
    death = death.map(newPlace)
    if kept[0].place > birth { kept[0].place = birth }
  }
}

extension RecordedChild {
  /// The state that some actions leave.
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

/// A state on which actions are reduced again, by a store's reducer and without the store.
private class Replay {
  /// The state that the actions have left.
  var state: any Sendable { () }

  /// Reduces an action. A mutation that fails leaves the state as it was.
  func reduce(_ action: any Sendable) {}

  private init() {}

  /// Begins with a state, and with the reducer of a store.
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
      // An action of another type comes from a file only.
      if let action = action as? Action { reducer(&current, action) }
    }
  }
}

extension Range<Int> {
  /// The end of the first numbers, of which a condition holds; found by halves, so it must hold of no others.
  func end(where isBefore: (Int) -> Bool) -> Int {
    var range = self
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(middle) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
