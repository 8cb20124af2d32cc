/// A filter that passes, replaces or drops each action before the reducers. Side effects may start here.
///
/// ```swift
/// let signedInOnly = Interceptor<AppState, AppAction> { action, context in
///   context.state.user == nil && action.needsUser ? .replace(with: .signIn) : .pass
/// }
/// let factory = StoreFactory(initialState: AppState(), interceptors: [signedInOnly], reducer: appReducer)
/// ```
///
/// - Interceptors of one store run in the order of their list, each with the action that the previous one passed on;
///   those of each ancestor follow. All run on the tree's queue.
/// - A replacement takes the action's place from there on: for the rest of the list, for the reducers of the same
///   store, and for all ancestors. A store below has passed its own action on, and reduces that.
/// - A dropped action reaches no reducer at all and is no step: no observer is called for it, and `dispatchAndWait`
///   returns all the same. Dropping the mutation of a `commit` stops the program; see ``Mutation/isAwaited``.
/// - A held action is no step, either, until its ``HeldAction`` lets it go on.
public struct Interceptor<State: Sendable, Action: Sendable>: Sendable {
  /// The decision about an action.
  public enum Verdict: Sendable {
    /// Continues with the action.
    case pass

    /// Continues with another action in its place.
    case replace(with: Action)

    /// Ends the action: it reaches no reducer and is no step.
    case drop

    /// Takes the action out of its step, to be passed, replaced or dropped later; see ``HeldAction``.
    ///
    /// - The closure receives the token, once, on the tree's queue, when all interceptors have returned; not if one of them
    ///   has cancelled the action's task.
    case hold(@Sendable (_ held: HeldAction<Action>) -> Void)
  }

  /// The access of an interceptor to its store, for one action.
  ///
  /// - A context may be kept for later use, from any thread. It then keeps the state alive that it reads: keep only
  ///   `dispatch` where that matters.
  public struct Context: Sendable {
    /// Sends an action to the store to which the intercepted action was dispatched, after everything already waiting.
    ///
    /// - From any thread, any number of times, at any later time. Silently does nothing once that store is gone.
    /// - If that store is a child whose actions are embedded in these, it sends to the child's nearest ancestor store
    ///   that takes actions of this type.
    public let dispatch: @Sendable (_ action: Action) -> Void

    @usableFromInline let source: InterceptedState<State>
    @usableFromInline let address: NodeAddress

    @inlinable
    init(
      dispatch: @escaping @Sendable (Action) -> Void,
      reading source: InterceptedState<State>,
      address: NodeAddress
    ) {
      self.dispatch = dispatch
      self.source = source
      self.address = address
    }

    /// The own state of the store that has the interceptor, before the reducers.
    ///
    /// - Read later, outside the interceptor, it waits for what was accepted before, like ``StoreProtocol/state``.
    ///   Reading it in a reducer stops the program.
    public var state: State { source.value }
  }

  @usableFromInline let decide: @Sendable (Action, Context) -> Verdict

  /// Makes an interceptor from a closure.
  ///
  /// - Parameter decide: Returns the verdict about an action. Called on the tree's queue, for each action that reaches
  ///   the interceptor.
  @inlinable
  public init(_ decide: @escaping @Sendable (_ action: Action, _ context: Context) -> Verdict) {
    self.decide = decide
  }

