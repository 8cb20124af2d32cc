internal import Dispatch

/// The performer of the effects that one feature declares. Only used on the tree's queue.
@usableFromInline
final class EffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because only a node has it, and only uses it on the tree's serial queue.

  @usableFromInline let effects: (@Sendable (State, Action) -> Effect<Action>)?

  /// Compare the elements that may have changed with the effects that each state effect performs.
  @usableFromInline let updates: [(TouchedElements) -> Void]
  @usableFromInline let place: EffectPlace<State, Action>

  /// The feature's own handler of its effects' errors; nil if they go to the handler of the place.
  private let onEffectError: EffectErrorHandler<Action>?

  /// `true` if effects must end or begin because of a state that another feature's action left.
  @usableFromInline let mustSeeEachStep: Bool

  /// The outermost collection whose elements the feature works in; nil if there is none.
  @usableFromInline let collection: WatchedCollection?

  /// The effects of parts that may be missing or replaced.
  private var watched: WatchedEffects

  /// The elements that may have changed since the effects were compared with the state.
  private var touched = TouchedElements.all

  /// The cause of the work that waits for the end of the running batch; nil if there is none.
  private var causeAfterBatch: ActionCause?

  /// Makes the performer of a feature; nil if the feature declares no effects.
  @usableFromInline
  convenience init?(
    effects: (@Sendable (State, Action) -> Effect<Action>)?,
    stateEffects: [StateEffect<State, Action>],
    at place: EffectPlace<State, Action>,
    onEffectError report: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  ) {
    guard effects != nil || !stateEffects.isEmpty else { return nil }
    var onEffectError: EffectErrorHandler<Action>?
    if let report { onEffectError = { key, action, error, _ in report(key, action, error) } }
    let updates: [(TouchedElements) -> Void] = stateEffects.map { [onEffectError] stateEffect in
      switch stateEffect.form {
      case .jobs(let jobs):
        StateEffectPerformer(jobs, stateEffect.declaration, at: place, onEffectError: onEffectError).update
      case .changes(let changes):
        ChangeEffectPerformer(changes, stateEffect.declaration, at: place, onEffectError: onEffectError).update
      }
    }
    self.init(effects, updates, at: place, onEffectError)
    if !stateEffects.isEmpty { collection?.watchers += 1 }
  }

  // Doesn't make anything that performs effects: a linker keeps everything a designated initializer contains, even in a
  // program without effects.
  private init(
    _ effects: (@Sendable (State, Action) -> Effect<Action>)?,
    _ updates: [(TouchedElements) -> Void],
    at place: EffectPlace<State, Action>,
    _ onEffectError: EffectErrorHandler<Action>?
  ) {
    self.effects = effects
    self.updates = updates
    self.place = place
    self.onEffectError = onEffectError
    collection = place.state.collection
    watched = WatchedEffects(of: place.state.identity, place.state.identities, in: collection)
    mustSeeEachStep = !updates.isEmpty || place.state.identity != nil
  }

  /// Starts the state effects whose jobs are in progress in the initial state. Called once, after the node is open.
  @usableFromInline
  @Sendable
  func begin() {
    guard !updates.isEmpty else { return }
    _ = place.address.tree.append(at: place.address, .effect(of: nil)) { [weak self] _ in self?.update() }
  }

  /// The function that performs the effects that the feature declares for an action, and updates its state effects.
  ///
  /// - Its arguments are the action, the element to which it belongs (nil outside collections), and the group that
  ///   tracks its effects (nil if no caller waits for them). The group isn't for state effects.
  @inlinable var performAction: @Sendable (Action, ElementKey?, EffectGroup?) -> Void {
    guard !mustSeeEachStep, let effects, place.sharing == nil, case .own(let box) = place.state else {
      return perform(after:in:_:)
    }
    // The closure contains everything most actions need: a variable of the performer would be retained for each.
    return { action, _, group in
      func ask(_ state: borrowing Borrowable<State>) -> Effect<Action> { effects(state.value, action) }
      let effect = ask(box.borrowable.pointee)
      if !effect.isNone { self.perform(effect, of: action, in: nil, group) }
    }
  }

  /// Performs the effects of an action where the state may be missing, where state effects follow, or where the effects
  /// may be another client's.
  @inlinable
  @Sendable
  func perform(after action: Action, in key: ElementKey?, _ group: EffectGroup?) {
    if mustSeeEachStep {
      noteTouched()
      if !place.address.tree.step.isInBatch { cancelGone() }
    }
    if let effects, !place.isElsewhere {
      func ask(_ state: borrowing Borrowable<State>) -> Effect<Action> { effects(state.value, action) }
      place.state.read(key) { state in
        let effect = ask(state.borrowable.pointee)
        if !effect.isNone { perform(effect, of: action, in: key, group) }
      }
    }
    if mustSeeEachStep { follow(updateAll) }
  }

  @usableFromInline
  func perform(_ effect: Effect<Action>, of action: Action, in key: ElementKey?, _ group: EffectGroup?) {
    effect.releaseLater()
    let target = place.targets.target(of: key)
    let onEffectError = onEffectError ?? target.onEffectError
    guard let identity = place.state.identity?(key) else {
      return target.sink.perform(effect, in: group, of: action, onEffectError)
    }
    var watchedGroup = EffectGroup()
    watchedGroup.perform(within: group) {
      target.sink.perform(effect, in: watchedGroup, of: action, onEffectError)
    }
    watched.add(&watchedGroup, of: WatchedEffects.Part(element: key, identity: identity))
  }

  /// Does the work of a step whose action doesn't belong to the feature.
  @usableFromInline
  @Sendable
  func update() {
    noteTouched()
    follow(compare)
  }

  /// Records which elements the running step may have changed.
  @usableFromInline
  func noteTouched() {
    if let collection { touched.add(collection.touched) }
  }

  /// Cancels the effects of parts that are missing or were replaced, and revokes the actions that they sent.
  @usableFromInline
  func cancelGone() {
    for effect in watched.takeGone(of: touched) { effect.cancel() }
  }

  /// Compares the state with the effects that the state effects perform.
  @usableFromInline
  func updateAll() {
    if !updates.isEmpty {
      let touched = touched
      for update in updates { update(touched) }
    }
    if collection != nil { touched = .none }
  }

  /// Cancels the effects of parts that are gone, and compares the state with the effects that the state effects
  /// perform.
  private func compare() {
    cancelGone()
    updateAll()
  }

  /// Follows the state once per step: now, or at the end of a batch, which ignores intermediate states.
  ///
  /// - Parameter rest: The remaining part of the comparison after an action outside a batch.
  @usableFromInline
  func follow(_ rest: () -> Void) {
    let tree = place.address.tree
    guard tree.step.isInBatch else { return rest() }
    if causeAfterBatch == nil {
      tree.step.afterBatch?.append { [self] in
        guard let cause = causeAfterBatch.take() else { return }
        collection?.compareAtEndOfBatch(after: tree.step.formNumber)
        noteTouched()
        tree.run(causedBy: cause, compare)
      }
    }
    causeAfterBatch = tree.cause
  }
}
