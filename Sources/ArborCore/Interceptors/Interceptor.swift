/// A filter that passes, replaces, drops or (with `Arbor`) holds each action before the reducers see it.
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
/// - You can start side effects in an interceptor.
/// - Interceptors of one store run in the order of their list, each with the action that the previous one passed on.
///   The interceptors of each ancestor follow. All run on the tree's queue.
/// - From that point on, a replacement takes the action's place: for the rest of the list, for the reducers of the same
///   store, and for all ancestors. A store further down has already passed on its own action, and reduces that action.
/// - A dropped action doesn't reach a reducer and isn't a step: no observer is called for it, but `dispatchAndWait`
///   returns as usual. You can't drop the mutation of `Arbor`'s `commit`, because its caller waits for it.
/// - With `Arbor`, an interceptor can also hold an action and decide later.
public struct Interceptor<State: Sendable, Action: Sendable>: Sendable {
  /// An interceptor's decision about an action. You can create and return a decision, but not inspect it.
  public struct Verdict: Sendable {
    /// Receives the decision about an action whose step is saved, with the action as the interceptor saw it.
    ///
    /// - `embed` wraps an action that continues in its place in the station's action.
    @usableFromInline
    package typealias SaveStep =
      @Sendable (_ action: Action, SavedStepDecision, _ embed: @escaping @Sendable (Action) -> any Sendable) -> Void

    @usableFromInline
    package enum Kind: Sendable {
      case pass
      case replace(Action)
      case drop
      case save(SaveStep)
    }

    @usableFromInline package let kind: Kind

    @inlinable
    package init(_ kind: Kind) {
      self.kind = kind
    }

    /// Continues with the action.
    @inlinable public static var pass: Verdict { Verdict(.pass) }

    /// Ends the action: it doesn't reach a reducer and isn't a step.
    @inlinable public static var drop: Verdict { Verdict(.drop) }

    /// Continues with another action in its place.
    ///
    /// - Parameter other: The action that the following interceptors and then the reducers receive.
    @inlinable
    public static func replace(with other: Action) -> Verdict { Verdict(.replace(other)) }
  }

  /// An interceptor's access to its store, for one action.
  ///
  /// - You can keep a context for later use, on any thread. It then keeps its state alive. If that matters, keep only
  ///   `dispatch`.
  public struct Context: Sendable {
    @usableFromInline package let store: InterceptedStore<State, Action>

    @inlinable
    package init(_ store: InterceptedStore<State, Action>) {
      self.store = store
    }

    /// Sends an action to the store to which the intercepted action was dispatched, after everything already waiting.
    ///
    /// - You can call it from any thread, any number of times, at any later time. It silently does nothing once that
    ///   store is gone.
    /// - If that store is a child whose actions are embedded in these, the action goes to the child's nearest ancestor
    ///   store that takes actions of this type.
    @inlinable public var dispatch: @Sendable (_ action: Action) -> Void { store.dispatch }

    /// The state of the interceptor's store, before the reducers run.
    ///
    /// - If you read it later, outside the interceptor, it waits for everything accepted before, like
    ///   ``StoreProtocol/state``. Reading it in a reducer stops the program.
    public var state: State { store.state }
  }

  @usableFromInline package let decide: @Sendable (Action, Context) -> Verdict

  /// Makes an interceptor from a closure.
  ///
  /// - Parameter decide: Returns the decision about an action. Called on the tree's queue, for each action that reaches
  ///   the interceptor.
  @inlinable
  public init(_ decide: @escaping @Sendable (_ action: Action, _ context: Context) -> Verdict) {
    self.decide = decide
  }

  /// Makes an interceptor for a store whose state contains this interceptor's feature.
  ///
  /// - Actions of other features pass. The feature's own actions pass, too, while the feature's state is nil.
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
  /// Returns the same decision about an action that contains this one.
  @inlinable
  package func embedded<WholeState, WholeAction>(
    from action: Action,
    by embed: @escaping @Sendable (Action) -> WholeAction
  ) -> Interceptor<WholeState, WholeAction>.Verdict {
    switch kind {
    case .pass: .pass
    case .replace(let other): .replace(with: embed(other))
    case .drop: .drop
    case .save(let receive):
      .init(.save { _, decision, outer in receive(action, decision) { outer(embed($0)) } })
    }
  }
}

extension Interceptor {
  /// Judges an action, and assigns a replacement to `action`.
  @inlinable @inline(__always)
  package func judge(_ action: inout Action, _ context: Context) -> Judgment {
    switch decide(action, context).kind {
    case .pass:
      return .passed
    case .replace(let other):
      action = replacement(other, for: action)
      context.store.address.tree.didReplaceAction(by: action)
      return .passed
    case .drop:
      return .dropped
    case .save(let receive):
      return Interceptor.saving(action, receive)
    }
  }

  @usableFromInline
  static func saving(_ action: Action, _ receive: @escaping Verdict.SaveStep) -> Judgment {
    .saved(SavedStepReceiver { decision in receive(action, decision) { $0 } })
  }
}

/// A store, or a part of one, as its interceptors see it for actions that were sent to one store.
@usableFromInline
package final class InterceptedStore<State: Sendable, Action: Sendable>: Sendable {
  /// Sends an action to the store to which the intercepted action was sent. May be called from any thread, at any time.
  @usableFromInline let dispatch: @Sendable (Action) -> Void

  /// Reads the state after everything accepted before; nil while it is missing. May be called from any thread, at any
  /// time.
  @usableFromInline package let read: @Sendable () -> State?

  /// The state at the time of the action; nil if it can never be missing, so that no copy is kept.
  @usableFromInline let current: State?
  @usableFromInline package let address: NodeAddress

  /// - Parameter current: The present state; nil if `read` always returns one.
  @inlinable
  package init(
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

  /// The present state, or the state at the time of the action while the present one is missing.
  @inlinable var state: State { (read() ?? current).unsafelyUnwrapped }

  /// Returns a part of the store; nil if the part is missing.
  ///
  /// - Parameters:
  ///   - mayBeMissing: `false` if the part exists wherever this state does.
  ///   - embed: Wraps an action of the part in one of this store.
  ///   - read: Reads the part with this store's ``read``.
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
  /// Makes the function that runs interceptors, which see the store as it is for actions that were sent to one store.
  ///
  /// - Each is a closure that captures the next one: unlike a loop over an array, calling it doesn't retain anything.
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
        // Advances first: an action that is held continues with the next interceptor.
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