  /// Makes an interceptor for a store whose state contains this interceptor's feature. Actions of other features pass,
  /// and so do the feature's own actions while the feature's state is nil.
  ///
  /// - Parameters:
  ///   - part: Reads the feature's part of the state, which may be nil. Called for each action of the feature, and
  ///     whenever the interceptor reads the state.
  ///   - embed: Wraps an action of the feature in an action of the store, usually an enum case.
  ///   - extract: Returns the feature's action that an action of the store contains; nil if it contains none.
  public func scoped<WholeState, WholeAction>(
    to part: @escaping @Sendable (_ state: WholeState) -> State?,
    action embed: @escaping @Sendable (_ action: Action) -> WholeAction,
    extract: @escaping @Sendable (_ action: WholeAction) -> Action?
  ) -> Interceptor<WholeState, WholeAction> {
    #if DEBUG
      let check = PairCheck()
      let embed = { @Sendable (action: Action) in
        let embedded = embed(action)
        check.check(action) { extract(embedded) }
        return embedded
      }
    #endif
    return Interceptor<WholeState, WholeAction> { whole, context in
      guard let action = extract(whole) else { return .pass }
      #if DEBUG
        check.check(action) { extract(embed(action)) }
      #endif
      let readPart = { @Sendable [read = context.source.read] in read().flatMap(part) }
      guard let state = context.source.part(mayBeMissing: true, reading: readPart) else { return .pass }
      let inner = Context(
        dispatch: { [dispatch = context.dispatch] action in dispatch(embed(action)) },
        reading: state,
        address: context.address
      )
      switch decide(action, inner) {
      case .pass: return .pass
      case .replace(let other): return .replace(with: embed(other))
      case .drop: return .drop
      case .hold(let receive): return .hold { held in receive(held.pullback(action, embed)) }
      }
    }
  }
}

extension Interceptor {
  /// Applies the verdict about an action, and assigns a replacement to `action`.
  ///
  /// - Returns: `true` if the action goes on.
  @inlinable @inline(__always)
  func passes(_ action: inout Action, _ context: Context) -> Bool {
    switch decide(action, context) {
    case .pass:
      return true
    case .replace(let other):
      action = other
      context.address.tree.actionForm &+= 1
      context.address.tree.listener?.replaced(by: other)
      return true
    case .drop:
      return false
    case .hold(let receive):
      HeldAction.hold(action, in: context.address.tree, receive)
      return false
    }
  }

  /// Runs the interceptors of a list, from one on, each with the action that the previous one passed on.
  ///
  /// - Returns: `true` if the action goes on.
  @inlinable
  static func passes(
    _ action: inout Action,
    _ interceptors: [Interceptor],
    from first: Int,
    _ context: Context
  ) -> Bool {
    for index in first..<interceptors.count {
      guard interceptors[index].passes(&action, context) else {
        let (dispatch, readAgain, address) = (context.dispatch, context.source.again, context.address)
        Tree.continueHeld(Action.self) { action in
          let context = Context(dispatch: dispatch, reading: readAgain(), address: address)
          return passes(&action, interceptors, from: index + 1, context)
        }
        return false
      }
    }
    return true
  }
}

/// The state that an interceptor sees for one action: that of a node, or of a part of it.
@usableFromInline
package struct InterceptedState<State: Sendable>: Sendable {
  /// Reads the state after everything accepted before; nil while it is missing. From any thread, at any time.
  @usableFromInline let read: @Sendable () -> State?

  /// The state at the time of the action; nil if it can never be missing: then no copy is kept.
  @usableFromInline let current: State?

  /// - Parameter current: The state as it is; nil if `read` always returns one.
  @inlinable
  init(read: @escaping @Sendable () -> State?, current: State?) {
    self.read = read
    self.current = current
  }

  /// The state; while it is missing, that at the time of the action.
  @inlinable var value: State { (read() ?? current).unsafelyUnwrapped }

  /// Makes the same state for a later time at which it exists; keeps no copy until then.
  @inlinable var again: @Sendable () -> InterceptedState {
    guard current != nil else { return { self } }
    return { [read] in InterceptedState(read: read, current: read()) }
  }

  /// The state of a part; nil if it is missing.
  ///
  /// - Parameters:
  ///   - mayBeMissing: `false` if the part exists wherever this state does.
  ///   - read: Reads the part, by this state's ``read``.
  @inlinable
  func part<Part>(
    mayBeMissing: Bool,
    reading read: @escaping @Sendable () -> Part?
  ) -> InterceptedState<Part>? {
    guard mayBeMissing || current != nil else { return InterceptedState<Part>(read: read, current: nil) }
    return read().map { InterceptedState<Part>(read: read, current: $0) }
  }
}
