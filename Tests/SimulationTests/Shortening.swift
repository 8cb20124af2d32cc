/// Finds the fewest operations under which a world still fails: first it leaves out whole operations, then parts of the
/// others.
struct Shortening {
  private var plan: WorldPlan
  private let fails: (WorldPlan) -> Bool

  /// A plan that fails with fewer operations, if one can be found.
  static func shorten(_ plan: WorldPlan, fails: (WorldPlan) -> Bool) -> WorldPlan {
    withoutActuallyEscaping(fails) { fails in
      var shortening = Shortening(plan: plan, fails: fails)
      shortening.leaveOutMoves()
      while shortening.simplifyMoves() { shortening.leaveOutMoves() }
      return shortening.plan
    }
  }

  /// Leaves out shorter and shorter runs of operations (delta debugging).
  private mutating func leaveOutMoves() {
    var length = max(plan.moves.count / 2, 1)
    while true {
      var start = 0
      while start < plan.moves.count {
        var shorter = plan
        shorter.moves.removeSubrange(start..<min(start + length, plan.moves.count))
        if fails(shorter) { plan = shorter } else { start += length }
      }
      if length == 1 { return }
      length /= 2
    }
  }

  /// Replaces operations by simpler ones.
  ///
  /// - Returns: `true` if any was replaced.
  private mutating func simplifyMoves() -> Bool {
    var isChanged = false
    var index = 0
    while index < plan.moves.count {
      let simpler = plan.moves[index].operation.simpler.lazy.map { [plan] operation in
        var simpler = plan
        simpler.moves[index].operation = operation
        return simpler
      }
      if let simpler = simpler.first(where: fails) {
        plan = simpler
        isChanged = true
      } else {
        index += 1
      }
    }
    return isChanged
  }
}

extension Operation {
  /// Simplified operations, each with one thing less.
  var simpler: [Operation] {
    switch self {
    case .makeTree(let number, let plan): plan.simpler.map { .makeTree(number, $0) }
    case .makeChild(let number, let base, let plan): plan.simpler.map { .makeChild(number, of: base, $0) }
    case .dispatch(let script, let store): script.simpler.map { .dispatch($0, store: store) }
    case .dispatchBatch(let scripts, let store):
      scripts.withOneLess { $0.simpler }.map { .dispatchBatch($0, store: store) }
    case .dispatchAndWait(let script, let store):
      [.dispatch(script, store: store)] + script.simpler.map { .dispatchAndWait($0, store: store) }
    case .dispatchAsInterceptor(let script, let node): script.simpler.map { .dispatchAsInterceptor($0, node: node) }
    case .subscribeOnce(let number, let store, let token):
      token.simpler.map { .subscribeOnce(number, store: store, $0) }
    case .screen(let operation): operation.simpler.map { .screen($0) }
    case .elsewhere(let operation): [operation] + operation.simpler.map { .elsewhere($0) }
    case .gated(let tree, let operations):
      operations + operations.withOneLess { $0.simpler }.map { .gated(tree: tree, $0) }
    case .decide(let action, .replace(let script)):
      [.decide(action: action, .pass)] + script.simpler.map { .decide(action: action, .replace($0)) }
    case .decide(let action, .drop): [.decide(action: action, .pass)]
    case .step(let choice): choice == 0 ? [] : [.step(choice: 0)]
    case .makeScope(let number, let base, let projection):
      projection == .whole ? [] : [.makeScope(number, of: base, .whole)]
    case .observe(let number, let source, let delivery, let initial, let token):
      (delivery == .storeQueue ? [] : [.observe(number, source, .storeQueue, initial: initial, token)])
        + (initial ? [] : [.observe(number, source, delivery, initial: true, token)])
        + token.simpler.map { .observe(number, source, delivery, initial: initial, $0) }
    case .task(let store, let key, let mode, let program):
      (mode == .parallel ? [] : [.task(store: store, key: key, .parallel, program)])
        + program.simpler.map { .task(store: store, key: key, mode, $0) }
    case .cancelObservation, .keepObservation, .dropObservation, .derive, .deriveSelected, .combine, .map, .readValue,
      .dropDerived, .select, .dropSelector, .addInterceptor, .removeInterceptor, .decide(_, .pass),
      .release, .readState, .subscribe, .end, .run, .cancelTask, .cancelKey, .cancelAllTasks, .isRunning, .open,
      .advance:
      []
    }
  }
}

