/// The possible content of a world, collected from all levels of its plan.
struct WorldInventory {
  /// The scripts of the actions, by their numbers.
  private(set) var scripts: [Script?] = []

  /// The nodes to release at the end.
  private(set) var nodes: [Int] = []
  private(set) var handles: [Int] = []
  private(set) var selectors: [Int] = []
  private(set) var screens: [Int] = []
  private(set) var appliers: [Int] = []

  /// A number greater than all others.
  var limit: Int { scripts.count }

  init(of plan: WorldPlan) {
    scripts.reserveCapacity(1_000)
    count(WorldPlan.observers.upperBound)
    for move in plan.moves { add(move.operation) }
  }

  private mutating func count(_ numbers: Int...) {
    for number in numbers {
      while number >= scripts.count { scripts.append(nil) }
    }
  }

  private mutating func add(_ operation: Operation) {
    switch operation {
    case .makeTree(let number, let plan):
      add(number, plan)
    case .makeChild(let number, let base, let plan):
      count(base)
      add(number, plan)
    case .dispatch(let script, let number), .dispatchAndWait(let script, let number),
      .dispatchAsInterceptor(let script, let number):
      count(number)
      add(script)
    case .dispatchBatch(let scripts, let number):
      count(number)
      for script in scripts { add(script) }
    case .subscribeOnce(let number, let store, let token):
      count(number, store)
      add(token)
    case .observe(let number, let source, _, _, let token):
      handles.append(number)
      count(number, source.number)
      add(token)
    case .derive(let number, let base, _), .map(let number, let base, _):
      handles.append(number)
      count(number, base)
    case .combine(let number, let first, let second):
      handles.append(number)
      count(number, first, second)
    case .deriveSelected(let number, let selector, let store):
      handles.append(number)
      selectors.append(selector)
      count(number, selector, store)
    case .select(let number, let store):
      selectors.append(number)
      count(number, store)
    case .task(let store, _, _, let program):
      count(store)
      add(program)
    case .makeScope(let number, let base, _), .subscribe(let number, let base),
      .addInterceptor(let number, let base):
      count(number, base)
    case .release(let number), .readState(let number), .end(let number), .cancelTask(let number),
      .cancelKey(_, _, let number), .cancelAllTasks(let number), .isRunning(_, let number),
      .cancelObservation(let number), .keepObservation(let number), .dropObservation(let number),
      .readValue(let number), .dropDerived(let number), .dropSelector(let number), .removeInterceptor(let number):
      count(number)
    case .decide(let number, let decision):
      count(number)
      if case .replace(let script) = decision { add(script) }
    case .screen(let operation):
      add(operation)
    case .elsewhere(let operation):
      add(operation)
    case .gated(let number, let operations):
      count(number)
      for operation in operations { add(operation) }
    case .open, .advance, .step, .run:
      break
    }
  }

  private mutating func add(_ operation: ScreenOperation) {
    switch operation {
    case .show(let number, let source):
      screens.append(number)
      count(number, source?.number ?? 0)
    case .showScope(let number, let base), .showRows(let number, let base), .showRow(let number, _, let base):
      screens.append(number)
      count(number, base)
    case .drop(let number), .track(_, let number, _), .stopApplying(let number):
      count(number)
    case .read(let sight):
      count(sight.screen)
    case .apply(let number, let sights):
      appliers.append(number)
      count(number)
      for sight in sights { count(sight.screen) }
    case .send(let script, let screen):
      count(screen)
      add(script)
    case .write(let script, let sight, _):
      count(sight.screen)
      add(script)
    }
  }

  private mutating func add(_ number: Int, _ plan: NodePlan) {
    nodes.append(number)
    count(number)
    if let job = plan.job { add(job.effect) }
    for effect in plan.parts.flatMap({ [$0.work, $0.change] }) { effect.map { add($0) } }
    if let token = plan.monitor { add(token) }
  }

  private mutating func add(_ script: Script) {
    count(script.number)
    scripts[script.number] = script
    for reaction in script.reactions {
      count(reaction.number)
      switch reaction.deed {
      case .perform(let operation): add(operation)
      case .replace(let script): add(script)
      case .effect(let effect): add(effect)
      case .drop, .hold, .wrap, .refuse, .job, .parts: break
      }
    }
  }

  private mutating func add(_ effect: EffectPlan) {
    switch effect {
    case .none, .cancel: break
    case .send(let script): add(script)
    case .batch(let scripts): for script in scripts { add(script) }
    case .catching(let effect, let script):
      add(effect)
      add(script)
    case .run(_, _, let program): add(program)
    case .merge(let effects), .concatenate(let effects):
      for effect in effects { add(effect) }
    }
  }

  private mutating func add(_ program: Program) {
    count(program.number)
    for part in program.parts {
      switch part {
      case .send(let script): add(script)
      case .perform(let operation): add(operation)
      case .sleep, .wait, .fail: break
      }
    }
  }

  private mutating func add(_ token: Token) {
    count(token.number)
    for operation in token.operations { add(operation) }
  }
}

extension Source {
  fileprivate var number: Int {
    switch self {
    case .store(let number), .derived(let number): number
    }
  }
}
