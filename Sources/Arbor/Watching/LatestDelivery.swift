internal import Dispatch

/// Delivers the latest state to a receiver on a queue. It keeps no state but takes it when it delivers.
final class LatestDelivery<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  private let receiver: Receiver<State>
  private let isDuplicate: (@Sendable (State) -> Bool)?
  private let mailbox: Mailbox
  private let source: AnyStateSource<State>
  private let queue: DispatchQueue
  private let interval: Duration?
  private let pace: Protected<Pace>

  /// The deliveries that wait for the main actor; nil on any other queue.
  private let main: MainDeliveries?

  /// The number under which this one waits among those.
  private let place = Protected(UInt64?.none)

  private var isDelivering = false
  private var isCalledAgain = false

  /// `true` if the store's queue was come to by the running look at the state, which waits for that.
  private var wasAsked = false

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
    let mailbox = source.mailbox
    self.mailbox = mailbox
    self.queue = queue
    // At most one in no time is no limit.
    let interval = interval.flatMap { $0 > .zero ? $0 : nil }
    self.interval = interval
    main = isMain ? mailbox.main : nil
    pace = Protected(Pace(isTimed: interval != nil))
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
      _ = receiver.skips(state)
      return .active
    }
    receiver.pause(true)
    // Before the pace knows: whoever is to deliver it finds it here.
    if let main {
      let number = main.wait { self.deliver() }
      place.withLock { $0 = number }
    }
    if pace.withLock({ $0.change() }) { send() }
    return .active
  }

  private func send() {
    mailbox.afterLeaving { self.mailbox.executor.deliver(on: self.queue) { self.deliver() } }
  }

  /// Delivers the latest state, if that was not done already. On the queue.
  private func deliver() {
    guard pace.withLock({ $0.isPending }) else { return }
    // Sent in its own callback, it is delivered once that has ended.
    isCalledAgain = true
    guard !isDelivering else { return }
    // Run by hand in the middle of a step, it would wait for ever: it comes again.
    guard mailbox.executor.canWait(for: mailbox) else { return send() }
    isDelivering = true
    var hasGiven = false
    while isCalledAgain {
      isCalledAgain = false
      guard let state = take(), !receiver.isCancelled, isDuplicate?(state) != true else { continue }
      receiver.give(state)
      hasGiven = true
    }
    isDelivering = false
    guard let interval else { return }
    // Where nothing was delivered the next state need not wait.
    guard hasGiven else { return rest() }
    mailbox.executor.schedule(after: interval, on: mailbox.clock) { [weak self] in self?.rest() }
  }

  /// The state between two steps. In the same moment the delivery arrives, so that each step is in it or sends another one.
  private func take() -> State? {
    wasAsked = false
    let state = source.glance { self.arrive() }
    // The source is gone.
    if !wasAsked { leaveMain() }
    return state
  }

  private func arrive() -> Bool {
    wasAsked = true
    guard pace.withLock({ $0.arrive() }) else { return false }
    receiver.pause(false)
    leaveMain()
    return !receiver.isCancelled
  }

  /// Waits for the main actor no more.
  private func leaveMain() {
    if let main, let number = place.withLock({ $0.take() }) { main.leave(number) }
  }

  /// The interval has ended.
  private func rest() {
    if pace.withLock({ $0.rest() }) { send() }
  }
}

/// When to deliver the latest state: once for any number of changes, and not before the time has come.
struct Pace: Sendable {
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
