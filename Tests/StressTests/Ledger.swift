import Arbor

/// The state of a tree in the stress test. The root sees every action, so it checks their order and counts them all.
struct Ledger: Sendable {
  static let lanes = 12
  static let levels = 3
  static let elements = 2

  /// The number of changes. Each is counted on the left, and on the right when its step closes.
  private(set) var left = 0
  private(set) var right = 0
  private(set) var steps = 0
  private(set) var isInsideStep = false

  /// The first flaw that a reducer has found.
  private(set) var violation: String?

  /// The expected number of each lane's next action.
  private(set) var next = [Int](repeating: 0, count: Ledger.lanes)

  /// The number of actions that passed each lasting child store.
  private(set) var passed = [Int](repeating: 0, count: Ledger.levels)

  /// Each lane's newest child stores, and the number of actions through them.
  private(set) var temporaries = (0..<Ledger.lanes).map { Temporary(lane: $0, generation: 0) }

  private var lastShared = [Int](repeating: -1, count: Ledger.lanes)
  private(set) var shared = 0
  private(set) var echoes = 0
  private(set) var replacements = 0

  /// The optional part, and its place while it is nil.
  var part: LedgerPart?
  private var stowedPart = LedgerPart()

  private(set) var work = JobState()
  private(set) var elements: [WorkElement]
  private var stowedElement: WorkElement?
  private var token: StressToken?

  /// The counts of the child stores on the path to the current one.
  var locals: [Int] = []
  var temporary: Temporary?

  init(token: StressToken) {
    work.run(maxAttempts: 2, backoff: .constant(.microseconds(20)))
    elements = (0..<Ledger.elements).map { WorkElement(id: $0) }
    elements[0].work.run()
    self.token = token
  }

  mutating func reduce(_ mark: Mark) {
    let slip = mark.slip
    if slip.fate == .drop || slip.fate == .replace {
      note("O5 an action was reduced that had to be dropped or replaced")
    }
    if slip.fate == .isReplacement { replacements += 1 }
    switch mark.kind {
    case .counted(let place): reduce(place, of: slip.lane)
    case .temporary(let place, let generation, let levels):
      reduce(place, of: slip.lane)
      temporaries[slip.lane].count(generation: generation, levels: levels)
    case .shared(let lane, let sequence):
      if sequence <= lastShared[lane] { note("O2 shared action \(sequence) after \(lastShared[lane]) of lane \(lane)") }
      lastShared[lane] = sequence
      shared += 1
    case .echo: echoes += 1
    case .stray: break
    case .task(let record, let number):
      if let flaw = record.reduce(number) { note(flaw) }
    case .part:
      if part != nil {
        part!.reduce(slip)
        return
      }
    }
    left += 1
    apply(mark.change)
  }

  /// Counts a change of the state, after the change and in the same step.
  mutating func close(_ slip: Slip) {
    right += 1
    for level in 0..<slip.depth { passed[level] += 1 }
    if slip.closesStep { steps += 1 }
    isInsideStep = !slip.closesStep
  }

  mutating func noteReplacement() {
    replacements += 1
  }

  mutating func note(_ flaw: String) {
    if violation == nil { violation = flaw }
  }

  /// Changes the state like a commit that throws, which must leave no trace.
  mutating func spoil() {
    left += 1_000_000
    note("O5 the change of a commit that threw was not undone")
    part = nil
    token = nil
  }

  private mutating func reduce(_ place: Int, of lane: Int) {
    if place != next[lane] { note("O2 action \(place) of lane \(lane) came instead of \(next[lane])") }
    next[lane] = place + 1
  }

  private mutating func apply(_ change: StressChange) {
    switch change {
    case .none: break
    case .part:
      if let part { stowedPart = part }
      part = part == nil ? stowedPart : nil
    case .element:
      if let element = stowedElement.take() { elements.append(element) } else { stowedElement = elements.removeLast() }
    case .work(let number, let verb):
      if number == 0 { work.apply(verb) } else { elements[number % elements.count].work.apply(verb) }
    case .token(let token): self.token = token
    }
  }
}

extension Ledger {
  /// The number of all changes, which equals the number of closed ones.
  var changes: Int { left + partChanges }

  /// The number of changes of the part.
  private var partChanges: Int { (part ?? stowedPart).count }

  /// The flaw of the state between two actions, if any.
  var flaw: String? {
    if let violation { return violation }
    if changes != right { return "N1 \(changes) changes were made, but \(right) were closed" }
    if let part, part.count != part.twin { return "N1 the part is torn" }
    return nil
  }

  /// The flaw of a state that an observer receives, if any: all reducers of a step must have run.
  var flawBetweenSteps: String? {
    if let flaw { return flaw }
    if isInsideStep { return "N1 seen inside a step" }
    if locals != Array(passed.prefix(locals.count)) {
      return "N1 child stores counted \(locals), the root \(passed)"
    }
    guard let temporary else { return nil }
    return temporary.flaw(besides: temporaries[temporary.lane])
  }

  /// The whole as its own part.
  subscript(itselfAtPlace _: Int) -> Ledger {
    get { self }
    set { self = newValue }
  }

  /// The whole state while the number of steps is even.
  var whenEven: Ledger? {
    get { steps.isMultiple(of: 2) ? self : nil }
    set { if let newValue { self = newValue } }
  }
}
