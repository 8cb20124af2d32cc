/// The content of a scope under its table's lock: the tasks, and the lanes of their keys.
struct TaskScopeContent: Sendable {
  /// A scope within this one, as long as a store, a feature or a task uses it.
  struct WeakScope: Sendable {
    let place: ScopePlace?
    weak var scope: TaskScope?
  }

  /// An ended task with actions that may still arrive.
  struct EndedTask: Sendable {
    /// Not retained, and never released here: its `deinit` removes this value, and needs the lock for that.
    let sender: Unmanaged<ActionSender>
    let keyed: KeyedTasks?
    let startedByTree: Bool
    let entry: UInt64
  }

  /// The tasks that run or wait, by number; also dropped tasks that haven't ended.
  private(set) var tasks: [UInt64: RegisteredTask] = [:]
  var ended: [UInt64: EndedTask] = [:]

  /// The reservations for the tasks of later parts of sequences, by number.
  var reserved: [UInt64: Reserved] = [:]

  struct Reserved {
    let keyed: KeyedTasks

    /// The number of the entry in which the reservation was made; 0 if it was made outside the tree's callbacks.
    let entry: UInt64
  }

  /// The tasks of the first key with each hash value; see ``KeyedTasks/next``.
  private(set) var keyedTasks: [Int: KeyedTasks] = [:]
  var lastNumber: UInt64 = 0

  /// The scopes within this one, by the hash value of their place.
  private(set) var scopes: [Int: [WeakScope]] = [:]

  /// The number of times that a scope was added to ``scopes``.
  private(set) var scopesVersion = 0
  private var scopesLimit = 8

  /// The places in the same parent that contain the place of this scope, because scopes are nested.
  var outerPlaces: [ScopePlace] = []

  /// The number of keys that are suspended.
  var suspendedKeys = 0

  /// Empty between two events; only stored to keep its memory.
  private var commands: [TaskLane.Command] = []

  /// Makes the object for the tasks of a key, or for a single task without a key that may have to wait.
  mutating func makeTasks(of key: TypedKey?) -> KeyedTasks {
    let keyed = KeyedTasks(key: key)
    if let key { keyed.next = keyedTasks.updateValue(keyed, forKey: key.hash) }
    return keyed
  }

  /// Returns the tasks of all keys with a hash value. Usually there is only one key, and no array is allocated.
  func keyedTasks(of hash: Int) -> (first: KeyedTasks?, others: [KeyedTasks]) {
    let first = keyedTasks[hash]
    var others: [KeyedTasks] = []
    var next = first?.next
    while let keyed = next {
      others.append(keyed)
      next = keyed.next
    }
    return (first, others)
  }

  /// The scopes within this one that are in use.
  var within: [TaskScope] { scopes.values.joined().compactMap(\.scope) }

  /// Adds a scope within this one, unless another was added since a version. Returns values that the caller must
  /// release outside the lock: unused places, and scopes whose last other owner may be gone by now.
  mutating func add(_ scope: TaskScope, ofHash hash: Int, ifVersionIs version: Int) -> ([[WeakScope]], [TaskScope])? {
    guard scopesVersion == version else { return nil }
    scopesVersion += 1
    var (unused, used) = ([[WeakScope]](), [TaskScope]())
    func forgetUnused(_ hash: Int, _ places: [WeakScope]) {
      let inUse = places.compactMap { place in place.scope.map { (place, $0) } }
      used += inUse.map(\.1)
      guard inUse.count < places.count else { return }
      unused.append(places)
      scopes[hash] = inUse.isEmpty ? nil : inUse.map(\.0)
    }
    // Usually the last scope of the same place, whose tasks have ended.
    if let places = scopes[hash] { forgetUnused(hash, places) }
    scopes[hash, default: []].append(WeakScope(place: scope.place, scope: scope))
    if scopes.count >= scopesLimit {
      for (hash, places) in scopes { forgetUnused(hash, places) }
      scopesLimit = max(8, scopes.count * 2)
    }
    return (unused, used)
  }

  /// The position of the oldest task among all tasks of the process; the greatest number if there is no task.
  var oldestTask: UInt64 { tasks.values.lazy.map(\.identity.number).min() ?? .max }

