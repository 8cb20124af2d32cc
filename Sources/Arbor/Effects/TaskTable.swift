internal import Dispatch

/// The tasks of a store, or of a scope with its own type of actions: each has keys of its own.
///
/// - From any thread. A task is known here before it starts, until its body has ended.
@usableFromInline
final class TaskTable: Sendable {
  private struct Content: Sendable {
    var tasks: [UInt64: RegisteredTask] = [:]
    var lanes: [TaskKey: TaskLane] = [:]

    /// Tasks that have ended, by their keys, while actions of them wait: to cancel the key still revokes those.
    var ended: [TaskKey: [TaskTicket]] = [:]

    /// The tables of scopes, which close with this one.
    var scopes: [WeakTable] = []

    /// Called when no task is left.
    var whenIdle: [@Sendable () -> Void] = []
    var isWatched = false
    var isClosed = false

    /// Changes what is known of a key, if anything is, and forgets it if nothing is left.
    mutating func change(
      _ key: TaskKey,
      _ event: (inout TaskLane, inout [TaskLane.Command]) -> Void
    ) -> [TaskLane.Command] {
      var commands: [TaskLane.Command] = []
      guard let index = lanes.index(forKey: key) else { return commands }
      event(&lanes.values[index], &commands)
      if lanes.values[index].isEmpty { lanes.remove(at: index) }
      return commands
    }
  }

  private struct WeakTable: Sendable {
    weak var table: TaskTable?
  }

  private let content = Protected(Content())
  private let executor: any Executor
  private let clock: any Clock<Duration>

  /// Sees to it that ``notice(isThere:)`` is called for each step; nil if what the tasks belong to is always there.
  private let watch: (@Sendable (TaskTable) -> Void)?

  @usableFromInline
  init(executor: any Executor, clock: any Clock<Duration>) {
    self.executor = executor
    self.clock = clock
    watch = nil
  }

  /// The table of a scope.
  ///
  /// - Parameter watch: As the property; if nil, what the tasks belong to is there as long as what is around it.
  @usableFromInline
  init(in table: TaskTable, watch: (@Sendable (TaskTable) -> Void)?) {
    executor = table.executor
    clock = table.clock
    self.watch = watch ?? table.watch
    table.adopt(self)
  }

  private func adopt(_ table: TaskTable) {
    let isClosed = content.withLock { content in
      if content.scopes.count == content.scopes.capacity { content.scopes.removeAll { $0.table == nil } }
      content.scopes.append(WeakTable(table: table))
      return content.isClosed
    }
    if isClosed { table.close() }
  }

  // MARK: The life of a task

  /// Takes a task in, and starts it when its mode says so.
  func add(_ task: RegisteredTask, mode: TaskMode) {
    let number = task.ticket.number
    let (commands, isToBeWatched, revoked) = content.withLock { content in
      guard !content.isClosed else { return (nil as [TaskLane.Command]?, false, [] as [TaskTicket]) }
      content.tasks[number] = task
      let isToBeWatched = watch != nil && !content.isWatched
      if isToBeWatched { content.isWatched = true }
      guard let key = task.ticket.key else { return ([.start(number)], isToBeWatched, []) }
      let revoked = mode == .dropCurrent ? content.ended.removeValue(forKey: key) ?? [] : []
      if content.lanes[key] == nil { content.lanes[key] = TaskLane() }
      return (content.change(key) { $0.arrive(number, mode, &$1) }, isToBeWatched, revoked)
    }
    guard let commands else {
      task.ticket.end()
      task.whenDropped()
      return task.whenEnded(true)
    }
    for ticket in revoked { ticket.revoke() }
    obey(commands, of: task.ticket.key)
    if isToBeWatched { watch?(self) }
  }

  private func obey(_ commands: [TaskLane.Command], of key: TaskKey?, isRevoking: Bool = true) {
    for command in commands {
      switch command {
      case .start(let task):
        start(task)
      case .drop(let task):
        drop(task, isRevoking: isRevoking)
      case .schedule(let timer, let duration):
        executor.schedule(after: duration, on: clock) { [weak self] in self?.ring(timer, of: key) }
      }
    }
  }

  private func start(_ number: UInt64) {
    let task = content.withLock { content -> RegisteredTask? in
      // It may have been dropped since the lock was let go.
      guard let task = content.tasks[number], !task.isDropped else { return nil }
      content.tasks[number]?.isStarted = true
      return task
    }
    guard let task else { return }
    let work = Task(executorPreference: executor.taskExecutor, priority: task.priority) { [self] in
      if !task.ticket.isOver { await task.run() }
      end(number)
    }
    let isDropped = content.withLock { content in
      content.tasks[number]?.work = work
      return content.tasks[number]?.isDropped == true
    }
    if isDropped { work.cancel() }
  }

