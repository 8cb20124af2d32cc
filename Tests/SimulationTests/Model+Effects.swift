/// Effects of actions and states.
extension Model {
  /// Effects that a caller awaits, or that are canceled together.
  final class Group {
    private var count = 0
    private var cancellations: [() -> Void] = []
    private var whenEnded: ((_ isCancelled: Bool) -> Void)?
    private(set) var isCancelled = false
    private(set) var isClosed = false
    private(set) var hasEnded = false

    var isRunning: Bool { count > 0 }

    /// - Returns: `true` if a member was added; `false` if the group was canceled.
    func enter() -> Bool {
      if !isClosed { count += 1 }
      return !isClosed
    }

    func leave(isCancelled: Bool) {
      count -= 1
      if isCancelled { self.isCancelled = true }
      guard count == 0 else { return }
      hasEnded = true
      let whenEnded = whenEnded
      self.whenEnded = nil
      whenEnded?(self.isCancelled)
    }

    func cancel() {
      isCancelled = true
      isClosed = true
      for cancel in cancellations { cancel() }
    }

    func whenCancelled(_ cancel: @escaping () -> Void) {
      cancellations.append(cancel)
      if isClosed { cancel() }
    }

    /// Calls a closure when the last member has left, or immediately if it has already left.
    func whenEnded(_ body: @escaping (_ isCancelled: Bool) -> Void) {
      if hasEnded { body(isCancelled) } else { whenEnded = body }
    }
  }

  /// The owner of effects: a node, or a part of its state.
  struct Target {
    let node: Node
    var part: StatePart?

    /// The number recorded with the errors of tasks.
    var reportsAs: Int32 = 0

    /// The reaction to an error of a task; nil if the error is recorded.
    var retry: (() -> Void)?

    /// The reaction to a task that fails or is canceled; then its error is neither recorded nor retried.
    var whenFailed: (() -> Void)?
  }

  /// Requests the effects of an action from the features of a node, in order, with the new state.
  func setOff(_ action: Action, at node: Node) {
    for feature in node.features {
      guard feature.plan == nil else {
        setOffPart(action, by: feature, at: node)
        continue
      }
      if node.plan.hasEffects {
        note(.asked, node.number, action.number, node.parts.digest)
        if let effect = effect(of: action, at: Place(.effects, node.number)) {
          perform(effect, at: Target(node: node), in: nil)
        }
      }
      followStep(feature, at: node) { [unowned self] in follow(node) }
    }
  }

  /// Runs the reactions to an action in the place where effects are requested.
  ///
  /// - Returns: The action's effect there, if any.
  func effect(of action: Action, at place: Place) -> EffectPlan? {
    react(to: action.number, at: place)
    guard case .effect(let effect) = scripts.deed(about: action.number, at: place) else { return nil }
    return effect
  }

  /// - Parameter places: The places that were reserved for its tasks.
  func perform(_ effect: EffectPlan, at target: Target, in group: Group?, places: [Reservation] = []) {
    switch effect {
    case .none: break
    case .send(let script): send([script], to: target, in: group)
    case .batch(let scripts): if !scripts.isEmpty { send(scripts, to: target, in: group) }
    case .catching(let effect, let script):
      perform(effect, at: catching(script, at: target), in: group, places: places)
    case .cancel(let key, let part):
      // A part has no features of parts itself.
      guard target.part == nil || part == nil else { return }
      cancelKnown(key, in: table(of: Target(node: target.node, part: target.part ?? part)))
    case .merge(let effects): for effect in effects { perform(effect, at: target, in: group, places: places) }
    case .concatenate(let effects):
      guard group?.enter() != false else { return giveUp(effect, at: target) }
      perform(effects.map { ($0, places) }[...], at: target, in: group, within: places)
    case .run(let key, let mode, let program):
      guard group?.enter() != false else { return giveUp(effect, at: target) }
      let task = Task(
        program,
        in: table(of: target),
        key: key,
        group: group,
        isSetOff: isInside(target.node.tree),
        reportsAs: target.whenFailed == nil ? target.reportsAs : nil,
        retry: target.whenFailed == nil ? target.retry : nil,
        whenFailed: target.whenFailed,
        send: { [unowned self] task, script in
          send(Action(script, in: target.node.tree).embedded(in: target.part), to: target.node, by: task)
        }
      )
      add(task, mode, at: places.first { $0.key == key })
      group?.whenCancelled { [unowned self, weak task] in
        if let task { cancel(task) }
      }
    }
  }

