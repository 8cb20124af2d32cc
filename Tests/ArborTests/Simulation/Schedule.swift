/// A random sequence of operations; the same seed gives the same sequence.
struct Schedule {
  private enum Kind {
    case dispatch, dispatchBatch, dispatchAndWait, dispatchAsInterceptor, readState, subscribe, end
    case makeScope, makeChild, release, step, run
  }

  private static let deepest = 4
  private static let observers = 8

  /// How often each kind of operation is done from outside, in parts of the sum.
  private static let outside: [(Kind, Int)] = [
    (.dispatch, 30), (.dispatchBatch, 6), (.dispatchAndWait, 4), (.dispatchAsInterceptor, 4), (.readState, 6),
    (.subscribe, 12), (.end, 6), (.makeScope, 6), (.makeChild, 7), (.release, 4), (.step, 20), (.run, 4),
  ]

  /// The same in callbacks, where nothing may wait.
  private static let inside: [(Kind, Int)] = [
    (.dispatch, 25), (.dispatchBatch, 4), (.dispatchAsInterceptor, 5), (.readState, 8), (.subscribe, 12), (.end, 15),
    (.makeScope, 2), (.makeChild, 6), (.release, 14),
  ]

  private var random: SplitMix64
  private var lastNumber = 0

  /// The depth of the node on which each store stands, in the order in which the stores were made.
  private var stores = [(number: 0, node: 0, depth: 1)]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// The next operation from outside.
  mutating func next() -> Operation {
    operation(of: pick(Schedule.outside), nesting: 0)
  }

  /// The operations that end a schedule: nothing waits, and nothing has an owner.
  mutating func end() -> [Operation] {
    let nodes = Set(0...lastNumber).sorted()
    return [.run] + nodes.map { .release(node: $0) } + [.run]
  }

  private mutating func operation(of kind: Kind, nesting: Int) -> Operation {
    switch kind {
    case .dispatch:
      return .dispatch(action(nesting), store: store().number)
    case .dispatchBatch:
      let count = Int.random(in: 0...3, using: &random)
      return .dispatchBatch((0..<count).map { _ in action(nesting) }, store: store().number)
    case .dispatchAndWait:
      return .dispatchAndWait(action(nesting), store: store().number)
    case .dispatchAsInterceptor:
      return .dispatchAsInterceptor(action(nesting), node: store().node)
    case .readState:
      return .readState(store: store().number)
    case .subscribe:
      return .subscribe(observer: observer(), store: store().number)
    case .end:
      return .end(observer: observer())
    case .makeScope:
      let base = store()
      let number = newNumber()
      stores.append((number, base.node, base.depth))
      return .makeScope(number, of: base.number, Projection.allCases.randomElement(using: &random)!)
    case .makeChild:
      let base = store()
      guard base.depth < Schedule.deepest else { return .readState(store: base.number) }
      let number = newNumber()
      stores.append((number, number, base.depth + 1))
      return .makeChild(
        number,
        of: base.number,
        intercepts: Bool.random(using: &random),
        isUrgent: Bool.random(using: &random)
      )
    case .release:
      return release(nesting: nesting)
    case .step:
      return .step
    case .run:
      return .run
    }
  }

  /// Releases some node; the root but seldom, as that is done but once.
  private mutating func release(nesting: Int) -> Operation {
    let node = store().node
    guard node != 0 || Int.random(in: 0..<10, using: &random) == 0 else { return .release(node: lastNumber) }
    // In a callback the release may never happen: then the node stays in the game.
    if nesting == 0, node != 0 { stores.removeAll { $0.node == node } }
    return .release(node: node)
  }

  private mutating func action(_ nesting: Int) -> SimulatedAction {
    let number = newNumber()
    let count = nesting == 2 || Bool.random(using: &random) ? 0 : Int.random(in: 1...3, using: &random)
    return SimulatedAction(number: number, reactions: (0..<count).map { _ in reaction(nesting + 1) })
  }

  private mutating func reaction(_ nesting: Int) -> Reaction {
    let place: Reaction.Place =
      Bool.random(using: &random) ? .observer(observer()) : .interceptor(of: store().node)
    let operation = operation(of: pick(Schedule.inside), nesting: nesting)
    return Reaction(number: newNumber(), place: place, operation: operation)
  }

  private mutating func store() -> (number: Int, node: Int, depth: Int) {
    stores.randomElement(using: &random)!
  }

  private mutating func observer() -> Int {
    Int.random(in: 0..<Schedule.observers, using: &random)
  }

  private mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private mutating func pick(_ weights: [(Kind, Int)]) -> Kind {
    var ticket = Int.random(in: 0..<weights.reduce(0) { $0 + $1.1 }, using: &random)
    for (kind, weight) in weights {
      ticket -= weight
      if ticket < 0 { return kind }
    }
    preconditionFailure("The ticket is below the sum of the weights.")
  }
}
