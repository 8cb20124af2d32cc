internal import Dispatch
internal import Synchronization

extension AnyStateSource {
  /// Observes each state where it is made, if this source belongs to a tree; nil if not.
  ///
  /// - There is nothing to be remembered for it: so nothing is made but the subscription.
  @inlinable
  func observeEach(_ body: @escaping @Sendable (State) -> Void) -> StoreSubscription? {
    guard address != nil else { return nil }
    return observe(
      Observer { state in
        body(state)
        return .active
      }
    )
  }

  /// Observes with a closure as a delivery says.
  @usableFromInline
  func observe(
    initial: Bool,
    _ duplicates: Equating<State>?,
    on delivery: StoreDelivery,
    _ body: @escaping @Sendable (State) -> Void
  ) -> StoreSubscription {
    observe(Receiver(skipsFirst: !initial, keepsPrevious: false) { body($0.current) }, duplicates, on: delivery)
  }

  /// Observes with a receiver as a delivery says.
  func observe(
    _ receiver: Receiver<State>,
    _ duplicates: Equating<State>?,
    on delivery: StoreDelivery
  ) -> StoreSubscription {
    let isDuplicate = duplicates?.makeMemory()
    switch delivery.form {
    case .storeQueue:
      return observe(receiver, isDuplicate) { state in receiver.deliver(state) }
    case .each(let queue):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let executor = tree.executor
      // What the source keeps is for whoever holds the subscription.
      return observe(receiver, isDuplicate) { [address] state in
        executor.deliver(on: own) {
          if address?.isOpen != false { receiver.deliver(state) }
        }
      }
    case .latest(let queue, let interval):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let latest = LatestDelivery(to: receiver, isDuplicate, from: self, on: own, interval: interval)
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
      from: self,
      on: .main,
      isMain: true,
      interval: interval
    )
    return observe(receiver, latest.observer)
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
    let form = Observer<State>.Form.returning { state in
      if let isDuplicate, isDuplicate(state) { return .active }
      if !receiver.consumeInitialSkip(state) { take(state) }
      return receiver.isCancelled ? .dead : .active
    }
    return observe(receiver, Observer(form: form, control: receiver))
  }

  private func observe(_ receiver: Receiver<State>, _ observer: Observer<State>) -> StoreSubscription {
    guard address == nil else { return observe(observer) }
    _ = subscribe(observer)
    // A store that was made by hand has no connection to be ended.
    return StoreSubscription { [weak receiver] in receiver?.cancel() }
  }

  /// Observes with an observer that knows by its control when it is cancelled.
  @inlinable
  func observe(_ observer: Observer<State>) -> StoreSubscription {
    StoreSubscription(to: subscribe(observer), keeping: kept, isKeptForGood: isKeptForGood)
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
