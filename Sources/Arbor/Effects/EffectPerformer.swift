internal import Dispatch

/// Performs the effects that a store declares, after each action that it has reduced. On the tree's queue only.
@usableFromInline
final class EffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable as its node is: nobody else has it, and the node uses it on the tree's serial queue only.

  @usableFromInline let effects: (@Sendable (State, Action) -> Effect<Action>)?
  private let stateEffects: [StateEffectPerformer<State, Action>]
  @usableFromInline let box: StateBox<State>
  @usableFromInline let port: Port
  @usableFromInline let inlet: Inlet<Action>
  @usableFromInline let report: @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void

  /// Makes one for a store's own state; nil if the store declares nothing.
  @usableFromInline
  init?(
    effects: (@Sendable (State, Action) -> Effect<Action>)?,
    stateEffects: [StateEffect<State, Action>],
    of box: StateBox<State>,
    at port: Port,
    _ inlet: Inlet<Action>,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void
  ) {
    guard effects != nil || !stateEffects.isEmpty else { return nil }
    self.effects = effects
    self.box = box
    self.port = port
    self.inlet = inlet
    self.report = report
    self.stateEffects = stateEffects.map { declaration in
      StateEffectPerformer(declaration, of: box, at: port) { effect, group in
        inlet.perform(effect, in: group, after: nil, report: report)
      }
    }
  }

  /// Performs what is in progress from the start. Once, when the node is open.
  @usableFromInline
  func begin() {
    if !stateEffects.isEmpty { _ = port.mailbox.append(at: port.door) { [weak self] _ in self?.follow() } }
  }

  /// The function that performs the effects of an action here, and then those above; nil if nothing is declared on the whole way.
  @inlinable
  static func performing(
    _ own: EffectPerformer?,
    above: (@Sendable (Action) -> Void)?
  ) -> (@Sendable (Action) -> Void)? {
    guard let own else { return above }
    guard let above else { return own.perform(after:) }
    return { action in
      own.perform(after: action)
      above(action)
    }
  }

  /// Performs what an action sets off.
  @inlinable
  @Sendable
  func perform(after action: Action) {
    if let effects {
      func ask(_ state: borrowing Held<State>) -> Effect<Action> { effects(state.value, action) }
      let effect = ask(box.held.pointee)
      if !effect.isNone {
        effect.letGo()
        inlet.perform(effect, in: port.mailbox.effects, after: action, report: report)
      }
    }
    follow()
  }

  @usableFromInline
  func follow() {
    for stateEffect in stateEffects { stateEffect.follow() }
  }
  /// Says on standard error, in one line, that the task of an effect has failed.
  @usableFromInline
  static func print(_ error: any Error, of key: (any Hashable & Sendable)?) {
    let name = key.map { " with the key \($0)" } ?? ""
    let line = "Arbor: an effect\(name) failed: \(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    Platform.writeToStandardError(line)
  }
}
