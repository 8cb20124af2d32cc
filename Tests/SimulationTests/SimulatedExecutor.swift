import Arbor
import Dispatch

/// An executor that keeps all waiting work until a schedule chooses the next turn.
///
/// - Depending on the seed, another thread may run a waiting turn at any wake-up.
final class SimulatedExecutor: TreeExecutor, TaskExecutor, @unchecked Sendable {  // Only one thread uses it.
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

  /// The key that identifies a tree's queue.
  private static let key = DispatchSpecificKey<Int>()

  private let chance: Chance
  private var turns: [Turn] = []

  /// The trees by their mailboxes. They live as long as the executor, so that no other tree reuses their memory.
  private var trees: [ObjectIdentifier: (mailbox: any Drainable, number: Int)] = [:]

  /// The queues in the order of their first deliveries.
  private var queues: [DispatchQueue] = []
  private var mainQueue: Int?

  /// The queues with a delivery in progress.
  private var delivering: [Int] = []

  /// The trees of the threads that the running one has interrupted.
  private var suspended: [Int] = []
  private var depth = 1
  private var moments = 0
  private var operation = 0

  private var alarms: [(number: Int, time: Int, ring: () -> Void)] = []
  private var lastAlarm = 0
  private var now = 0

  /// The number of the tree that is being created.
  var making = 0

  init(chance: Chance) {
    self.chance = chance
  }

  var waiting: [Label] { turns.map(\.label) }

  var isAtRest: Bool { turns.isEmpty && alarms.isEmpty }

  /// Begins an operation of the schedule.
  func begin(operation number: Int) {
    operation = number
    moments = 0
  }

  /// Releases the trees, which hold this executor.
  func end() {
    trees = [:]
    turns = []
    alarms = []
  }

  /// `true` if waiting for a tree here would never end.
  func isBusy(_ mailbox: Tree) -> Bool {
    mailbox.isInside || suspended.contains(number(of: mailbox))
  }

  /// `true` if the running thread is in a callback of any tree.
  var isInsideAny: Bool { !inside.isEmpty }

  /// `true` if this is the main queue, and no thread is in the middle of a tree's work.
  var isOnMain: Bool { suspended.isEmpty && inside.isEmpty }

  /// The trees whose callbacks the running thread is in.
  private var inside: [Int] { trees.values.filter { ($0.mailbox as? Tree)?.isInside == true }.map(\.number) }

  /// The number of a mailbox's tree. A new mailbox belongs to the tree that is being created.
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

  /// Runs one of the possible next turns.
  ///
  /// - Returns: `true` if there was one.
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
      // The main queue belongs to the running thread: none of its work runs in the middle of a tree's work.
      !delivering.contains(queue) && (suspended.isEmpty || queue != mainQueue)
        && !turns[..<index].contains { $0.label == turns[index].label }
    case .timer, .thread, .part: true
    }
  }

  /// Lets another thread run work in its turn.
  func runElsewhere(_ work: @escaping () -> Void) {
    append(.thread, work)
  }

  private func append(_ label: Label, _ run: @escaping () -> Void) {
    turns.append(Turn(label: label, run: run))
  }

  // MARK: Requests of a tree

  func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    let tree = number(of: mailbox)
    append(.mailbox(tree: tree)) { mailbox.runOneEntry() }
    // A thread that leaves work in the mailbox has not left the queue yet.
    if DispatchQueue.getSpecific(key: SimulatedExecutor.key) != tree { preempt() }
  }

  /// Gives another thread a chance to interrupt.
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
      // The work is released while still on its queue.
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

  /// Calls a closure after a duration.
  ///
  /// - Returns: The number for canceling it.
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

  // MARK: Other requests of a tree

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
