import Arbor
import Dispatch

/// An executor that keeps all that waits, until a schedule says which of it is next.
///
/// - Another thread may come at any wake with one of the turns that wait, as the seed says.
final class SimulatedExecutor: TreeExecutor, TaskExecutor, @unchecked Sendable {  // One thread has it to itself.
  private struct Turn {
    let label: Label
    let run: () -> Void
  }

  private final class Block {
    var work: (() -> Void)?

    init(_ work: @escaping () -> Void) {
      self.work = work
    }
  }

  /// By which a tree's queue is known.
  private static let key = DispatchSpecificKey<Int>()

  private let chance: Chance
  private var turns: [Turn] = []

  /// The trees by their mailboxes. They live for as long as this does, so that no other one gets their place in memory.
  private var trees: [ObjectIdentifier: (mailbox: any Drainable, number: Int)] = [:]

  /// The queues in the order in which they were delivered to first.
  private var queues: [DispatchQueue] = []
  private var mainQueue: Int?

  /// Those on which something is being delivered.
  private var delivering: [Int] = []

  /// The trees in which those threads are that the running one has come between.
  private var suspended: [Int] = []
  private var depth = 1
  private var moments = 0
  private var operation = 0

  private var alarms: [(number: Int, time: Int, ring: () -> Void)] = []
  private var lastAlarm = 0
  private var now = 0

  /// The number of the tree that is being made.
  var making = 0

  init(chance: Chance) {
    self.chance = chance
  }

  var waiting: [Label] { turns.map(\.label) }

  var isAtRest: Bool { turns.isEmpty && alarms.isEmpty }

  /// An operation of the schedule begins.
  func begin(operation number: Int) {
    operation = number
    moments = 0
  }

  /// Lets go of the trees, which hold this.
  func end() {
    trees = [:]
    turns = []
    alarms = []
  }

  /// Whether to wait for a tree here would be to wait for ever.
  func isBusy(_ mailbox: Tree) -> Bool {
    mailbox.isInside || suspended.contains(number(of: mailbox))
  }

  /// Whether the running thread is in a callback of any tree.
  var isInsideAny: Bool { !inside.isEmpty }

  /// Whether this is the main queue, and no thread is in the middle of a tree's work.
  var isOnMain: Bool { suspended.isEmpty && inside.isEmpty }

  /// The trees in whose callbacks the running thread is.
  private var inside: [Int] { trees.values.filter { ($0.mailbox as? Tree)?.isInside == true }.map(\.number) }

  /// The number of a mailbox's tree. One that is met first is that of the tree that is being made.
  @discardableResult
  func number(of mailbox: any Drainable) -> Int {
    if let tree = trees[ObjectIdentifier(mailbox)] { return tree.number }
    trees[ObjectIdentifier(mailbox)] = (mailbox, making)
    mailbox.queue.setSpecific(key: SimulatedExecutor.key, value: making)
    return making
  }

  // MARK: Turns

  func run() {
    var count = 0
    while count < 1_000, step(0) { count += 1 }
  }

  /// Runs one of the turns that may be next.
  ///
  /// - Returns: Whether there was one.
  func step(_ choice: Int) -> Bool {
    let free = turns.indices.filter { isFree($0) }
    guard !free.isEmpty else { return false }
    turns.remove(at: free[choice % free.count]).run()
    return true
  }

  private func isFree(_ index: Int) -> Bool {
    switch turns[index].label {
    case .mailbox(let tree): !suspended.contains(tree)
    case .delivery(let queue):
      // The main queue is the running thread's own: nothing of it comes in the middle of a tree's work.
      !delivering.contains(queue) && (suspended.isEmpty || queue != mainQueue)
        && !turns[..<index].contains { $0.label == turns[index].label }
    case .timer, .thread, .part: true
    }
  }

  /// Lets another thread do something in its turn.
  func runElsewhere(_ work: @escaping () -> Void) {
    append(.thread, work)
  }

  private func append(_ label: Label, _ run: @escaping () -> Void) {
    turns.append(Turn(label: label, run: run))
  }

  // MARK: What a tree asks of its executor

  func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    let tree = number(of: mailbox)
    append(.mailbox(tree: tree)) { mailbox.runOneEntry() }
    // Whoever leaves work behind has not left the queue yet.
    if DispatchQueue.getSpecific(key: SimulatedExecutor.key) != tree { preempt() }
  }

  /// Another thread may come between.
  func preempt(rarity: UInt64 = 4) {
    guard depth < 3 else { return }
    moments += 1
    let choices = chance.preemption(operation: operation, moment: moments, rarity: rarity)
    guard !choices.isEmpty else { return }
    let inside = inside
    suspended += inside
    depth += 1
    Tree.asOtherThread {
      for choice in choices { _ = step(choice) }
    }
    depth -= 1
    suspended.removeLast(inside.count)
  }

  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    // Each call for a global queue gives another object.
    let isOwn = queue.label == "Arbor.delivery"
    let number = queues.firstIndex { isOwn ? $0 === queue : $0.label == queue.label } ?? queues.count
    if number == queues.count {
      queues.append(queue)
      if queue.label == DispatchQueue.main.label { mainQueue = number }
    }
    let block = Block(work)
    append(.delivery(queue: number)) { [unowned self] in
      delivering.append(number)
      // On its queue still, the work is let go of.
      block.work.take()?()
      delivering.removeLast()
    }
  }

  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let alarm = setAlarm(after: Int(duration.components.seconds)) { [unowned self] in append(.timer, work) }
    return { [weak self] in self?.stop(alarm) }
  }

  // MARK: Time

  /// Calls a closure when so much time has passed.
  ///
  /// - Returns: The number by which it is stopped.
  func setAlarm(after duration: Int, _ ring: @escaping () -> Void) -> Int {
    lastAlarm += 1
    alarms.append((lastAlarm, now + duration, ring))
    return lastAlarm
  }

  func stop(_ alarm: Int) {
    alarms.removeAll { $0.number == alarm }
  }

  func advance(by duration: Int) {
    let end = now + duration
    while let next = alarms.min(by: { $0.time < $1.time }), next.time <= end {
      now = next.time
      stop(next.number)
      next.ring()
    }
    now = end
  }

  // MARK: What else a tree asks

  func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }

  func startTask(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: self, priority: priority, operation: body)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    append(.part) { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func canWait(for mailbox: any Drainable) -> Bool { !suspended.contains(number(of: mailbox)) }

  func mayInterrupt(_ mailbox: any Drainable) { preempt() }

  func taskWaits(for mailbox: any Drainable) {}

  func taskWaits(until isDone: () -> Bool) {}
}
