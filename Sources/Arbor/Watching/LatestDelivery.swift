internal import Dispatch

/// Delivers the latest state to a receiver on a queue. It keeps no state but takes it when it delivers.
final class LatestDelivery<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  private let receiver: Receiver<State>
  private let isDuplicate: (@Sendable (State) -> Bool)?
  private let tree: Tree
  private let source: AnyStateSource<State>
  private let queue: DispatchQueue
  private let interval: Duration?
  private let pace: Protected<RateLimit>

  /// The deliveries that wait for the main actor; nil on any other queue.
  private let main: MainDeliveries?

  /// The number under which this one waits among those.
  private let mainTicket = Protected(UInt64?.none)

  private var isDelivering = false
  private var isRequestedAgain = false

  /// `true` if the store's queue was come to by the running look at the state, which waits for that.
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
    // What it keeps is for whoever holds the subscription.
    self.source = source.keepingNothing
    let tree = source.tree
    self.tree = tree
    self.queue = queue
    // At most one in no time is no limit.
    let interval = interval.flatMap { $0 > .zero ? $0 : nil }
    self.interval = interval
    main = isMain ? tree.main : nil
    pace = Protected(RateLimit(isTimed: interval != nil))
  }

  /// The observer that notices new states.
  var observer: Observer<State> {
    Observer(form: .returning { state in self.change(to: state) }, control: receiver)
  }

  private func change(to state: State) -> ObserverStatus {
    // Set while the pace knows of a change that was not delivered: of another one it learns nothing. A store that was made by
    // hand knows of no pause.
    if receiver.isPaused { return .active }
    guard !receiver.isCancelled else { return .dead }
    // The first state that is to be skipped is remembered here, where it is.
    guard !receiver.mayStillSkip else {
      _ = isDuplicate?(state)
      _ = receiver.consumeInitialSkip(state)
      return .active
    }
    receiver.pause(true)
    // Before the pace knows: whoever is to deliver it finds it here.
    if let main {
      let number = main.add { self.deliver() }
      mainTicket.withLock { $0 = number }
    }
    if pace.withLock({ $0.change() }) { send() }
    return .active
  }

  private func send() {
    tree.afterLeaving { self.tree.executor.deliver(on: self.queue) { self.deliver() } }
  }

  /// Delivers the latest state, if that was not done already. On the queue.
  private func deliver() {
    guard pace.withLock({ $0.isPending }) else { return }
    // Sent in its own callback, it is delivered once that has ended.
    isRequestedAgain = true
    guard !isDelivering else { return }
    // Run by hand in the middle of a step, it would wait for ever: it comes again.
    guard tree.executor.canWait(for: tree) else { return send() }
    isDelivering = true
    var hasGiven = false
    while isRequestedAgain {
      isRequestedAgain = false
      guard let state = take(), !receiver.isCancelled, isDuplicate?(state) != true else { continue }
      receiver.deliver(state)
      hasGiven = true
    }
    isDelivering = false
    guard let interval else { return }
    // Where nothing was delivered the next state need not wait.
    guard hasGiven else { return rest() }
    tree.executor.schedule(after: interval, on: tree.clock) { [weak self] in self?.rest() }
  }

  /// The state between two steps. In the same moment the delivery arrives, so that each step is in it or sends another one.
  private func take() -> State? {
    didReachQueue = false
    let state = source.readBetweenSteps { self.arrive() }
    // The source is gone.
    if !didReachQueue { leaveMain() }
    return state
  }

  private func arrive() -> Bool {
    didReachQueue = true
    guard pace.withLock({ $0.arrive() }) else { return false }
    receiver.pause(false)
    leaveMain()
    return !receiver.isCancelled
  }

  /// Waits for the main actor no more.
  private func leaveMain() {
    if let main, let number = mainTicket.withLock({ $0.take() }) { main.remove(number) }
  }

  /// The interval has ended.
  private func rest() {
    if pace.withLock({ $0.rest() }) { send() }
  }
}

/// When to deliver the latest state: once for any number of changes, and not before the time has come.
struct RateLimit: Sendable {
  /// `true` if deliveries keep an interval.
  let isTimed: Bool

  /// A delivery is on its way.
  private(set) var isPending = false

  /// The interval after a delivery runs.
  private var isResting = false

  /// There were changes while it ran.
  private var hasMissed = false

  init(isTimed: Bool) {
    self.isTimed = isTimed
  }

  /// There is a new state.
  ///
  /// - Returns: Whether to send a delivery on its way.
  mutating func change() -> Bool {
    guard !isPending else { return false }
    guard !isResting else {
      hasMissed = true
      return false
    }
    isPending = true
    return true
  }

  /// The delivery has arrived.
  ///
  /// - Returns: Whether there is something to deliver: no other delivery came first.
  mutating func arrive() -> Bool {
    guard isPending else { return false }
    isPending = false
    isResting = isTimed
    return true
  }

  /// The interval has ended.
  ///
  /// - Returns: Whether to send a delivery on its way.
  mutating func rest() -> Bool {
    isResting = false
    guard hasMissed else { return false }
    hasMissed = false
    isPending = true
    return true
  }
}
