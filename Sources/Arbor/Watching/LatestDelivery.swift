internal import Dispatch

/// A delivery of the latest state to a receiver, on a queue.
///
/// - It stores no state, and reads the current state when it delivers.
final class LatestDelivery<State: Sendable>: @unchecked Sendable {
  // Sendable because its variables are only used on `queue`, or on the tree's queue while `queue` waits for it.
  private let receiver: Receiver<State>
  private let isDuplicate: DuplicateCheck<State>?
  private let tree: Tree
  private let source: AnyStateSource<State>
  private let queue: DispatchQueue
  private let interval: Duration?
  private let rateLimit: Protected<RateLimit>

  /// Prevents the tree from settling while a change waits for the end of the interval.
  private let missed = Protected<PendingWork.Hold?>(nil)

  /// Prevents the tree from settling while a change waits for the end of the quiet time.
  private let unquiet = Protected<PendingWork.Hold?>(nil)

  /// The debouncing of the changes; nil if there is none.
  private let debounce: Protected<Debounce?>

  /// Returns the time for debouncing the changes; nil without debouncing. Read outside the lock, because the clock may
  /// be the user's.
  private let time: (@Sendable () -> Duration)?

  /// The deliveries that wait for the main actor; nil on any other queue.
  private let main: MainDeliveries?

  /// The number of this delivery in `main`; nil while it is not waiting there.
  private let mainTicket = Protected(UInt64?.none)

  private var isDelivering = false
  private var isRequestedAgain = false

  /// `true` after the running `take()` has had its turn on the tree's queue, which never happens if the source is gone.
  private var didReachQueue = false

  /// `true` if the last state that `take()` read is a moment other than the present.
  private var isMoment = false

  init(
    to receiver: Receiver<State>,
    _ isDuplicate: DuplicateCheck<State>?,
    from source: AnyStateSource<State>,
    on queue: DispatchQueue,
    isMain: Bool = false,
    pace: DeliveryPace
  ) {
    self.receiver = receiver
    self.isDuplicate = isDuplicate
    // Only the subscription retains the object that the source keeps alive.
    self.source = source.keepingNothing
    let tree = source.tree
    self.tree = tree
    self.queue = queue
    main = isMain ? MainDeliveries.of(tree) : nil
    interval = pace.minimumInterval
    rateLimit = Protected(RateLimit(isTimed: interval != nil))
    debounce = Protected(pace.quietTime.map { Debounce(for: $0, passesFirst: !receiver.control.mayStillSkip) })
    time = pace.quietTime.map { _ in tree.clock.stopwatch() }
  }

  /// The observer that requests a delivery for each new state.
  var observer: Observer<State> {
    Observer(form: .returning { state in self.change(to: state) }, control: receiver.control)
  }

  /// Makes the tree's waiting deliveries to the main actor at once, including this one.
  func deliverNowOnMain() {
    tree.actAfterWait()
  }

  private func change(to state: State) -> ObserverStatus {
    // If it is paused, a change is already pending, so this one doesn't need to be reported. The tree skips paused
    // observers, but a closure-backed store doesn't.
    if receiver.control.isPaused { return .active }
    guard !receiver.control.isCancelled else { return .dead }
    // An initial state that is skipped counts as delivered: the duplicate check and the receiver keep it here.
    guard !receiver.control.mayStillSkip else {
      _ = isDuplicate?(state)
      _ = receiver.consumeInitialSkip(state)
      return .active
    }
    guard let now = time?() else {
      requestDelivery()
      return .active
    }
    perform(debounce.withLock { $0?.change(at: now) })
    return .active
  }

  private func perform(_ command: Debounce.Command?) {
    switch command {
    case .deliver: requestDelivery()
    case .wait(let duration):
      unquiet.withLock { $0 = PendingWork.Hold(on: tree.pending) }
      tree.executor.schedule(after: duration, on: tree.clock) { [weak self] in self?.quietTimeEnded() }
    case nil: break
    }
  }

  /// Delivers the changed state if the changes have stopped for long enough.
  private func quietTimeEnded() {
    guard let now = time?() else { return }
    let hold = unquiet.withLock { $0.take() }
    perform(debounce.withLock { $0?.timeEnded(at: now) })
    // Not earlier: the following calls may need to deliver.
    withExtendedLifetime(hold) {}
  }

  /// Requests a delivery. Further changes aren't reported until it has arrived.
  private func requestDelivery() {
    receiver.control.pause(true)
    // Before the change is recorded in `rateLimit`: from then on, a `dispatchAndWait` on the main actor may deliver it.
    if let main, mainTicket.withLock({ $0 == nil }) {
      let number = main.add { self.deliver() }
      mainTicket.withLock { $0 = number }
    }
    switch rateLimit.withLock({ $0.change() }) {
    case .send: send()
    case .wait: missed.withLock { $0 = PendingWork.Hold(on: tree.pending) }
    case nil: break
    }
  }

  private func send() {
    let hold = PendingWork.Hold(on: tree.pending)
    tree.afterLeaving {
      if let main = self.main {
        main.send()
      } else {
        self.tree.deliver(on: self.queue) { self.deliver() }
      }
      withExtendedLifetime(hold) {}
    }
  }

  /// Delivers the latest state, unless it was already delivered. Called on `queue`.
  private func deliver() {
    guard rateLimit.withLock({ $0.isPending }) else { return }
    // Inside the receiver's own call, this only requests another round of the loop below.
    isRequestedAgain = true
    guard !isDelivering else { return }
    // If a manual executor steps it in the middle of a step of the tree, it would wait forever, so it is sent again.
    guard tree.executor.canWait(for: tree) else { return send() }
    isDelivering = true
    var hasDelivered = false
    while isRequestedAgain {
      isRequestedAgain = false
      guard let state = take(), !receiver.control.isCancelled, isDuplicate?(state) != true else { continue }
      tree.callObserver(showingMoment: isMoment) { receiver.deliver(state) }
      hasDelivered = true
    }
    isDelivering = false
    guard let interval else { return }
    // If nothing was delivered, the next state doesn't need to wait for the interval.
    guard hasDelivered else { return intervalEnded() }
    tree.executor.schedule(after: interval, on: tree.clock) { [weak self] in self?.intervalEnded() }
  }

  /// Reads the state between two steps.
  ///
  /// - `arrive()` is called between the same two steps: each step is either part of the state or requests another
  ///   delivery.
  private func take() -> State? {
    didReachQueue = false
    let state = source.readBetweenSteps { self.arrive() }
    // Not reached, because the source is gone.
    if !didReachQueue { leaveMain() }
    return state
  }

  /// Marks the delivery as arrived, so that later changes are reported again.
  ///
  /// - Returns: `true` if the state must be read and delivered.
  private func arrive() -> Bool {
    didReachQueue = true
    isMoment = tree.showsMoment
    guard rateLimit.withLock({ $0.arrive() }) else { return false }
    if time != nil { debounce.withLock { $0?.arrive() } }
    receiver.control.pause(false)
    leaveMain()
    return !receiver.control.isCancelled
  }

  /// Removes this delivery from the deliveries that wait for the main actor.
  private func leaveMain() {
    if let main, let number = mainTicket.withLock({ $0.take() }) { main.remove(number) }
  }

  /// Ends the interval, and sends a delivery if the state changed meanwhile.
  private func intervalEnded() {
    if rateLimit.withLock({ $0.intervalEnded() }) { send() }
    // Released outside the lock, which the release may need.
    _ = missed.withLock { $0.take() }
  }
}
