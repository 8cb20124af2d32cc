/// The root's state in the stress test: the root sees every action, so it checks their order and counts them all.
struct Ledger: Sendable {
  static let threads = 4
  static let levels = 3

  private(set) var total = 0
  private(set) var steps = 0
  private(set) var isInsideStep = false

  /// How many actions came out of order, twice, or after a missing one.
  private(set) var violations = 0

  /// The sequence number that each thread's next action must have.
  private(set) var next = [Int](repeating: 0, count: Ledger.threads)

  /// How many actions passed each lasting child store.
  private(set) var passed = [Int](repeating: 0, count: Ledger.levels)

  /// Each thread's newest temporary child store, and how many actions came through it.
  private(set) var temporaries = (0..<Ledger.threads).map { Temporary(thread: $0, generation: 0) }

  private(set) var sharedCount = 0
  private var lastShared = [Int](repeating: -1, count: Ledger.threads)

  mutating func reduce(_ action: StressAction) {
    total += 1
    if action.closesStep { steps += 1 }
    isInsideStep = !action.closesStep
    for level in 0..<action.depth { passed[level] += 1 }
    switch action.kind {
    case .lasting:
      reduceInOrder(action)
    case .temporary(let generation):
      reduceInOrder(action)
      if temporaries[action.thread].generation != generation {
        temporaries[action.thread] = Temporary(thread: action.thread, generation: generation)
      }
      temporaries[action.thread].count += 1
    case .shared:
      if action.sequence <= lastShared[action.thread] { violations += 1 }
      lastShared[action.thread] = action.sequence
      sharedCount += 1
    }
  }

  private mutating func reduceInOrder(_ action: StressAction) {
    if action.sequence != next[action.thread] { violations += 1 }
    next[action.thread] = action.sequence + 1
  }
}