extension NodePlan {
  var simpler: [NodePlan] {
    var simpler: [NodePlan] = []
    if intercepts {
      var plan = self
      plan.intercepts = false
      simpler.append(plan)
    }
    if hasMiddleware {
      var plan = self
      plan.hasMiddleware = false
      simpler.append(plan)
    }
    if hasEffects {
      var plan = self
      plan.hasEffects = false
      simpler.append(plan)
    }
    if monitor != nil {
      var plan = self
      plan.monitor = nil
      simpler.append(plan)
    }
    for parts in parts.withOneLess({ $0.simpler }) {
      var plan = self
      plan.parts = parts
      simpler.append(plan)
    }
    if let job {
      var plan = self
      plan.job = nil
      simpler.append(plan)
      for effect in job.effect.simpler {
        plan.job = JobPlan(isInProgress: job.isInProgress, effect: effect)
        simpler.append(plan)
      }
    }
    return simpler
  }
}

extension PartPlan {
  var simpler: [PartPlan] {
    [\PartPlan.isBeforeWhole, \.intercepts, \.hasEffects, \.handlesErrors, \.isFirstChange]
      .filter { self[keyPath: $0] }.map { path in
        var plan = self
        plan[keyPath: path] = false
        return plan
      }
      + [\PartPlan.work, \.change].flatMap { path in
        var plan = self
        guard let effect = plan[keyPath: path].take() else { return [PartPlan]() }
        return [plan]
          + effect.simpler.map { effect in
            plan[keyPath: path] = effect
            return plan
          }
      }
  }
}

extension Script {
  var simpler: [Script] {
    (part == nil ? [] : [Script(number: number, reactions: reactions)])
      + reactions.withOneLess { $0.simpler }.map { Script(number: number, part: part, reactions: $0) }
  }
}

extension Token {
  var simpler: [Token] {
    operations.withOneLess { $0.simpler }.map { Token(number: number, operations: $0) }
  }
}

extension Reaction {
  var simpler: [Reaction] {
    switch deed {
    case .perform(let operation):
      operation.simpler.map { Reaction(number: number, place: place, deed: .perform($0)) }
    case .replace(let script):
      script.simpler.map { Reaction(number: number, place: place, deed: .replace($0)) }
    case .effect(let effect):
      effect.simpler.map { Reaction(number: number, place: place, deed: .effect($0)) }
    case .drop, .hold, .wrap, .refuse, .job, .parts: []
    }
  }
}

extension EffectPlan {
  var simpler: [EffectPlan] {
    switch self {
    case .none, .cancel: []
    case .send(let script): script.simpler.map { .send($0) }
    case .batch(let scripts): scripts.withOneLess { $0.simpler }.map { .batch($0) }
    case .catching(let effect, let script):
      [effect] + effect.simpler.map { .catching($0, script) } + script.simpler.map { .catching(effect, $0) }
    case .run(let key, let mode, let program):
      (mode == .parallel ? [] : [.run(key: key, .parallel, program)])
        + program.simpler.map { .run(key: key, mode, $0) }
    case .merge(let effects): effects + effects.withOneLess { $0.simpler }.map { .merge($0) }
    case .concatenate(let effects): effects + effects.withOneLess { $0.simpler }.map { .concatenate($0) }
    }
  }
}

extension Program {
  var simpler: [Program] {
    parts.withOneLess { part in
      switch part {
      case .send(let script): script.simpler.map { .send($0) }
      case .perform(let operation): operation.simpler.map { .perform($0) }
      case .sleep, .wait, .fail: []
      }
    }
    .map { Program(number: number, heeds: heeds, parts: $0) }
  }
}

extension Array {
  /// The arrays without one element, and the arrays with one simplified element.
  func withOneLess(_ simpler: (Element) -> [Element]) -> [[Element]] {
    indices.map { index in
      var fewer = self
      fewer.remove(at: index)
      return fewer
    }
      + indices.flatMap { index in
        simpler(self[index]).map { element in
          var other = self
          other[index] = element
          return other
        }
      }
  }
}
