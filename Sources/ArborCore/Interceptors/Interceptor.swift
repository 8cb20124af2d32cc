/// A filter that passes, replaces or drops each action before the reducers. Side effects may start here.
///
/// ```swift
/// let signedInOnly = Interceptor<AppState, AppAction> { action, context in
///   context.state.user == nil && action.needsUser ? .replace(with: .signIn) : .pass
/// }
/// let factory = StoreFactory(
///   initialState: AppState(),
///   feature: Feature(interceptors: [signedInOnly], reducer: appReducer)
/// )
/// ```
///
/// - Interceptors of one store run in the order of their list, each with the action that the previous one passed on;
///   those of each ancestor follow. All run on the tree's queue.
/// - A replacement takes the action's place from there on: for the rest of the list, for the reducers of the same
///   store, and for all ancestors. A store below has passed its own action on, and reduces that.
/// - A dropped action reaches no reducer at all and is no step: no observer is called for it, and `dispatchAndWait`
///   returns all the same. The mutation of a `commit` of `Arbor`, whose caller waits for it, cannot be dropped.
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
    @usableFromInline package let store: InterceptedStore<State, Action>

    @inlinable
    package init(_ store: InterceptedStore<State, Action>) {
      self.store = store
    }

    /// Sends an action to the store to which the intercepted action was dispatched, after everything already waiting.
    ///
    /// - From any thread, any number of times, at any later time. Silently does nothing once that store is gone.
    /// - If that store is a child whose actions are embedded in these, it sends to the child's nearest ancestor store
    ///   that takes actions of this type.
    @inlinable public var dispatch: @Sendable (_ action: Action) -> Void { store.dispatch }

    /// The own state of the store that has the interceptor, before the reducers.
    ///
    /// - Read later, outside the interceptor, it waits for what was accepted before, like ``StoreProtocol/state``.
    ///   Reading it in a reducer stops the program.
    public var state: State { store.state }
  }

  @usableFromInline package let decide: @Sendable (Action, Context) -> Verdict

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
      let readPart = { @Sendable [read = context.store.read] in read().flatMap(part) }
      guard let store = context.store.part(mayBeMissing: true, embedding: embed, reading: readPart) else {
        return .pass
      }
      return decide(action, Context(store)).embedded(from: action, by: embed)
    }
  }
}

extension Interceptor.Verdict {
  /// The verdict about an action that contains the one about which this is.
  @inlinable
  package func embedded<WholeState, WholeAction>(
    from action: Action,
    by embed: @escaping @Sendable (Action) -> WholeAction
  ) -> Interceptor<WholeState, WholeAction>.Verdict {
    switch self {
    case .pass: .pass
    case .replace(let other): .replace(with: embed(other))
    case .drop: .drop
    case .hold(let receive): .hold { held in receive(held.pullback(action, embed)) }
    }
  }
}

extension Interceptor {
  /// Judges an action, and assigns a replacement to `action`.
  @inlinable @inline(__always)
  func judge(_ action: inout Action, _ context: Context) -> Judgment {
    switch decide(action, context) {
    case .pass:
      return .passed
    case .replace(let other):
      action = replacement(other, for: action)
      context.store.address.tree.didReplaceAction(by: action)
      return .passed
    case .drop:
      return .dropped
    case .hold(let receive):
      return HeldAction.judgment(holding: action, receive)
    }
  }
}

/// A store, or a part of one, as its interceptors see it for the actions of one origin.
@usableFromInline
package final class InterceptedStore<State: Sendable, Action: Sendable>: Sendable {
  /// Sends an action to the store of the origin. From any thread, at any time.
  @usableFromInline let dispatch: @Sendable (Action) -> Void

  /// Reads the state after everything accepted before; nil while it is missing. From any thread, at any time.
  @usableFromInline package let read: @Sendable () -> State?

  /// The state at the time of the action; nil if it can never be missing: then no copy is kept.
  @usableFromInline let current: State?
  @usableFromInline package let address: NodeAddress

  /// - Parameter current: The state as it is; nil if `read` always returns one.
  @inlinable
  init(
    dispatch: @escaping @Sendable (Action) -> Void,
    read: @escaping @Sendable () -> State?,
    current: State?,
    address: NodeAddress
  ) {
    self.dispatch = dispatch
    self.read = read
    self.current = current
    self.address = address
  }

  /// The state; while it is missing, that at the time of the action.
  @inlinable var state: State { (read() ?? current).unsafelyUnwrapped }

  /// A part of the store; nil if it is missing.
  ///
  /// - Parameters:
  ///   - mayBeMissing: `false` if the part exists wherever this state does.
  ///   - embed: Wraps an action of the part in one of this store.
  ///   - read: Reads the part, by this store's ``read``.
  @inlinable
  package func part<Part, PartAction>(
    mayBeMissing: Bool,
    embedding embed: @escaping @Sendable (PartAction) -> Action,
    reading read: @escaping @Sendable () -> Part?
  ) -> InterceptedStore<Part, PartAction>? {
    let isThere = mayBeMissing || current != nil
    let part = isThere ? read() : nil
    guard part != nil || !isThere else { return nil }
    return InterceptedStore<Part, PartAction>(
      dispatch: { [dispatch] action in dispatch(embed(action)) },
      read: read,
      current: part,
      address: address
    )
  }
}

extension Interceptor {
  /// Makes the function that runs interceptors, which see the store as it is for the actions of one origin.
  ///
  /// - Each is a closure that captures the one that follows: its call retains nothing, which a loop over an array does.
  @inlinable
  static func makeJudge(
    of interceptors: ArraySlice<Interceptor>,
    in context: Context
  ) -> StationFunctions<Action>.Judge {
    guard let first = interceptors.first else { return { _, _ in .passed } }
    let next = interceptors.startIndex + 1
    guard interceptors.count > 1 else {
      return { action, position in
        guard position < next else { return .passed }
        // Moved on first: an action that is held goes on with the next interceptor.
        position = next
        return first.judge(&action, context)
      }
    }
    let judgeFurther = makeJudge(of: interceptors.dropFirst(), in: context)
    return { action, position in
      if position < next {
        position = next
        let judgment = first.judge(&action, context)
        guard case .passed = judgment else { return judgment }
      }
      return judgeFurther(&action, &position)
    }
  }
}
