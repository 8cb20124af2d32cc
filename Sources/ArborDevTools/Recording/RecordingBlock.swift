internal import Arbor

extension Recording {
  /// Actions that follow each other, with the root's state before the first one.
  ///
  /// - The notes of all actions lie in one array, and the actions that the root has reduced in another, so
  ///   that to record an action, and to reduce it again, touches nothing that is not needed.
  struct Block: Sendable {
    var start: State
    private(set) var notes = ContiguousArray<ActionNote>()

    /// `false` if no note has details, as is usual.
    private(set) var hasDetails = false

    /// The actions that the root has reduced, and the states that cannot be found by reducing, for the notes.
    private(set) var actions = ContiguousArray<Action>()
    private var states: [@Sendable () -> State?] = []

    /// The memory of the entries, about; 0 until it was measured.
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

    /// Appends notes whose values are in arrays of their own.
    ///
    /// - Parameters:
    ///   - hasDetails: `true` if any of the notes has details.
    ///   - first: The place of the first of the actions, as the notes count it.
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

    /// Removes all entries but so many.
    mutating func keep(first count: Int) {
      let kept = entries.prefix(count).map { $0 }
      self = Block(start: start, capacity: notes.capacity)
      for entry in kept { append(entry) }
    }

    /// Reduces some of the actions.
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