  private func send(_ scripts: [Script], to target: Target, in group: Group?) {
    var isRevoked = false
    group?.whenCancelled { isRevoked = true }
    guard !isRevoked else { return }
    let node = target.node
    let actions = scripts.map { Action($0, in: node.tree).embedded(in: target.part) }
    accept(at: node, .waits) { [unowned self] in step(node, actions, isBatch: true) { isRevoked } }
  }

  /// A target whose tasks send an action when the first of them fails or is canceled.
  private func catching(_ script: Script, at target: Target) -> Target {
    var (inner, isSent) = (target, false)
    inner.whenFailed = { [unowned self] in
      guard !isSent else { return }
      isSent = true
      send([script], to: target, in: nil)
    }
    return inner
  }

  /// Treats the tasks of an effect that is not performed as canceled.
  private func giveUp(_ effect: EffectPlan, at target: Target) {
    switch effect {
    case .none, .send, .batch, .cancel: break
    case .run: target.whenFailed?()
    case .merge(let effects), .concatenate(let effects): for effect in effects { giveUp(effect, at: target) }
    case .catching(let effect, let script): giveUp(effect, at: catching(script, at: target))
    }
  }

  /// Sends an action of a task.
  func send(_ action: Action, to node: Node, by task: Task) {
    guard !task.isOver, node.isOpen else { return }
    task.waiting += 1
    accept(at: node, .waits) { [unowned self] in
      step(node, [action], isRevoked: { task.isRevoked }, whenDone: { [unowned self] in forgetAction(of: task) })
    }
  }

  /// Performs the parts of a sequence that has entered a group, one after the other.
  ///
  /// - Parameter outer: The places reserved for all parts together; nil once each part has its own.
  private func perform(
    _ parts: ArraySlice<(effect: EffectPlan, places: [Reservation])>,
    at target: Target,
    in group: Group?,
    within outer: [Reservation]?
  ) {
    let table = table(of: target)
    let (first, rest) = (parts[parts.startIndex], parts.dropFirst())
    guard !rest.isEmpty else {
      perform(first.effect, at: target, in: group, places: first.places)
      if outer == nil { release(first.places, in: table) }
      group?.leave(isCancelled: false)
      return
    }
    let part = Group()
    group?.whenCancelled { part.cancel() }
    _ = part.enter()
    let isClosed = part.isClosed
    if !isClosed { perform(first.effect, at: target, in: part, places: first.places) }
    part.leave(isCancelled: false)
    if isClosed { giveUp(first.effect, at: target) }
    if outer == nil { release(first.places, in: table) }
    var (next, outer) = (rest, outer)
    if outer != nil, !part.hasEnded {
      next = rest.map { ($0.effect, reserve($0.effect, within: $0.places, in: table)) }[...]
      outer = nil
    }
    part.whenEnded { [unowned self, next, outer] isCancelled in
      guard isCancelled else { return perform(next, at: target, in: group, within: outer) }
      for part in next {
        if outer == nil { release(part.places, in: table) }
        giveUp(part.effect, at: target)
      }
      group?.leave(isCancelled: true)
    }
  }

  private func reserve(_ effect: EffectPlan, within outer: [Reservation], in table: Table) -> [Reservation] {
    effect.keys.map { key in
      if let place = outer.first(where: { $0.key == key }), place.isOver { return place }
      table.count += 1
      let place = Reservation(table.count, of: key, entry: isInside(table.tree) ? table.tree.running : 0, isOver: false)
      let lane = table.lanes[key] ?? Lane()
      table.lanes[key] = lane
      lane.reserved.append(place)
      return place
    }
  }

  private func release(_ places: [Reservation], in table: Table) {
    for place in places {
      guard let lane = table.lanes[place.key] else { continue }
      lane.reserved.removeAll { $0 === place }
      tidy(lane, place.key, in: table)
    }
  }

  // MARK: Work that is a function of the state

  /// The progress of a piece of work.
  struct Job {
    /// The number of the attempt in progress; nil if none is.
    private(set) var attempt: Int?

    /// The total number of attempts that have begun.
    private(set) var begun = 0
    private var maxAttempts = 1
    private(set) var retryDelay = 0

    /// The time that the attempt in progress waits before it runs.
    var delay: Int { attempt ?? 1 > 1 ? retryDelay : 0 }

    /// The number of retries left for the effect of the attempt in progress.
    var attemptsLeft: Int { max(maxAttempts - (attempt ?? maxAttempts), 0) }

