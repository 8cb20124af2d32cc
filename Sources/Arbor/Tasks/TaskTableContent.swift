/// The content of a table under its lock: the tasks, and those of each key.
struct TaskTableContent: Sendable {
  struct WeakTable: Sendable {
    weak var table: TaskTable?
  }

  /// A task that has ended while something may be sent for it.
  struct EndedTask: Sendable {
    /// Not retained, and never released here: before it goes it takes the entry out, for which it needs the lock.
    let sender: Unmanaged<TaskSender>
    let lane: TaskKeyEntry?
    let startedByTree: Bool
  }

  /// The tasks that run or wait, by their numbers.
  private(set) var tasks: [UInt64: RegisteredTask] = [:]
  var ended: [UInt64: EndedTask] = [:]

  /// The first lane of each key, by the key's hash.
  private(set) var lanes: [Int: TaskKeyEntry] = [:]
  private(set) var lastNumber: UInt64 = 0

  /// The tables of scopes, which close with this one.
  var scopes: [WeakTable] = []

  /// The numbers of the watches that run.
  var runningPresences: Set<Int> = []

  /// Called when no task is left.
  var whenIdle: [@Sendable () -> Void] = []

  /// How many are about to register tasks in the place of others.
  var holds = 0
  var isAdopted = false
  var isClosed = false

  /// Empty between two events, but for its memory.
  private var commands: [TaskLane.Command] = []

  /// Takes the closures that are to be told that no task runs or waits, if that is so.
  mutating func takeIdle() -> [@Sendable () -> Void] {
    guard tasks.isEmpty, holds == 0, !whenIdle.isEmpty else { return [] }
    defer { whenIdle = [] }
    return whenIdle
  }

  /// Makes a place for the tasks of a key, or for one without that is to wait.
  mutating func makeLane(of key: TaskKey?) -> TaskKeyEntry {
    let lane = TaskKeyEntry(key: key)
    if let key { lane.next = lanes.updateValue(lane, forKey: key.hash) }
    return lane
  }

  /// The tasks of all keys with a hash: as a rule there is one key, for which no array is made.
  func lanes(of hash: Int) -> (first: TaskKeyEntry?, others: [TaskKeyEntry]) {
    let first = lanes[hash]
    var others: [TaskKeyEntry] = []
    var next = first?.next
    while let lane = next {
      others.append(lane)
      next = lane.next
    }
    return (first, others)
  }

  private mutating func remove(_ lane: TaskKeyEntry, of key: TaskKey) {
    guard let index = lanes.index(forKey: key.hash) else { return }
    guard lanes.values[index] !== lane else {
      if let next = lane.next.take() { lanes.values[index] = next } else { lanes.remove(at: index) }
      return
    }
    var before: TaskKeyEntry? = lanes.values[index]
    while let other = before, other.next !== lane { before = other.next }
    before?.next = lane.next.take()
  }

  mutating func register(
    _ task: RegisteredTask,
    in lane: TaskKeyEntry?,
    _ mode: TaskMode,
    _ consequences: inout TaskConsequences
  ) {
    lastNumber += 1
    task.number = lastNumber
    task.sender?.number = lastNumber
    task.lane = lane
    tasks[lastNumber] = task
    guard let lane else { return start(lastNumber, &consequences) }
    change(lane, &consequences) { [lastNumber] in $0.arrive(lastNumber, mode, &$1) }
  }

  /// The body of a task has ended.
  ///
  /// - Returns: What it sent its actions by; to be released outside the lock.
  mutating func end(_ task: RegisteredTask, _ consequences: inout TaskConsequences) -> TaskSender {
    tasks[task.number] = nil
    var sender = task.sender.take().unsafelyUnwrapped
    // If nobody else has it, nothing can be sent any more.
    let keepsUntilForgotten = !isKnownUniquelyReferenced(&sender) && !sender.isRevoked
    if keepsUntilForgotten {
      sender.isKnown = true
      ended[task.number] = EndedTask(
        sender: .passUnretained(sender), lane: task.lane, startedByTree: task.startedByTree)
    }
    if let lane = task.lane {
      change(lane, &consequences) { $0.end(task.number, keepsUntilForgotten: keepsUntilForgotten, &$1) }
    }
    return sender
  }

  /// Cancels tasks that run or wait.
  mutating func cancelAll(
    isRevoking: Bool, where isMeant: (RegisteredTask) -> Bool, _ consequences: inout TaskConsequences
  ) {
    let numbers = tasks.values.filter(isMeant).map(\.number).sorted()
    // All at first, so that none begins in the place of another.
    for number in numbers { tasks[number]?.sender?.end() }
    for number in numbers { cancel(number, isRevoking: isRevoking, &consequences) }
  }