  /// `true` if no task runs or waits, and no key must be remembered.
  var isEmpty: Bool { tasks.isEmpty && keyedTasks.isEmpty }

  private mutating func remove(_ keyed: KeyedTasks, of key: TypedKey) {
    guard let index = keyedTasks.index(forKey: key.hash) else { return }
    guard keyedTasks.values[index] !== keyed else {
      if let next = keyed.next.take() { keyedTasks.values[index] = next } else { keyedTasks.remove(at: index) }
      return
    }
    var before: KeyedTasks? = keyedTasks.values[index]
    while let other = before, other.next !== keyed { before = other.next }
    before?.next = keyed.next.take()
  }

  /// Registers a task.
  ///
  /// - Parameter reservation: The reservation that was made for it; nil if none was.
  mutating func register(
    _ task: RegisteredTask,
    in keyed: KeyedTasks?,
    _ mode: TaskMode,
    reservation: UInt64?,
    _ consequences: inout TaskConsequences
  ) {
    lastNumber += 1
    task.number = lastNumber
    task.keyed = keyed
    tasks[lastNumber] = task
    task.presence?.taskCount += 1
    guard let keyed else { return start(lastNumber, &consequences) }
    change(keyed, &consequences) { [lastNumber] in $0.arrive(lastNumber, mode, reservation: reservation ?? .max, &$1) }
  }

  private mutating func remove(_ task: RegisteredTask) {
    tasks[task.number] = nil
    task.presence?.taskCount -= 1
  }

  /// Removes a task whose body has ended.
  ///
  /// - Returns: The task's sender, which the caller releases outside the lock.
  mutating func end(_ task: RegisteredTask, _ consequences: inout TaskConsequences) -> ActionSender {
    remove(task)
    var sender = task.sender.take().unsafelyUnwrapped
    // If no other object retains the sender, nothing can be sent anymore.
    let keepsUntilForgotten = !isKnownUniquelyReferenced(&sender) && !sender.isRevoked
    if keepsUntilForgotten {
      sender.whenReleased = { [scope = task.scope, number = task.number] in scope.forget(number) }
      ended[task.number] = EndedTask(
        sender: .passUnretained(sender), keyed: task.keyed, startedByTree: task.startedByTree, entry: task.entry)
    }
    if let keyed = task.keyed {
      change(keyed, &consequences) { $0.end(task.number, keepsUntilForgotten: keepsUntilForgotten, &$1) }
    }
    return sender
  }

  /// Cancels the running and waiting tasks that fulfill a condition.
  mutating func cancelAll(
    isRevoking: Bool, where isMeant: (RegisteredTask) -> Bool, _ consequences: inout TaskConsequences
  ) {
    let numbers = tasks.values.filter(isMeant).map(\.number).sorted()
    // All senders end first, so that no body runs that starts because an earlier task was canceled.
    for number in numbers { tasks[number]?.sender?.end() }
    for number in numbers { cancel(number, isRevoking: isRevoking, &consequences) }
  }

  /// Cancels a running, waiting or ended task, or gives up a reservation.
  mutating func cancel(_ number: UInt64, isRevoking: Bool = true, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else {
      guard let keyed = reserved[number]?.keyed else { return revoke(ended: number) }
      consequences.released.append(keyed)
      return change(keyed, &consequences) { $0.cancel(number, &$1) }
    }
    if isRevoking { task.sender?.revoke() }
    if let keyed = task.keyed {
      change(keyed, isRevoking: isRevoking, &consequences) { $0.cancel(number, &$1) }
    } else {
      drop(number, isRevoking: isRevoking, &consequences)
    }
  }

  /// Closes all open windows, and gives up all reservations.
  mutating func closeWindows(_ consequences: inout TaskConsequences) {
    for hash in Array(keyedTasks.keys) {
      let (first, others) = keyedTasks(of: hash)
      consequences.released += others
      if let first { consequences.released.append(first) }
    }
    for keyed in consequences.released { change(keyed, &consequences) { $0.clear(&$1) } }
  }

