/// The access of a thread or a task to a tree. It numbers the actions that it sends.
struct Lane: Sendable {
  let number: Int

  /// The number of sent actions that interceptors judge.
  private(set) var sequence = 0

  /// The number of actions that are certainly reduced, of their steps, and of those that are dropped or replaced.
  private(set) var place = 0
  private(set) var steps = 0
  private(set) var dropped = 0
  private(set) var replaced = 0

  /// The number of actions through temporary child stores, counted once for each store.
  private(set) var throughTemporaries = 0

  private(set) var emitted = 0

  init(_ number: Int) {
    self.number = number
  }

  /// Returns the slip of an action that is not counted elsewhere.
  mutating func nextSlip(depth: Int) -> Slip {
    defer { sequence += 1 }
    return Slip(lane: number, sequence: sequence, depth: depth)
  }

  /// Returns an action that is reduced, unless it is to be dropped.
  mutating func next(
    depth: Int,
    fate: Slip.Fate = .pass,
    judge: Int = 0,
    closesStep: Bool = true,
    change: StressChange = .none,
    token: StressToken? = nil,
    temporary: (generation: Int, levels: Int)? = nil
  ) -> Mark {
    var slip = nextSlip(depth: depth)
    slip.fate = fate
    slip.judge = judge
    slip.closesStep = closesStep
    let kind: Mark.Kind =
      if let temporary {
        .temporary(place: place, generation: temporary.generation, levels: temporary.levels)
      } else {
        .counted(place: place)
      }
    if fate == .drop {
      dropped += 1
    } else {
      place += 1
      if closesStep { steps += 1 }
      if fate == .replace { replaced += 1 }
      throughTemporaries += temporary?.levels ?? 0
    }
    return Mark(slip: slip, kind: kind, change: change, token: token)
  }

  /// Records the drop of an action that was to fail.
  mutating func noteDropped() {
    dropped += 1
  }

  /// Takes back an action that made no step.
  mutating func takeBack(_ mark: Mark) {
    if mark.slip.fate == .replace { replaced -= 1 }
    place -= 1
    steps -= 1
  }

  mutating func nextActivity() -> StressActivity {
    defer { emitted += 1 }
    return StressActivity(lane: number, sequence: emitted)
  }
}