  /// Cancels a task that runs, waits or has ended.
  mutating func cancel(_ number: UInt64, isRevoking: Bool = true, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else { return revoke(ended: number) }
    if isRevoking { task.sender?.revoke() }
    if let lane = task.lane {
      change(lane, isRevoking: isRevoking, &consequences) { $0.cancel(number, &$1) }
    } else {
      drop(number, isRevoking: isRevoking, &consequences)
    }
  }

  /// Forgets all windows that are open.
  mutating func closeWindows(_ consequences: inout TaskConsequences) {
    for hash in Array(lanes.keys) {
      let (first, others) = lanes(of: hash)
      consequences.released += others
      if let first { consequences.released.append(first) }
    }
    for lane in consequences.released { change(lane, &consequences) { tasks, _ in tasks.closeWindow() } }
  }

  /// `true` if a task is one that the tree's own work has registered, of a key if one is given.
  func startedByTree(_ number: UInt64, in lane: TaskKeyEntry?) -> Bool {
    if let task = tasks[number] { return task.startedByTree && (lane == nil || task.lane === lane) }
    guard let task = ended[number] else { return false }
    return task.startedByTree && (lane == nil || task.lane === lane)
  }

  /// Takes the numbers of the watches that do not run yet, and do from now on.
  mutating func takeMissingPresences(_ presences: Range<Int>) -> [Int] {
    guard presences.count > runningPresences.count else { return [] }
    defer { runningPresences = Set(presences) }
    return presences.filter { !runningPresences.contains($0) }
  }

  /// Lets something happen to the tasks of a key, and does what is to be done about it as far as the lock allows.
  mutating func change(
    _ lane: TaskKeyEntry,
    isRevoking: Bool = true,
    _ consequences: inout TaskConsequences,
    _ event: (inout TaskLane, inout [TaskLane.Command]) -> Void
  ) {
    event(&lane.tasks, &commands)
    for index in commands.indices {
      switch commands[index] {
      case .start(let number): start(number, &consequences)
      case .drop(let number): drop(number, isRevoking: isRevoking, &consequences)
      case .schedule(let timer, let duration): consequences.timers.append((lane, timer, duration))
      }
    }
    commands.removeAll(keepingCapacity: true)
    consequences.stale += lane.takeStaleTimers()
    guard lane.tasks.isEmpty, let key = lane.key else { return }
    // Whoever called holds the lane, so that its key is not released here.
    remove(lane, of: key)
  }

  private func start(_ number: UInt64, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else { return }
    task.hasBegun = true
    consequences.start(task)
  }

  private mutating func drop(_ number: UInt64, isRevoking: Bool, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else { return revoke(ended: number) }
    guard !task.isDropped else { return }
    task.isDropped = true
    if isRevoking { task.sender?.revoke() } else { task.sender?.end() }
    // One that has not begun will never end.
    if !task.hasBegun { tasks[number] = nil }
    consequences.dropped.append((task, task.hasBegun, task.work))
  }

  private func revoke(ended number: UInt64) {
    ended[number]?.sender._withUnsafeGuaranteedRef { sender in sender.revoke() }
  }
}

/// The tasks of one key, and the timers that they wait for.
final class TaskKeyEntry: @unchecked Sendable {  // What varies is touched under its table's lock only.
  /// A timer that runs, and how it is stopped.
  typealias Timer = (number: UInt64, stop: @Sendable () -> Void)

  /// Nil if the tasks are known to nobody but their timers.
  let key: TaskKey?
  var tasks = TaskLane()
  var timers: [Timer] = []

  /// Another one whose key has the same hash.
  var next: TaskKeyEntry?

  init(key: TaskKey?) {
    self.key = key
  }

  /// Takes out the timers for which nothing waits any more.
  func takeStaleTimers() -> [Timer] {
    guard !timers.isEmpty else { return [] }
    let stale = timers.filter { !tasks.isAwaiting($0.number) }
    if !stale.isEmpty { timers.removeAll { !tasks.isAwaiting($0.number) } }
    return stale
  }
}

/// The consequences of an event for tasks, to be carried out once the lock was let go.
struct TaskConsequences {
  /// The tasks that were dropped; if they have begun, with the work that is to be cancelled as soon as it exists.
  var dropped: [(task: RegisteredTask, hasBegun: Bool, work: Task<Void, Never>?)] = []

  /// The one that is to begin; as a rule there are no others, and no array is made.
  private(set) var started: RegisteredTask?
  private(set) var othersStarted: [RegisteredTask] = []

  /// The timers to start.
  var timers: [(lane: TaskKeyEntry, number: UInt64, duration: Duration)] = []

  /// The timers to stop.
  var stale: [TaskKeyEntry.Timer] = []

  /// The lanes to be released, and not under the lock.
  var released: [TaskKeyEntry] = []

  mutating func start(_ task: RegisteredTask) {
    if started == nil { started = task } else { othersStarted.append(task) }
  }
}
