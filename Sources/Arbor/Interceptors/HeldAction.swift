/// A token with which an action that an interceptor holds is passed, replaced or dropped later.
///
/// ```swift
/// let asking = Interceptor<AppState, AppAction> { action, _ in
///   action.isDangerous ? .hold { held in confirm { isSure in isSure ? held.pass() : held.drop() } } : .pass
/// }
/// ```
///
/// - The first decision counts, and any other does nothing. From any thread, at any time.
/// - An action that goes on does so after everything that waits then, as a step of its own, from behind the interceptor
///   that has held it. The interceptors that follow in its list judge it, and those of each ancestor; those before have
///   done so, and one that was added since it was held does not judge it.
/// - It is not reduced if its task was cancelled or its store is gone by then. If it belongs to a part that was exchanged
///   for another meanwhile, it is reduced by that, as any action that waits.
/// - A token that is released undecided drops its action, and debug builds report the first one of each store on standard
///   error.
/// - A caller that waits for the action goes on when it is held. In a batch the rest is reduced without it. The mutation of
///   a `commit`, whose caller waits for its result, cannot be held: that stops the program with a message.
/// - It keeps no store alive. An interceptor may keep it.
public final class HeldAction<Action: Sendable>: Hashable, Sendable {
  /// The action, as the interceptor has seen it.
  public let action: Action

  private let decision: SavedStepDecision

  /// Makes of an action the one that the interceptor has held, which may contain it.
  private let embed: @Sendable (Action) -> any Sendable

  init(_ action: Action, _ decision: SavedStepDecision, embed: @escaping @Sendable (Action) -> any Sendable) {
    self.action = action
    self.decision = decision
    self.embed = embed
  }

  /// Lets the action go on.
  public func pass() {
    decision.resume()
  }

  /// Lets another action go on in its place.
  ///
  /// - Parameter other: The action that goes on; ignored if a decision was made before.
  public func replace(with other: Action) {
    decision.resume(replacing: embed(replacement(other, for: action)))
  }

  /// Ends the action: it reaches no reducer and is no step.
  public func drop() {
    decision.drop()
  }

  /// Compares the tokens themselves, so that actions and states which contain one can be compared.
  public static func == (left: HeldAction, right: HeldAction) -> Bool { left === right }

  /// Hashes the token itself.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension HeldAction: CustomReflectable {
  /// A mirror of the action alone, so that an action or a state with a token is printed.
  public var customMirror: Mirror { Mirror(self, children: ["action": action]) }
}

extension Interceptor.Verdict {
  /// Takes the action out of its step, to be passed, replaced or dropped later; see ``HeldAction``.
  ///
  /// - Parameter receive: Receives the token, once, on the tree's queue, when all interceptors have returned; not if one of
  ///   them has cancelled the action's task.
  public static func hold(_ receive: @escaping @Sendable (_ held: HeldAction<Action>) -> Void) -> Self {
    // The token does not refer to the action that goes on: that may contain the token.
    Self(.save { action, decision, embed in receive(HeldAction(action, decision, embed: embed)) })
  }
}
