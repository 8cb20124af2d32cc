/// The performer of the effects of one part's changes. Only used on the tree's queue.
final class ChangeEffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because the performer that owns it only uses it on the tree's serial queue.

  /// An effect that waits for its turn.
  private struct Waiting {
    let effect: Effect<Action>

    /// The cause of everything that the effect does.
    let cause: ActionCause

    /// Called when the wait is over; nil until the performer knows that the effect doesn't start at once.
    var isOver: (@Sendable () -> Void)?
  }

  /// A part in use: the one of the feature's state, or one element's.
  private final class Part {
    let identity = Identity()
    let element: ElementKey?
    let target: EffectTarget<Action>

    /// The identity of the part; nil if it can't be replaced.
    let partIdentity: PartIdentity?

    /// Compares the part in a state with the part in the previous state. If it has changed, the result makes the
    /// effect.
    let compare: (State) -> (() -> Effect<Action>)?

    /// Decides by the mode which effects are performed, as for tasks.
    var lane = TaskLane()

    var lastNumber: UInt64 = 0
    var waiting: [UInt64: Waiting] = [:]
    var running: [UInt64: EffectGroup] = [:]

    /// The effects that have ended, as long as one of their actions may arrive.
    var ended = ActiveGroups<UInt64>()

    /// The functions that stop the timers that the lane is waiting for.
    var timers: [UInt64: @Sendable () -> Void] = [:]

    /// The last comparison in which the part existed.
    var round: UInt64 = 0

    init(
      _ element: ElementKey?,
      _ target: EffectTarget<Action>,
      _ partIdentity: PartIdentity?,
      _ compare: @escaping (State) -> (() -> Effect<Action>)?
    ) {
      self.element = element
      self.target = target
      self.partIdentity = partIdentity
      self.compare = compare
    }

    // The store may be released while effects wait: no caller waits for them then.
    deinit {
      for waiting in waiting.values { waiting.isOver?() }
    }
  }

  private let changes: StateEffect<State, Action>.PartChanges
  private let declaration: StateEffectDeclaration
  private let place: EffectPlace<State, Action>

  /// The feature's own handler of its effects' errors; nil if they go to the handler of the place.
  private let onEffectError: EffectErrorHandler<Action>?

  /// Finds the identity of a part; nil if the state can neither be missing nor be replaced.
  private let partIdentity: (@Sendable (ElementKey?) -> PartIdentity?)?

  private var parts = ElementPartTable<ElementKey?, Part>()
  private var round: UInt64 = 0

  private var tree: Tree { place.address.tree }

  init(
    _ changes: StateEffect<State, Action>.PartChanges,
    _ declaration: StateEffectDeclaration,
    at place: EffectPlace<State, Action>,
    onEffectError: EffectErrorHandler<Action>?
  ) {
    self.changes = changes
    self.declaration = declaration
    self.place = place
    self.onEffectError = onEffectError
    partIdentity = place.state.identity
  }

  /// Compares the current state with the previous one, and requests the effects of the parts that changed.
  ///
  /// - Parameter touched: The elements that may have changed.
  func update(_ touched: TouchedElements) {
    switch touched {
    case .some(let elements): if !elements.isEmpty { update(in: elements) }
    case .all: update(in: nil)
    }
  }

  /// Compares some elements of the outermost collection; nil compares the whole state.
  private func update(in elements: [ElementKey]?) {
    round += 1
    var existing = 0
    place.state.readEach(in: elements) { state, element in
      // An id that isn't equal to itself isn't the id of any element.
      if element == nil || element == element, update(state.borrowable.pointee, of: element) { existing += 1 }
    }
    if elements == nil { place.state.collection?.looks += existing }
    guard existing < parts.count(in: elements) else { return }
    let gone = parts.parts(in: elements) { $0.round != round }
    // In the order they were first seen.
    for part in gone.values.sorted(by: { $0.identity.number < $1.identity.number }) { remove(part) }
  }

  /// Compares one part. Returns `false` if another element with the same id came before.
  private func update(_ state: borrowing Borrowable<State>, of element: ElementKey?) -> Bool {
    let part = part(of: element)
    guard part.round != round else { return false }
    part.round = round
    guard let makeEffect = part.compare(state.value), !place.isElsewhere else { return true }
    part.lastNumber += 1
    part.waiting[part.lastNumber] = Waiting(effect: makeEffect(), cause: tree.cause)
    handle(part) { lane, commands in lane.arrive(part.lastNumber, changes.mode, &commands) }
    track(part.lastNumber, of: part)
    return true
  }

  /// Returns the part of an element, a new one if the part is new or was replaced.
  private func part(of element: ElementKey?) -> Part {
    let partIdentity = partIdentity?(element)
    if let part = parts[element] {
      if part.round == round || part.partIdentity == partIdentity { return part }
      remove(part)
    }
    let part = Part(element, place.targets.target(of: element), partIdentity, changes.makeComparison())
    parts[element] = part
    return part
  }

  /// Removes a part that is gone, and cancels its effects.
  private func remove(_ part: Part) {
    parts[part.element] = nil
    handle(part) { lane, commands in lane.cancelAll(&commands) }
  }

  /// Lets a part's lane handle an event, and carries out its commands.
  private func handle(_ part: Part, _ event: (inout TaskLane, inout [TaskLane.Command]) -> Void) {
    var commands: [TaskLane.Command] = []
    event(&part.lane, &commands)
    var next = 0
    // Effects that start nothing end at once, which may add commands.
    while next < commands.count {
      switch commands[next] {
      case .start(let number):
        if !start(number, of: part) { part.lane.end(number, keepsUntilForgotten: false, &commands) }
      case .drop(let number):
        takeWaiting(number, of: part)?.effect.releaseLater()
        part.running.removeValue(forKey: number)?.cancel()
        for member in part.ended.remove(where: { $0.note == number }) { member.group?.cancel() }
      case .schedule(let timer, let delay): schedule(timer, after: delay, of: part)
      }
      next += 1
    }
    for (timer, stop) in part.timers where !part.lane.isAwaiting(timer) {
      part.timers[timer] = nil
      stop()
    }
  }

  /// Makes a tree that waits until it has settled wait for an effect that hasn't started. Tests list the effect.
  private func track(_ number: UInt64, of part: Part) {
    guard let effect = part.waiting[number]?.effect else { return }
    let cancel: @Sendable () -> Void = {
      [weak self, address = place.address, declaration, element = part.element, identity = part.identity] in
      _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in
        guard let self, let part = parts[element], part.identity == identity else { return }
        handle(part) { lane, commands in lane.cancel(number, &commands) }
      }
    }
    part.waiting[number]?.isOver = tree.trackDelay(
      of: declaration, isOngoing: effect.isOngoing, whenCancelled: cancel)
  }

  private func takeWaiting(_ number: UInt64, of part: Part) -> Waiting? {
    let waiting = part.waiting.removeValue(forKey: number)
    waiting?.isOver?()
    return waiting
  }

  /// Performs an effect. Returns `false` if it has ended at once and none of its actions can arrive.
  private func start(_ number: UInt64, of part: Part) -> Bool {
    guard let waiting = takeWaiting(number, of: part), !waiting.effect.isNone else { return false }
    let group = EffectGroup(of: declaration)
    part.running[number] = group
    tree.run(causedBy: waiting.cause) {
      let report = part.target.reporting(to: onEffectError, of: declaration)
      part.target.perform(waiting.effect, in: group, onEffectError: report)
    }
    // After the actions that the effect sent.
    let end: @Sendable (Bool) -> Void = {
      [weak self, address = place.address, declaration, element = part.element, identity = part.identity] _ in
      _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in
        self?.end(number, of: element, identity)
      }
    }
    if let isCancelled = group.whenEnded(end) { end(isCancelled) }
    return true
  }

  private func end(_ number: UInt64, of element: ElementKey?, _ identity: Identity) {
    guard let part = parts[element], part.identity == identity else { return }
    for number in part.ended.removeSilent() { part.lane.forget(number) }
    var maySend = false
    if var group = part.running.removeValue(forKey: number) { maySend = part.ended.add(&group, number) }
    handle(part) { lane, commands in lane.end(number, keepsUntilForgotten: maySend, &commands) }
  }

  private func schedule(_ timer: UInt64, after delay: Duration, of part: Part) {
    // The timer doesn't keep the state alive.
    let stop = tree.executor.schedule(after: delay, on: tree.clock) {
      [weak self, address = place.address, declaration, element = part.element, identity = part.identity] in
      _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in
        guard let self, let part = parts[element], part.identity == identity else { return }
        handle(part) { lane, commands in lane.ring(timer, &commands) }
      }
    }
    part.timers[timer] = stop
  }
}
