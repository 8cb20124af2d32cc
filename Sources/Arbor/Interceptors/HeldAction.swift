/// A token for an action that an interceptor holds. Use it to pass, replace or drop the action later.
///
/// ```swift
/// let asking = Interceptor<AppState, AppAction> { action, _ in
///   action.isDangerous ? .hold { held in confirm { isSure in isSure ? held.pass() : held.drop() } } : .pass
/// }
/// ```
///
/// - The first decision counts; later ones do nothing. You can decide on any thread, at any time.
/// - A resumed action joins the end of the mailbox, as its own step, and continues after the interceptor that held it.
///   The following interceptors in the list judge it, and then the interceptors of each ancestor. Earlier interceptors
///   have already judged it. An interceptor that was added while the action was held doesn't judge it.
/// - The action isn't reduced if, by then, its task was canceled or its store is gone. If its part of the state has
///   been replaced, the new part reduces it, like any waiting action.
/// - If you release a token without a decision, its action is dropped. Debug builds report the first such token of each
///   store on standard error.
/// - A caller that waits for the action continues when it is held. In a batch, the rest is reduced without it. You
///   can't hold the mutation of a `commit`, because its caller waits for the result: that stops the program with a
///   message.
/// - A token doesn't keep a store alive. An interceptor may keep the token.
public final class HeldAction<Action: Sendable>: Hashable, Sendable {
  /// The action, as the interceptor saw it.
  public let action: Action

  private let decision: SavedStepDecision

  /// Returns an action in the form that the interceptor held, which may contain it.
  private let embed: @Sendable (Action) -> any Sendable

  init(_ action: Action, _ decision: SavedStepDecision, embed: @escaping @Sendable (Action) -> any Sendable) {
    self.action = action
    self.decision = decision
    self.embed = embed
  }

  /// Continues with the action.
  public func pass() {
    decision.resume()
  }

  /// Continues with another action in its place.
  ///
  /// - Parameter other: The action to continue with; ignored if a decision was made earlier.
  public func replace(with other: Action) {
    decision.resume(replacing: embed(replacement(other, for: action)))
  }

  /// Drops the action: it doesn't reach a reducer and isn't a step.
  public func drop() {
    decision.drop()
  }

  /// Compares the tokens themselves, so that you can compare actions and states that contain one.
  public static func == (left: HeldAction, right: HeldAction) -> Bool { left === right }

  /// Hashes the token itself.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension HeldAction: CustomReflectable {
  /// A mirror that only shows the action, so that an action or a state with a token can be printed.
  public var customMirror: Mirror { Mirror(self, children: ["action": action]) }
}

extension Interceptor.Verdict {
  /// Takes the action out of its step, so that you can pass, replace or drop it later; see ``HeldAction``.
  ///
  /// - Parameter receive: Receives the token, once, on the tree's queue, after all interceptors have returned. Not
  ///   called if one of them canceled the action's task.
  public static func hold(_ receive: @escaping @Sendable (_ held: HeldAction<Action>) -> Void) -> Self {
    // The token doesn't refer to the action that continues, because that may contain the token.
    Self(.save { action, decision, embed in receive(HeldAction(action, decision, embed: embed)) })
  }
}
