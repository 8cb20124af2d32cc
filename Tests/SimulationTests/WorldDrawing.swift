import TestSupport

/// Draws the schedule of a world. The same seed draws the same schedule.
struct WorldDrawing {
  private static let deepest = 4

  private let seed: UInt64
  var random: SplitMix64
  private var lastNumber = WorldPlan.observers.upperBound - 1

  /// The stores in the order in which they were made.
  private var stores: [(number: Int, node: Int, depth: Int)] = []
  private var onceObservers: [Int] = []
  private var additions: [Int] = []

  /// The numbers of the actions that interceptors may hold.
  private var heldActions: [Int] = []
  private var observations: [Int] = []
  private var deriveds: [Int] = []
  private var programs: [Int] = []
  private var selectors: [Int] = []
  var screens = Screens()

  private init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  /// Draws a world with a number of operations.
  static func draw(seed: UInt64, length: Int) -> WorldPlan {
    var drawing = WorldDrawing(seed: seed)
    return drawing.draw(length: length)
  }

  private mutating func draw(length: Int) -> WorldPlan {
    var operations = [makeTree(0, isOfCommits: false), makeTree(1, isOfCommits: true)]
    // Every third world has screens, which need many operations to show anything.
    let weights = seed.isMultiple(of: 3) ? WorldDrawing.onScreens : WorldDrawing.outside
    while operations.count < length { operations.append(operation(of: pick(weights), nesting: 0)) }
    let moves = operations.enumerated().map { WorldPlan.Move($0.offset, $0.element) }
    return WorldPlan(seed: seed, moves: moves)
  }

  private mutating func makeTree(_ number: Int, isOfCommits: Bool) -> Operation {
    stores.append((number, number, 1))
    var plan = nodePlan(isOfCommits: isOfCommits)
    if chance(1, in: 4) { plan.monitor = token(1) }
    return .makeTree(number, plan)
  }

