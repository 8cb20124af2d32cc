extension Effect {
  /// Returns an effect that sends an action when one of its tasks fails or is canceled.
  ///
  /// Use it to undo a change that was shown at once, or to clean up.
  ///
  /// ```swift
  /// // The reducer adds the like. If the server refuses it, the effect of the same action takes it back.
  /// let likes = Feature<Likes, LikeAction>(reducer: reduce).withEffects { before, _, action in
  ///   guard case .like(let id) = action, !before.ids.contains(id) else { return .none }
  ///   return .run(retries: 2) { _ in try await server.like(id) }
  ///     .onFailure { error in .unlike(id, because: error) }
  /// }
  /// ```
  ///
  /// - The action is sent at most once each time the effect is performed, for the first task for which the closure
  ///   returns an action.
  /// - The closure is called for each task that throws, is canceled, is dropped by its mode, or doesn't begin because the
  ///   effect, or an earlier part of a sequence, was canceled.
  /// - If the task threw an error, the action follows the actions that the task sent. If the task was canceled, it is
  ///   sent at once.
  /// - Canceling the effect doesn't revoke the action. An attempt that is followed by a retry hasn't failed.
  /// - A task that its mode drops counts as canceled. With a key, a repeated action therefore undoes the change
  ///   although the other task succeeds. So perform the effect only for the action that made the change.
  /// - Nothing else receives the error: it doesn't go to `onEffectError`, and a ``StateEffect`` doesn't retry because
  ///   of it.
  /// - If an inner effect has its own `onFailure`, that one receives the failures of its tasks.
  /// - Nothing is sent after the store's owner is gone. If the effect belongs to a part that was removed, the action
  ///   finds the part missing.
  /// - Parameter makeAction: Makes the action from the error, which is a `CancellationError` if the task was canceled;
  ///   nil sends nothing for it. Called on any thread.
  public func onFailure(_ makeAction: @escaping @Sendable (_ error: any Error) -> Action?) -> Effect {
    isNone ? self : Effect(.catching(self, makeAction))
  }

  /// The keys of its tasks, without duplicates.
  var keys: [TypedKey] {
    switch form {
    case .none, .send, .sendBatch, .emit, .cancel, .cancelAll, .run(nil, _, _, _, _): []
    case .run(let key?, _, _, _, _): [key]
    case .merge(let effects), .concatenate(let effects):
      effects.reduce(into: []) { keys, effect in keys += effect.keys.filter { !keys.contains($0) } }
    case .catching(let effect, _): effect.keys
    }
  }

  /// `true` if ``StoreProtocol/settled(isolation:)`` doesn't wait for the effect.
  var isOngoing: Bool {
    switch form {
    case .none: true
    case .send, .sendBatch, .emit, .cancel, .cancelAll: false
    case .run(_, _, _, let isOngoing, _): isOngoing
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isOngoing)
    case .catching(let effect, _): effect.isOngoing
    }
  }

  /// The same effect, but ``StoreProtocol/settled(isolation:)`` doesn't wait for it.
  ///
  /// - Use it for an effect that listens to a socket, a clock or a sensor for as long as the program runs.
  public var ongoing: Effect {
    switch form {
    case .none, .send, .sendBatch, .emit, .cancel, .cancelAll: self
    case .run(let key, let mode, let priority, _, let operation):
      Effect(.run(key: key, mode: mode, priority: priority, isOngoing: true, operation))
    case .merge(let effects): Effect(.merge(effects.map(\.ongoing)))
    case .concatenate(let effects): Effect(.concatenate(effects.map(\.ongoing)))
    case .catching(let effect, let makeAction): Effect(.catching(effect.ongoing, makeAction))
    }
  }

  /// Returns an effect whose actions are wrapped in actions of another type, for a store that contains a feature.
  ///
  /// - Usually you pass an enum case: `effect.map(AppAction.feature)`.
  /// - The keys stay the same, and belong to the store that declares the effect: two features of one store need
  ///   different keys.
  /// - Parameter embed: Wraps an action, usually in an enum case. May be called from any thread.
  public func map<Whole>(_ embed: @escaping @Sendable (_ action: Action) -> Whole) -> Effect<Whole> {
    switch form {
    case .none: Effect<Whole>(.none)
    case .send(let action): Effect<Whole>(.send(embed(action)))
    case .sendBatch(let actions): Effect<Whole>(.sendBatch(actions.map(embed)))
    case .emit(let activity): Effect<Whole>(.emit(activity))
    case .run(let key, let mode, let priority, let isOngoing, let operation):
      Effect<Whole>(
        .run(key: key, mode: mode, priority: priority, isOngoing: isOngoing) { context in
          try await operation(context.pullback(embed))
        }
      )
    case .cancel(let key, let place): Effect<Whole>(.cancel(key, at: place))
    case .cancelAll(let place): Effect<Whole>(.cancelAll(at: place))
    case .merge(let effects): Effect<Whole>(.merge(effects.map { $0.map(embed) }))
    case .concatenate(let effects): Effect<Whole>(.concatenate(effects.map { $0.map(embed) }))
    case .catching(let effect, let makeAction):
      Effect<Whole>(.catching(effect.map(embed)) { error in makeAction(error).map(embed) })
    }
  }
}
