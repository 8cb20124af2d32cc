/// A filter that passes, replaces or drops each action before the reducers. Side effects may start here.
///
/// ```swift
/// let signedInOnly = Interceptor<AppState, AppAction> { action, context in
///   context.state.user == nil && action.needsUser ? .replace(with: .signIn) : .pass
/// }
/// let factory = StoreFactory(initialState: AppState(), interceptors: [signedInOnly], reducer: appReducer)
/// ```
///
/// - Interceptors of one store run in the order of their list, each with what the one before passed on; those of each
///   ancestor follow. All run on the tree's queue.
/// - A replacement takes the action's place from there on: for the rest of the list, for the reducers of the same store, and
///   for all that is above. What is below has passed its own action on, and reduces that.
/// - An action that is dropped anywhere reaches no reducer at all and is no step: no observer is called for it, and
///   `dispatchAndWait` returns all the same. To drop the mutation of a `commit` stops the program, see ``Mutation/isAwaited``.
public struct Interceptor<State: Sendable, Action: Sendable>: Sendable {
  /// The decision about an action.
  public enum Verdict: Sendable {
    /// It goes on.
    case pass

    /// Another one goes on in its place.
    case replace(with: Action)

    /// It ends here.
    case drop
  }

  /// Where an action is being intercepted.
  ///
  /// - Kept for later use, from any thread, it keeps the state that it reads: keep `dispatch` alone where that matters.
  public struct Context: Sendable {
    /// Sends an action to the store where this one was dispatched, behind what is already waiting.
    ///
    /// - From any thread, any number of times, at any later time. Silently does nothing once that store is gone.
    /// - For an action that came from a child of another action type, it sends to the nearest store above that one which
    ///   takes this type.
    public let dispatch: @Sendable (_ action: Action) -> Void

    @usableFromInline let read: @Sendable () -> State
    @usableFromInline let address: NodeAddress

    @inlinable
    init(dispatch: @escaping @Sendable (Action) -> Void, read: @escaping @Sendable () -> State, address: NodeAddress) {
      self.dispatch = dispatch
      self.read = read
      self.address = address
    }

    /// The own state of the store that has the interceptor, as it is before the reducers.
    ///
    /// - Used later, elsewhere, it waits for what was accepted before, as ``StoreProtocol/state``; in a reducer it stops the program.
    public var state: State { read() }
  }

  @usableFromInline let judge: @Sendable (Action, Context) -> Verdict

  /// Makes an interceptor of a closure, which is called on the tree's queue for each action.
  @inlinable
  public init(_ judge: @escaping @Sendable (_ action: Action, _ context: Context) -> Verdict) {
    self.judge = judge
  }

  /// A feature's interceptor for a store that holds the feature: actions that are not the feature's pass, and so do those
  /// that come while there is no feature.
  ///
  /// - Parameters:
  ///   - part: The feature's part of the state, which may be nil; called for each action of the feature, and when the
  ///     interceptor asks for the state.
  ///   - embed: Makes an action of the store's type of the feature's, as a rule an enum's case.
  ///   - extract: The feature's action in an action of the store's type; nil if there is none.
  public func scoped<WholeState, WholeAction>(
    to part: @escaping @Sendable (_ state: WholeState) -> State?,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Interceptor<WholeState, WholeAction> {
    Interceptor<WholeState, WholeAction> { whole, context in
      guard let action = extract(whole), let current = part(context.state) else { return .pass }
      let inner = Context(
        dispatch: { [dispatch = context.dispatch] action in dispatch(embed(action)) },
        // Asked later, the feature may be gone.
        read: { part(context.state) ?? current },
        address: context.address
      )
      switch judge(action, inner) {
      case .pass: return .pass
      case .replace(let other): return .replace(with: embed(other))
      case .drop: return .drop
      }
    }
  }
}

extension Interceptor {
  /// Judges an action, and puts a replacement in its place.
  ///
  /// - Returns: Whether it goes on.
  @inlinable @inline(__always)
  func admits(_ action: inout Action, _ context: Context) -> Bool {
    switch judge(action, context) {
    case .pass:
      return true
    case .replace(let other):
      action = other
      context.address.tree.listener?.replaced(by: other)
      return true
    case .drop:
      return false
    }
  }
}

extension InterceptorChain {
  /// A node's own interceptors, the plain closure first; nil if it has none.
  @inlinable
  init?<State>(
    _ closure: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?,
    _ interceptors: [Interceptor<State, Action>],
    at address: NodeAddress,
    read: @escaping @Sendable () -> State
  ) {
    guard !interceptors.isEmpty else {
      guard let closure else { return nil }
      self.init { dispatch in
        { action in
          closure(action, dispatch)
          return true
        }
      }
      return
    }
    self.init { dispatch in
      let context = Interceptor<State, Action>.Context(dispatch: dispatch, read: read, address: address)
      return { action in
        closure?(action, dispatch)
        for interceptor in interceptors {
          guard interceptor.admits(&action, context) else { return false }
        }
        return true
      }
    }
  }
}
