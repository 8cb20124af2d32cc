internal import Dispatch
internal import Synchronization

extension StateFeed {
  /// Observes with a receiver as a delivery says.
  func observe(
    _ receiver: Receiver<State>,
    _ duplicates: Equating<State>?,
    on delivery: StoreDelivery
  ) -> StoreSubscription {
    let isDuplicate = duplicates?.makeMemory()
    switch delivery.form {
    case .storeQueue:
      return observe(receiver, isDuplicate) { state in receiver.give(state) }
    case .each(let queue):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let executor = mailbox.executor
      // Neither holds what the feed keeps.
      return observe(receiver, isDuplicate) { [isOpen] state in
        executor.deliver(on: own) {
          if isOpen() { receiver.give(state) }
        }
      }
    case .latest(let queue, let interval):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let latest = LatestDelivery(to: receiver, isDuplicate, in: mailbox, on: own, interval: interval, glance: glance)
      return observe(receiver, latest.observer)
    }
  }

  /// Observes the latest state with a receiver that is called on the main actor.
  func observeOnMain(
    _ receiver: Receiver<State>,
    _ duplicates: Equating<State>?,
    interval: Duration?
  ) -> StoreSubscription {
    let latest = LatestDelivery(
      to: receiver,
      duplicates?.makeMemory(),
      in: mailbox,
      on: .main,
      isMain: true,
      interval: interval,
      glance: glance
    )
    return observe(receiver, latest.observer)
  }

  /// How a part of the states is reached.
  package func part<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part) -> StateFeed<Part> {
    StateFeed<Part>(
      subscribe: { observer in subscribe(observer.looking { part($0) }) },
      glance: { whenThere in glance(whenThere).map(part) },
      isOpen: isOpen,
      mailbox: mailbox,
      kept: kept,
      isKeptForGood: isKeptForGood
    )
  }

  /// A stream that begins now.
  ///
  /// - Parameter choose: Says on the store's queue whether a state goes into the stream, and whether others follow.
  func stream(
    _ buffering: StateBuffering,
    _ choose: @escaping @Sendable (State) -> (State, ObserverStatus)?
  ) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: buffering.policy(for: State.self))
    let end = StreamEnd(continuation)
    let connection = subscribe(
      Observer { state in
        guard let (chosen, status) = choose(state) else { return end.isOver ? .dead : .active }
        return end.yield(chosen) ? status : .dead
      }
    )
    continuation.onTermination = { [kept, weak end] _ in
      end?.finish()
      connection?.end()
      withExtendedLifetime(kept) {}
    }
    return stream
  }

  private func observe(
    _ receiver: Receiver<State>,
    _ isDuplicate: (@Sendable (State) -> Bool)?,
    _ take: @escaping @Sendable (State) -> Void
  ) -> StoreSubscription {
    observe(
      receiver,
      Observer { state in
        if let isDuplicate, isDuplicate(state) { return .active }
        if !receiver.skips(state) { take(state) }
        return receiver.isCancelled ? .dead : .active
      }
    )
  }

  private func observe(_ receiver: Receiver<State>, _ observer: Observer<State>) -> StoreSubscription {
    // If there is none to begin with, there is none to be skipped.
    let connection = subscribe(receiver.mayStillSkip ? observer.noticing { receiver.skipNothing() } : observer)
    // Holds neither the receiver nor what it calls: they go with the source.
    return StoreSubscription { [weak receiver, kept] in
      receiver?.cancel()
      connection?.end()
      withExtendedLifetime(kept) {}
    } keep: { [kept, isKeptForGood, mailbox] in
      guard let kept else { return }
      if isKeptForGood {
        connection?.keep(kept)
      } else {
        mailbox.afterAccepted { withExtendedLifetime(kept) {} }
      }
    }
  }
}

/// Ends a stream when it is released: with the observer that feeds it.
final class StreamEnd<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation
  private let over = Atomic(false)

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  /// `true` if nobody takes elements any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// - Returns: Whether anybody may take the element.
  func yield(_ element: Element) -> Bool {
    if case .terminated = continuation.yield(element) { return false }
    return true
  }

  func finish() {
    over.store(true, ordering: .releasing)
  }

  deinit {
    continuation.finish()
  }
}