  private mutating func operation(of kind: Kind, nesting: Int) -> Operation {
    switch kind {
    case .dispatch: return .dispatch(script(nesting), store: store().number)
    case .dispatchBatch:
      let count = Int.random(in: 0...3, using: &random)
      return .dispatchBatch((0..<count).map { _ in script(nesting) }, store: store().number)
    case .dispatchAndWait: return .dispatchAndWait(script(nesting), store: store().number)
    case .dispatchAsInterceptor: return .dispatchAsInterceptor(script(nesting), node: store().node)
    case .readState: return .readState(store: store().number)
    case .addInterceptor:
      let store = store().number
      additions.append(newNumber())
      return .addInterceptor(lastNumber, store: store)
    case .removeInterceptor: return .removeInterceptor(addition())
    case .decide: return .decide(action: heldActions.suffix(4).randomElement(using: &random) ?? 0, decision(nesting))
    case .subscribe:
      return .subscribe(observer: WorldPlan.observers.randomElement(using: &random)!, store: store().number)
    case .subscribeOnce:
      let number = newNumber()
      onceObservers.append(number)
      return .subscribeOnce(number, store: store().number, token(nesting))
    case .end: return .end(observer: observer())
    case .makeScope:
      let base = store()
      let number = newNumber()
      stores.append((number, base.node, base.depth))
      return .makeScope(number, of: base.number, Projection.allCases.randomElement(using: &random)!)
    case .makeChild:
      let base = store()
      guard base.depth < WorldDrawing.deepest else { return .readState(store: base.number) }
      let number = newNumber()
      stores.append((number, number, base.depth + 1))
      return .makeChild(number, of: base.number, nodePlan())
    case .release: return release(nesting: nesting)
    case .observe: return observe(nesting)
    case .cancelObservation: return .cancelObservation(observation())
    case .keepObservation: return .keepObservation(observation())
    case .dropObservation: return .dropObservation(observation())
    case .derive:
      let store = store().number
      return .derive(newDerived(), store: store, modulus: Int.random(in: 2...5, using: &random))
    case .combine:
      let (first, second) = (derived(), derived())
      return .combine(newDerived(), first, second)
    case .map:
      let base = derived()
      return .map(newDerived(), of: base, modulus: Int.random(in: 2...3, using: &random))
    case .deriveSelected:
      let (selector, store) = (selector(), store().number)
      return .deriveSelected(newDerived(), selector: selector, store: store)
    case .select: return .select(selector(), store: store().number)
    case .dropSelector: return .dropSelector(selector())
    case .readValue: return .readValue(derived())
    case .dropDerived: return .dropDerived(derived())
    case .task: return .task(store: store().number, key: key(), mode(), program(nesting))
    case .cancelTask: return .cancelTask(program: programs.randomElement(using: &random) ?? 0)
    case .cancelKey:
      let (key, store) = (chance(1, in: 2) ? 0 : 1, store())
      // Below a scope there are no features.
      return .cancelKey(key, at: store.number == store.node && chance(1, in: 2) ? part() : nil, store: store.number)
    case .cancelAllTasks: return .cancelAllTasks(store: store().number)
    case .isRunning: return .isRunning(key: chance(1, in: 2) ? 0 : 1, store: store().number)
    case .open: return .open(gate: Int.random(in: 0..<2, using: &random))
    case .screen: return .screen(screenOperation(nesting))
    case .elsewhere: return .elsewhere(operation(of: pick(WorldDrawing.inside), nesting: nesting))
    case .gated:
      let operations = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        operation(of: pick(WorldDrawing.outside), nesting: nesting)
      }
      return .gated(tree: chance(1, in: 2) ? 0 : 1, operations)
    case .advance: return .advance(by: Int.random(in: 1...4, using: &random))
    case .step: return .step(choice: chance(1, in: 2) ? 0 : Int.random(in: 0..<16, using: &random))
    case .run: return .run
    }
  }

  /// Releases some node; roots only rarely, because this can happen only once.
  private mutating func release(nesting: Int) -> Operation {
    let node = store().node
    guard node > 9 || chance(1, in: 10) else { return .release(node: lastNumber) }
    // In a callback the release may never happen, so the node is still used.
    if nesting == 0, node > 9 { stores.removeAll { $0.node == node } }
    return .release(node: node)
  }

  private mutating func nodePlan(isOfCommits: Bool = false) -> NodePlan {
    var plan = NodePlan(isOfCommits: isOfCommits, intercepts: chance(1, in: 2), hasEffects: chance(1, in: 2))
    plan.hasMiddleware = isOfCommits && chance(1, in: 2)
    if chance(1, in: 3) { plan.job = JobPlan(isInProgress: chance(1, in: 2), effect: effect(1)) }
    if !isOfCommits, chance(2, in: 3) {
      plan.parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in partPlan() }
    }
    return plan
  }

  private mutating func observe(_ nesting: Int) -> Operation {
    let source = chance(1, in: 2) && !deriveds.isEmpty ? Source.derived(derived()) : .store(store().number)
    let number = newNumber()
    observations.append(number)
    let delivery: Delivery =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .each
      case 1, 2: .latest
      case 3: .latestAtMostEvery(Int.random(in: 1...3, using: &random))
      case 4: .main
      case 5: chance(1, in: 2) ? .main : .mainAtMostEvery(Int.random(in: 1...3, using: &random))
      default: .storeQueue
      }
    return .observe(number, source, delivery, initial: chance(3, in: 4), token(nesting))
  }

  private mutating func addition() -> Int { additions.suffix(4).randomElement(using: &random) ?? 0 }

  private mutating func observation() -> Int { observations.randomElement(using: &random) ?? 0 }

  mutating func derived() -> Int { deriveds.suffix(6).randomElement(using: &random) ?? 0 }

  /// An existing selector, or a new one.
  private mutating func selector() -> Int {
    if chance(2, in: 3), let number = selectors.suffix(4).randomElement(using: &random) { return number }
    selectors.append(newNumber())
    return lastNumber
  }

  private mutating func newDerived() -> Int {
    let number = newNumber()
    deriveds.append(number)
    return number
  }

  // MARK: Tasks

  mutating func effect(_ nesting: Int) -> EffectPlan {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .none
    case 10 where nesting < 2: return .catching(effect(nesting + 1), script(nesting + 1))
    case 11: return .batch((0..<Int.random(in: 1...3, using: &random)).map { _ in script(nesting) })
    case 1, 2: return .send(script(nesting))
    case 3: return .cancel(key: chance(1, in: 2) ? 0 : 1, at: chance(1, in: 2) ? nil : part())
    case 4 where nesting < 2: return .merge([effect(nesting + 1), effect(nesting + 1)])
    case 5 where nesting < 2: return .concatenate([effect(nesting + 1), effect(nesting + 1)])
    default: return .run(key: key(), mode(), program(nesting))
    }
  }

  private mutating func key() -> Int? {
    chance(1, in: 4) ? nil : chance(1, in: 2) ? 0 : 1
  }

  private mutating func mode() -> Mode {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .dropCurrent
    case 1: .waitInCurrent
    case 2: .keepCurrent
    case 3: .debounce(Int.random(in: 1...3, using: &random))
    case 4: .throttle(Int.random(in: 1...3, using: &random), latest: chance(1, in: 2))
    default: .parallel
    }
  }

  private mutating func program(_ nesting: Int) -> Program {
    let number = newNumber()
    programs.append(number)
    let count = Int.random(in: 0...3, using: &random)
    let parts = (0..<count).map { _ in part(nesting) }
    return Program(number: number, heeds: chance(1, in: 2), parts: parts)
  }

  private mutating func part(_ nesting: Int) -> Program.Part {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: return .send(script(nesting))
    case 3, 4: return .sleep(Int.random(in: 1...4, using: &random))
    case 5: return .wait(gate: Int.random(in: 0..<2, using: &random))
    case 6 where nesting < 2: return .perform(operation(of: pick(WorldDrawing.inside), nesting: nesting + 1))
    case 6, 7: return chance(1, in: 2) ? .fail : .sleep(1)
    default: return .sleep(1)
    }
  }

  private mutating func jobVerb() -> JobVerb {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: .run(maxAttempts: Int.random(in: 1...3, using: &random), delay: Int.random(in: 0...2, using: &random))
    case 2: .restart
    case 3: .retry
    case 4: .succeed
    case 5: .fail
    case 6: .cancel
    default: .reset
    }
  }

  private mutating func token(_ nesting: Int) -> Token {
    let number = newNumber()
    guard nesting < 2, chance(1, in: 2) else { return Token(number: number) }
    return Token(number: number, operations: [operation(of: pick(WorldDrawing.releasing), nesting: nesting + 1)])
  }

  mutating func script(_ nesting: Int) -> Script {
    let number = newNumber()
    let count = nesting == 2 || chance(1, in: 2) ? 0 : Int.random(in: 1...3, using: &random)
    let part = chance(1, in: 2) ? nil : part()
    let reactions = (0..<count).map { _ in reaction(part?.kind, nesting + 1) }
    if reactions.contains(where: { if case .hold = $0.deed { true } else { false } }) { heldActions.append(number) }
    return Script(number: number, part: part, reactions: reactions)
  }

  private mutating func decision(_ nesting: Int) -> Decision {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .drop
    case 1, 2: .replace(script(nesting))
    default: .pass
    }
  }

  /// - Parameter part: The kind of the parts to which the action belongs; nil if it belongs to the whole.
  private mutating func reaction(_ part: StatePart.Kind?, _ nesting: Int) -> Reaction {
    // The features of whole states see actions of parts as well.
    let part = chance(2, in: 3) ? part : nil
    let number = newNumber()
    let node = part == nil ? interceptingPlace() : owner()
    if part != nil, chance(1, in: 3) {
      return Reaction(number: number, place: Place(.effects, node, part), deed: .effect(partEffect(nesting)))
    }
    switch Int.random(in: 0..<30, using: &random) {
    case 28, 29: return Reaction(number: number, place: Place(.interceptor, node, part), deed: .hold)
    case 20, 21, 22:
      return Reaction(number: number, place: Place(.effects, node, part), deed: .effect(effect(nesting)))
    case 23, 24: return Reaction(number: number, place: Place(.reducer, store().node), deed: .job(jobVerb()))
    case 25, 26, 27: return Reaction(number: number, place: Place(.reducer, owner()), deed: .parts(partVerb()))
    case 0: return Reaction(number: number, place: Place(.interceptor, node, part), deed: .drop)
    case 1:
      return Reaction(number: number, place: Place(.interceptor, node, part), deed: .replace(script(nesting)))
    case 2:
      return Reaction(number: number, place: Place(.reducer, chance(1, in: 2) ? 1 : owner()), deed: .refuse)
    case 3: return Reaction(number: number, place: Place(.interceptor, node, part), deed: .wrap)
    default:
      let place = place(of: part)
      let operation = operation(of: pick(WorldDrawing.inside), nesting: nesting)
      return Reaction(number: number, place: place, deed: .perform(operation))
    }
  }

  /// A node, or an interceptor added to one.
  private mutating func interceptingPlace() -> Int {
    guard !additions.isEmpty, chance(1, in: 4) else { return store().node }
    return addition()
  }

  /// A callback that may perform operations.
  private mutating func place(of part: StatePart.Kind?) -> Place {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4 where !observations.isEmpty: Place(.observation, observation())
    case 0..<8: Place(.observer, observer())
    case 8: Place(.effects, store().node, part)
    case 9: Place(.monitor, chance(1, in: 2) ? 0 : 1)
    case 10 where !screens.appliers.isEmpty: Place(.application, screens.appliers.randomElement(using: &random)!)
    default: Place(.interceptor, part == nil ? interceptingPlace() : store().node, part)
    }
  }

  mutating func store() -> (number: Int, node: Int, depth: Int) {
    stores.randomElement(using: &random)!
  }

  private mutating func observer() -> Int {
    if chance(1, in: 3), let number = onceObservers.randomElement(using: &random) { return number }
    return WorldPlan.observers.randomElement(using: &random)!
  }

  mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
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
