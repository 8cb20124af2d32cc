internal import Arbor

/// One observer of an entry, from its creation to its release.
final class RequestObserver: Sendable {
  private let id: RequestID
  private let store: Store<Requests, RequestAction>

  init(of id: RequestID, in store: Store<Requests, RequestAction>) {
    self.id = id
    self.store = store
    _ = store.sink.dispatch(.observed(id))
  }

  deinit {
    // Without a report if the owner is gone: the order of releases is free.
    _ = store.sink.dispatch(.released(id, at: store.requestClock.now))
  }
}

/// One observer with a changing argument, from its creation to its release.
final class RequestFollower: Sendable {
  /// The number of the follower in its tree.
  let number: Int

  private let store: Store<Requests, RequestAction>
  private let subscription = Protected<StoreSubscription?>(nil)

  init(of id: Derived<RequestID?>, in store: Store<Requests, RequestAction>) {
    self.store = store
    number = store.requestClock.nextFollower()
    // The observer holds the follower while it dispatches, so no action can come after the last one.
    let subscription = id.observe { [weak self] id in self?.follow(id) }
    self.subscription.withLock { $0 = subscription }
  }

  private func follow(_ id: RequestID?) {
    _ = store.sink.dispatch(.followed(follower: number, id, at: store.requestClock.now))
  }

  deinit {
    _ = store.sink.dispatch(.unfollowed(follower: number, at: store.requestClock.now))
  }
}

extension Store<Requests, RequestAction> {
  fileprivate var requestClock: RequestClock { RequestClock.of(sink.enclosingHost.tree) }
}
