internal import Arbor

extension Recording {
  /// Consecutive actions, with the root's state before the first one.
  ///
  /// - The notes of all actions are in one array, and the actions that the root reduced are in another. Recording an
  ///   action, or reducing it again, therefore only accesses memory that it needs.
  struct Block: Sendable {
    var start: State
    private(set) var notes = ContiguousArray<ActionNote>()

    /// `true` if any note has details, which is unusual.
    private(set) var hasDetails = false

    /// The actions that the root reduced, and the states that can't be found by reducing. The notes refer to them.
    private(set) var actions = ContiguousArray<Action>()
    private var states: [@Sendable () -> State?] = []

    /// The approximate memory of the entries; 0 until it is measured.
    var bytes = 0

    init(start: State, capacity: Int) {
      self.start = start
      notes.reserveCapacity(min(capacity, 64))
    }

    var count: Int { notes.count }

    var entries: some RandomAccessCollection<Entry> {
      notes.indices.lazy.map { index in self[index] }
    }

    subscript(index: Int) -> Entry {
      let note = notes[index]
      return switch note.root {
      case .none: Entry(note, .none)
      case .reduced(let place): Entry(note, .reduced(actions[place]))
      case .recorded(let place): Entry(note, .recorded(states[place]))
      }
    }

    mutating func append(_ entry: Entry) {
      var note = entry.note
      hasDetails = hasDetails || note.details != nil
      switch entry.root {
      case .none: note.root = .none
      case .reduced(let action):
        note.root = .reduced(at: actions.count)
        actions.append(action)
      case .recorded(let state):
        note.root = .recorded(at: states.count)
        states.append(state)
      }
      notes.append(note)
    }

    /// Appends notes whose values are in separate arrays.
    ///
    /// - Parameters:
    ///   - hasDetails: `true` if any of the notes has details.
    ///   - first: The place of the first action, as counted by the notes.
    mutating func append(
      _ notes: ContiguousArray<ActionNote>,
      _ hasDetails: Bool,
      _ actions: ContiguousArray<Action>,
      countedFrom first: Int,
      _ states: [State]
    ) {
      self.hasDetails = self.hasDetails || hasDetails
      let (actionOffset, stateOffset) = (self.actions.count - first, self.states.count)
      let begin = count
      if begin == 0 { self.notes = notes } else { self.notes += notes }
      for index in begin..<count {
        switch self.notes[index].root {
        case .none: break
        case .reduced(let place): self.notes[index].root = .reduced(at: place + actionOffset)
        case .recorded(let place): self.notes[index].root = .recorded(at: place + stateOffset)
        }
      }
      if begin == 0 { self.actions = actions } else { self.actions += actions }
      self.states += states.map { state in { state } }
    }

    mutating func setSkipped(_ isSkipped: Bool, at index: Int) {
      notes[index].isSkipped = isSkipped
    }

    /// Removes all entries except the first ones.
    mutating func keep(first count: Int) {
      let kept = entries.prefix(count).map { $0 }
      self = Block(start: start, capacity: notes.capacity)
      for entry in kept { append(entry) }
    }

    /// Reduces a range of the actions.
    func reduce(_ range: Range<Int>, on state: inout State, by reducer: Reducer<State, Action>) {
      for index in range where !notes[index].isSkipped {
        switch notes[index].root {
        case .none: break
        case .reduced(let place): reducer(&state, actions[place])
        case .recorded(let place): state = states[place]() ?? state
        }
      }
    }
  }
}