    mutating func change(_ verb: JobVerb) {
      switch verb {
      case .run(let maxAttempts, let delay):
        guard attempt == nil else { return }
        (self.maxAttempts, retryDelay) = (maxAttempts, delay)
        begin(1)
      case .restart: begin(1)
      case .retry:
        guard let attempt else { return }
        if attempt < maxAttempts { begin(attempt + 1) } else { self.attempt = nil }
      case .succeed, .fail, .cancel: attempt = nil
      case .reset: self = Job(begun: begun)
      }
    }

    init(begun: Int = 0) {
      self.begun = begun
    }

    private mutating func begin(_ attempt: Int) {
      begun += 1
      self.attempt = attempt
    }
  }

  /// An observed attempt.
  final class Attempt {
    let number: Int

    /// The number of retries left, and their delay.
    let retriesLeft: Int
    let retryDelay: Int
    var delay: Alarm?
    var isDue = true
    var group: Group?

    init(_ number: Int, retriesLeft: Int, retryDelay: Int) {
      self.number = number
      self.retriesLeft = retriesLeft
      self.retryDelay = retryDelay
    }
  }

  /// Begins the work in progress of a new node, in its turn.
  func begin(_ node: Node) {
    for feature in node.features {
      if feature.plan == nil {
        if node.plan.job != nil { accept(at: node) { [unowned self] in follow(node) } }
      } else if feature.hasStateEffects {
        accept(at: node) { [unowned self] in followParts(of: feature, at: node) }
      }
    }
  }

  private func follow(_ node: Node) {
    guard let plan = node.plan.job else { return }
    if node.leaving?.isRunning == false { node.leaving = nil }
    if let attempt = node.attempt, node.job.attempt == nil || attempt.number != node.job.begun {
      node.attempt = nil
      if let delay = attempt.delay { stop(delay) }
      attempt.delay = nil
      if let group = attempt.group { leave(group, at: node) }
    }
    guard node.job.attempt != nil else { return }
    if node.attempt == nil {
      let job = node.job
      let attempt = Attempt(job.begun, retriesLeft: job.attemptsLeft, retryDelay: job.retryDelay)
      begin(attempt, at: node, after: job.delay)
    }
    guard let attempt = node.attempt, attempt.isDue, attempt.group == nil, node.leaving == nil else { return }
    note(.askedForState, node.number, node.digest.count)
    guard !plan.effect.isNone else { return }
    let group = Group()
    attempt.group = group
    // Keep it meanwhile, so that it does not end between two parts of the effect.
    _ = group.enter()
    var target = Target(node: node)
    if attempt.retriesLeft > 0 {
      target.retry = { [unowned self, unowned node, weak attempt] in
        accept(at: node) { [unowned self, weak attempt] in
          if let attempt, node.attempt === attempt { retry(attempt, at: node) }
        }
      }
    }
    perform(plan.effect, at: target, in: group)
    group.leave(isCancelled: false)
  }

  private func retry(_ attempt: Attempt, at node: Node) {
    node.attempt = nil
    if let group = attempt.group { leave(group, at: node) }
    let next = Attempt(attempt.number, retriesLeft: attempt.retriesLeft - 1, retryDelay: attempt.retryDelay)
    begin(next, at: node, after: attempt.retryDelay)
    follow(node)
  }

  /// Handles the end of an attempt: the next one waits for the effect that it performs.
  private func leave(_ group: Group, at node: Node) {
    group.cancel()
    guard group.isRunning else { return }
    node.leaving = group
    group.whenEnded { [unowned self] _ in accept(at: node) { [unowned self] in follow(node) } }
  }

  private func begin(_ attempt: Attempt, at node: Node, after delay: Int) {
    node.attempt = attempt
    guard delay > 0 else { return }
    attempt.isDue = false
    attempt.delay = schedule(after: delay) { [unowned self] in
      accept(at: node) { [unowned self] in
        attempt.delay = nil
        guard node.attempt === attempt else { return }
        attempt.isDue = true
        follow(node)
      }
    }
  }
}

extension EffectPlan {
  /// The distinct keys of its tasks.
  fileprivate var keys: [Int] {
    switch self {
    case .none, .send, .batch, .cancel: []
    case .catching(let effect, _): effect.keys
    case .run(let key, _, _): key.map { [$0] } ?? []
    case .merge(let effects), .concatenate(let effects):
      effects.reduce(into: []) { keys, effect in keys += effect.keys.filter { !keys.contains($0) } }
    }
  }

  /// `true` if there is nothing to perform.
  var isNone: Bool {
    switch self {
    case .none: true
    case .send, .run, .cancel: false
    case .batch(let scripts): scripts.isEmpty
    case .catching(let effect, _): effect.isNone
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isNone)
    }
  }
}