  /// Returns `true` if an entry up to a number registered a task, or made a reservation. If the tasks of a key are
  /// given, it must be one of them.
  func isStarted(_ number: UInt64, byEntryUpTo last: UInt64, in keyed: KeyedTasks?) -> Bool {
    if let reserved = reserved[number] { return reserved.entry <= last && (keyed == nil || reserved.keyed === keyed) }
    let task = tasks[number].map { ($0.startedByTree, $0.entry, $0.keyed) }
    let ended = ended[number].map { ($0.startedByTree, $0.entry, $0.keyed) }
    guard let (startedByTree, entry, ownKeyed) = task ?? ended else { return false }
    return startedByTree && entry <= last && (keyed == nil || ownKeyed === keyed)
  }

  /// Applies an event to a lane and carries out its commands, as far as that is possible under the lock.
  mutating func change(
    _ keyed: KeyedTasks,
    isRevoking: Bool = true,
    _ consequences: inout TaskConsequences,
    _ event: (inout TaskLane, inout [TaskLane.Command]) -> Void
  ) {
    event(&keyed.lane, &commands)
    for index in commands.indices {
      switch commands[index] {
      case .start(let number): start(number, &consequences)
      case .drop(let number): drop(number, isRevoking: isRevoking, &consequences)
      case .schedule(let timer, let duration): consequences.timers.append((keyed, timer, duration))
      }
    }
    commands.removeAll(keepingCapacity: true)
    consequences.stale += keyed.takeStaleTimers()
    guard keyed.lane.isEmpty, let key = keyed.key else { return }
    // The caller retains the object, so its key, which is a user's value, isn't released under the lock.
    remove(keyed, of: key)
  }

  private func start(_ number: UInt64, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else { return }
    task.hasBegun = true
    consequences.start(task)
  }

  private mutating func drop(_ number: UInt64, isRevoking: Bool, _ consequences: inout TaskConsequences) {
    guard let task = tasks[number] else {
      if reserved.removeValue(forKey: number) == nil { revoke(ended: number) }
      return
    }
    guard !task.isDropped else { return }
    task.isDropped = true
    if isRevoking { task.sender?.revoke() } else { task.sender?.end() }
    // A task that was never started has no body whose end would remove it.
    if !task.hasBegun { remove(task) }
    consequences.dropped.append((task, task.hasBegun, task.swiftTask))
  }

  private func revoke(ended number: UInt64) {
    ended[number]?.sender._withUnsafeGuaranteedRef { sender in sender.revoke() }
  }
}

/// The tasks of one key: their lane, and the timers that they wait for.
final class KeyedTasks: @unchecked Sendable {  // Its variables are only used under the table's lock.
  /// A running timer, and the closure that stops it.
  typealias Timer = (number: UInt64, stop: @Sendable () -> Void)

  /// Nil for a single task without a key.
  let key: TypedKey?
  var lane = TaskLane()
  var timers: [Timer] = []

  /// The tasks of the next key that has the same hash value.
  var next: KeyedTasks?

  init(key: TypedKey?) {
    self.key = key
  }

  /// Takes out the timers that no task and no window waits for anymore.
  func takeStaleTimers() -> [Timer] {
    guard !timers.isEmpty else { return [] }
    let stale = timers.filter { !lane.isAwaiting($0.number) }
    if !stale.isEmpty { timers.removeAll { !lane.isAwaiting($0.number) } }
    return stale
  }
}

/// The consequences of an event, which are carried out after the lock is released.
struct TaskConsequences {
  /// The dropped tasks; with the Swift task to cancel, if it has begun and already exists.
  var dropped: [(task: RegisteredTask, hasBegun: Bool, work: Task<Void, Never>?)] = []

  /// The first task to begin. Usually it is the only one, and no array is allocated.
  private(set) var started: RegisteredTask?
  private(set) var othersStarted: [RegisteredTask] = []

  /// The timers to start.
  var timers: [(keyed: KeyedTasks, number: UInt64, duration: Duration)] = []

  /// The timers to stop.
  var stale: [KeyedTasks.Timer] = []

  /// The tasks of keys that must be released outside the lock.
  var released: [KeyedTasks] = []

  mutating func start(_ task: RegisteredTask) {
    if started == nil { started = task } else { othersStarted.append(task) }
  }
}
