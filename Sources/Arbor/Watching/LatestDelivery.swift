internal import Dispatch

/// A delivery of the latest state to a receiver, on a queue.
///
/// - It stores no state, and reads the current state when it delivers.
final class LatestDelivery<State: Sendable>: @unchecked Sendable {
  // Sendable because its variables are used on `queue` only, or on the tree's queue while `queue` waits for it.
  private let receiver: Receiver<State>
  private let isDuplicate: (@Sendable (State) -> Bool)?
  private let tree: Tree
  private let source: AnyStateSource<State>
  private let queue: DispatchQueue
  private let interval: Duration?
  private let rateLimit: Protected<RateLimit>

  /// The deliveries that wait for the main actor; nil on any other queue.
  private let main: MainDeliveries?

  /// The number of this delivery in `main`; nil while it is not waiting there.
  private let mainTicket = Protected(UInt64?.none)

  private var isDelivering = false
  private var isRequestedAgain = false

  /// `true` once the running `take()` has had its turn on the tree's queue, which it never gets if the source is gone.
  private var didReachQueue = false

  init(
    to receiver: Receiver<State>,
    _ isDuplicate: (@Sendable (State) -> Bool)?,
    from source: AnyStateSource<State>,
    on queue: DispatchQueue,
    isMain: Bool = false,
    interval: Duration?
  ) {
    self.receiver = receiver
    self.isDuplicate = isDuplicate
    // Only the subscription retains the object that the source keeps alive.
    self.source = source.keepingNothing
    let tree = source.tree
    self.tree = tree
    self.queue = queue
    // An interval of zero is no limit.
    let interval = interval.flatMap { $0 > .zero ? $0 : nil }
    self.interval = interval
    main = isMain ? tree.main : nil
    rateLimit = Protected(RateLimit(isTimed: interval != nil))
  }

  /// The observer that requests a delivery for each new state.
  var observer: Observer<State> {
    Observer(form: .returning { state in self.change(to: state) }, control: receiver)
  }

  private func change(to state: State) -> ObserverStatus {
    // Paused means that a change is pending already, so this one need not be reported. The tree skips paused observers;
    // a closure-backed store does not.
    if receiver.isPaused { return .active }
    guard !receiver.isCancelled else { return .dead }
    // An initial state that is skipped counts as delivered: the duplicate check and the receiver keep it here.
    guard !receiver.mayStillSkip else {
      _ = isDuplicate?(state)
      _ = receiver.consumeInitialSkip(state)
      return .active
    }
    receiver.pause(true)
    // Before the change is recorded in `rateLimit`: from then on a `dispatchAndWait` on the main actor may deliver it.
    if let main {
      let number = main.add { self.deliver() }
      mainTicket.withLock { $0 = number }
    }
    if rateLimit.withLock({ $0.change() }) { send() }
    return .active
  }

  private func send() {
    tree.afterLeaving { self.tree.executor.deliver(on: self.queue) { self.deliver() } }
  }

  /// Delivers the latest state, unless it was delivered already. On `queue`.
  private func deliver() {
    guard rateLimit.withLock({ $0.isPending }) else { return }
    // Called inside the receiver's own call, this only requests another round of the loop below.
    isRequestedAgain = true
    guard !isDelivering else { return }
    // Stepped by a manual executor in the middle of a step of the tree, it would wait forever: it is sent again.
    guard tree.executor.canWait(for: tree) else { return send() }
    isDelivering = true
    var hasDelivered = false
    while isRequestedAgain {
      isRequestedAgain = false
      guard let state = take(), !receiver.isCancelled, isDuplicate?(state) != true else { continue }
      receiver.deliver(state)
      hasDelivered = true
    }
    isDelivering = false
    guard let interval else { return }
    // If nothing was delivered, the next state need not wait for the interval.
    guard hasDelivered else { return intervalEnded() }
    tree.executor.schedule(after: interval, on: tree.clock) { [weak self] in self?.intervalEnded() }
  }

  /// Reads the state between two steps.
  ///
  /// - `arrive()` is called between the same two steps: each step is either in the state or requests another delivery.
  private func take() -> State? {
    didReachQueue = false
    let state = source.readBetweenSteps { self.arrive() }
    // Not reached: the source is gone.
    if !didReachQueue { leaveMain() }
    return state
  }

  /// Marks the delivery as arrived, so that later changes are reported again.
  ///
  /// - Returns: `true` if the state is to be read and delivered.
  private func arrive() -> Bool {
    didReachQueue = true
    guard rateLimit.withLock({ $0.arrive() }) else { return false }
    receiver.pause(false)
    leaveMain()
    return !receiver.isCancelled
  }

  /// Removes this delivery from those that wait for the main actor.
  private func leaveMain() {
    if let main, let number = mainTicket.withLock({ $0.take() }) { main.remove(number) }
  }

  /// Ends the interval, and sends a delivery if the state changed meanwhile.
  private func intervalEnded() {
    if rateLimit.withLock({ $0.intervalEnded() }) { send() }
  }
}

/// A limit on deliveries of the latest state: one for any number of changes, and at most one per interval.
struct RateLimit: Sendable {
  /// `true` if there is an interval between deliveries.
  let isTimed: Bool

  /// `true` while a delivery is under way.
  private(set) var isPending = false

  /// `true` during the interval after a delivery.
  private var isResting = false

  /// `true` if the state changed during the interval.
  private var hasMissed = false

  init(isTimed: Bool) {
    self.isTimed = isTimed
  }

  /// Records a change of the state.
  ///
  /// - Returns: `true` if a delivery is to be sent.
  mutating func change() -> Bool {
    guard !isPending else { return false }
    guard !isResting else {
      hasMissed = true
      return false
    }
    isPending = true
    return true
  }

  /// Records that the delivery has arrived.
  ///
  /// - Returns: `true` if there is a change to deliver; `false` if another delivery came first.
  mutating func arrive() -> Bool {
    guard isPending else { return false }
    isPending = false
    isResting = isTimed
    return true
  }

  /// Records the end of the interval.
  ///
  /// - Returns: `true` if a delivery is to be sent.
  mutating func intervalEnded() -> Bool {
    isResting = false
    guard hasMissed else { return false }
    hasMissed = false
    isPending = true
    return true
  }
}
