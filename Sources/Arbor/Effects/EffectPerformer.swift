internal import Dispatch

/// The performer of the effects that one store declares. Used on the tree's queue only.
@usableFromInline
final class EffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because the store's node alone has it, and uses it on the tree's serial queue only.

  @usableFromInline let effects: (@Sendable (State, Action) -> Effect<Action>)?
  private let stateEffects: [StateEffectPerformer<State, Action>]
  @usableFromInline let box: StateBox<State>
  @usableFromInline let address: NodeAddress
  @usableFromInline let sink: ActionSink<Action>
  @usableFromInline let onEffectError: EffectErrorHandler<Action>

  /// Makes the performer for a store's own state; nil if the store declares no effects.
  @usableFromInline
  init?(
    effects: (@Sendable (State, Action) -> Effect<Action>)?,
    stateEffects: [StateEffect<State, Action>],
    of box: StateBox<State>,
    at address: NodeAddress,
    _ sink: ActionSink<Action>,
    onEffectError: @escaping EffectErrorHandler<Action>
  ) {
    guard effects != nil || !stateEffects.isEmpty else { return nil }
    self.effects = effects
    self.box = box
    self.address = address
    self.sink = sink
    self.onEffectError = onEffectError
    self.stateEffects = stateEffects.map { declaration in
      StateEffectPerformer(declaration, of: box, at: address) { effect, group in
        sink.perform(effect, in: group, causedBy: nil, onEffectError)
      }
    }
  }

  /// Starts the state effects whose jobs are in progress in the initial state. Called once, after the node is open.
  @usableFromInline
  func begin() {
    if !stateEffects.isEmpty { _ = address.tree.append(at: address) { [weak self] _ in self?.updateStateEffects() } }
  }

  /// Makes the function that performs the effects of an action in this store and then in its ancestors; nil if neither
  /// this store nor any ancestor declares effects.
  @inlinable
  static func makePerform(
    _ own: EffectPerformer?,
    above: (@Sendable (Action, EffectGroup?) -> Void)?
  ) -> (@Sendable (Action, EffectGroup?) -> Void)? {
    guard let own else { return above }
    guard let above else { return own.perform(after:in:) }
    return { action, group in
      own.perform(after: action, in: group)
      above(action, group)
    }
  }

  /// Performs the effects that the store declares for an action, and updates its state effects.
  ///
  /// - Parameter group: Tracks the effects of the action; nil if no caller waits for them. Not for state effects.
  @inlinable
  @Sendable
  func perform(after action: Action, in group: EffectGroup?) {
    if let effects {
      func ask(_ state: borrowing Borrowable<State>) -> Effect<Action> { effects(state.value, action) }
      let effect = ask(box.borrowable.pointee)
      if !effect.isNone {
        effect.releaseLater()
        sink.perform(effect, in: group, causedBy: action, onEffectError)
      }
    }
    updateStateEffects()
  }

  @usableFromInline
  func updateStateEffects() {
    for stateEffect in stateEffects { stateEffect.update() }
  }

  /// Prints one line to standard error about the failed task of an effect.
  @usableFromInline
  static func printToStandardError(_ error: any Error, of key: (any Hashable & Sendable)?) {
    let name = key.map { " with the key \($0)" } ?? ""
    let line = "Arbor: an effect\(name) failed: \(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    Platform.writeToStandardError(line)
  }
}