  /// The body of a task has ended.
  private func end(_ number: UInt64) {
    let (task, commands) = content.withLock { content in
      let task = content.tasks.removeValue(forKey: number)
      guard let key = task?.ticket.key else { return (task, [] as [TaskLane.Command]) }
      if let ticket = task?.ticket, ticket.isAwaited { content.ended[key, default: []].append(ticket) }
      return (task, content.change(key) { $0.end(number, &$1) })
    }
    guard let task else { return }
    if !task.ticket.isAwaited { forget(task.ticket) }
    obey(commands, of: task.ticket.key)
    task.whenEnded(task.isDropped)
    settle()
  }

  /// A task is not to run any more.
  private func drop(_ number: UInt64, isRevoking: Bool) {
    let (task, commands) = content.withLock { content -> (RegisteredTask?, [TaskLane.Command]) in
      guard let task = content.tasks[number], !task.isDropped else { return (nil, []) }
      content.tasks[number]?.isDropped = true
      guard !task.isStarted else { return (task, []) }
      // It will never end.
      content.tasks.removeValue(forKey: number)
      return (task, task.ticket.key.map { content.change($0) { $0.end(number, &$1) } } ?? [])
    }
    guard let task else { return }
    if isRevoking { task.ticket.revoke() } else { task.ticket.end() }
    task.work?.cancel()
    task.whenDropped()
    guard !task.isStarted else { return }
    obey(commands, of: task.ticket.key)
    task.whenEnded(true)
    settle()
  }

  private func ring(_ timer: UInt64, of key: TaskKey?) {
    guard let key else { return }
    obey(content.withLock { $0.change(key) { $0.ring(timer, &$1) } }, of: key)
    settle()
  }

  /// Lets those know who wait for the last task.
  private func settle() {
    let waiting = content.withLock { content -> [@Sendable () -> Void] in
      guard content.tasks.isEmpty else { return [] }
      defer { content.whenIdle = [] }
      return content.whenIdle
    }
    for wake in waiting { wake() }
  }

  /// No action of a task waits any more.
  func forget(_ ticket: TaskTicket) {
    guard let key = ticket.key else { return }
    content.withLock { content in
      guard var tickets = content.ended[key] else { return }
      tickets.removeAll { $0 === ticket }
      content.ended[key] = tickets.isEmpty ? nil : tickets
    }
  }

  // MARK: What a store asks of its tasks

  /// Cancels a task, and revokes what it has sent.
  func cancel(_ ticket: TaskTicket) {
    ticket.revoke()
    let commands = content.withLock { content -> [TaskLane.Command] in
      guard content.tasks[ticket.number] != nil else { return [] }
      guard let key = ticket.key else { return [.drop(ticket.number)] }
      return content.change(key) { $0.cancel(ticket.number, &$1) }
    }
    obey(commands, of: ticket.key)
  }

  /// Cancels all tasks with a key, and revokes what they have sent.
  func cancel(_ key: TaskKey) {
    let (commands, ended) = content.withLock { content in
      (content.change(key) { $0.cancelAll(&$1) }, content.ended.removeValue(forKey: key) ?? [])
    }
    for ticket in ended { ticket.revoke() }
    obey(commands, of: key)
  }

  /// Cancels all tasks.
  func cancelAll(isRevoking: Bool = true) {
    let (tasks, ended) = content.withLock { content in
      for key in Array(content.lanes.keys) { _ = content.change(key) { $0.cancelAll(&$1) } }
      defer { if isRevoking { content.ended = [:] } }
      return (content.tasks.keys.sorted(), content.ended.values.joined().map(\.self))
    }
    if isRevoking { for ticket in ended { ticket.revoke() } }
    for task in tasks { drop(task, isRevoking: isRevoking) }
  }

  func isRunning(_ key: TaskKey) -> Bool {
    content.withLock { $0.lanes[key]?.isRunning == true }
  }

  /// Calls a closure as soon as no task runs or waits.
  func whenIdle(_ wake: @escaping @Sendable () -> Void) {
    let isIdle = content.withLock { content in
      if !content.tasks.isEmpty { content.whenIdle.append(wake) }
      return content.tasks.isEmpty
    }
    if isIdle { wake() }
  }

  // MARK: The life of the store

  /// What the tasks belong to is there, or is not. Called for each step while there are tasks.
  @usableFromInline
  func notice(isThere: Bool) -> ObserverStatus {
    if !isThere { cancelAll(isRevoking: false) }
    return content.withLock { content in
      guard content.tasks.isEmpty || content.isClosed else { return .active }
      content.isWatched = false
      return .dead
    }
  }

  /// The store's owner is gone: its tasks are cancelled, but what they have sent is not revoked.
  ///
  /// - A release runs no user code, so what may is done elsewhere.
  func close() {
    let (tasks, scopes) = content.withLock { content in
      content.isClosed = true
      return (Array(content.tasks.values), content.scopes.compactMap(\.table))
    }
    for task in tasks { task.ticket.end() }
    for scope in scopes { scope.close() }
    guard !tasks.isEmpty else { return }
    executor.deliver(on: .global()) { self.cancelAll(isRevoking: false) }
  }
}
