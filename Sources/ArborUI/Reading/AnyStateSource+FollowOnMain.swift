internal import Arbor

extension AnyStateSource {
  /// Follows the source on the main actor, from now on.
  ///
  /// - Waits for everything accepted before, like ``StoreProtocol/state``. In a callback of a tree it does not wait;
  ///   the first state is delivered later.
  /// - Delivers nothing before it returns, because a view must not be notified of a change while it is being updated.
  /// - Parameters:
  ///   - duplicates: A comparison. A state that it finds equal to the previous one is not delivered.
  ///   - update: Receives a state and the moment that it shows, which is nil for the present.
  /// - Returns: The subscription, and the first state with the moment that it shows. The state is nil if the first
  ///   delivery brings it.
  @MainActor
  func followOnMain(
    removeDuplicates duplicates: Equating<State>? = nil,
    _ update: @escaping @MainActor @Sendable (_ state: State, _ moment: ShownMoment?) -> Void
  ) -> (subscription: StoreSubscription, latest: (state: State, moment: ShownMoment?)?) {
    let receive: @MainActor @Sendable (State) -> Void = { [tree] state in update(state, tree.momentOfObserver) }
    guard !tree.isInsideAny else { return (observe(removeDuplicates: duplicates, on: .main, receive), nil) }
    let subscription = waitingForFirst(if: true) {
      observe(initial: false, removeDuplicates: duplicates, on: .main, receive)
    }
    // Read after subscribing: a step between the two is in the state, or is delivered, or both.
    let showsMoment = AtomicFlag(false)
    let latest = readBetweenSteps { [tree] in
      showsMoment.store(tree.showsMoment)
      return true
    }
    return (subscription, latest.map { ($0, showsMoment.load() ? tree.moment : nil) })
  }
}
