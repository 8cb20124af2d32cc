internal import Arbor

/// Converts the activity of trees to the events of a trace.
struct TraceWriter {
  /// The number of a tree's latest actions at which an arrow may begin.
  private static let rememberedActions = 10_000

  /// The number of bytes that are passed on at once.
  private static let piece = 1 << 16

  /// A tree, which is a process in the trace, with the number of its root.
  private struct Process {
    /// The times at which the latest actions began, in nanoseconds, by their numbers modulo ``rememberedActions``.
    private var begun: [(number: UInt64, time: Int64)] = []
    private var waiting = -1

    /// The number of remembered stores in the process.
    var stores = 0

    /// Returns the time at which an action began, in nanoseconds; nil if it is no longer remembered.
    func begin(of number: UInt64) -> Int64? {
      let index = Int(number % UInt64(rememberedActions))
      guard index < begun.count, begun[index].number == number else { return nil }
      return begun[index].time
    }

    mutating func remember(_ number: UInt64, _ time: Int64) {
      let index = Int(number % UInt64(rememberedActions))
      while begun.count <= index { begun.append((0, 0)) }
      begun[index] = (number, time)
    }

    /// Remembers the number of waiting entries. Returns `false` if it is unchanged.
    mutating func remember(waiting count: Int) -> Bool {
      defer { waiting = count }
      return waiting != count
    }
  }

  private struct Store {
    let process: UInt64
    let name: String

    /// The number of running tasks. Their ends must still be written after the store is gone.
    var tasks = 0
    var isGone = false
  }

  private let name: @Sendable (any Sendable) -> String
  private var text = TraceText()
  private var processes: [UInt64: Process] = [:]
  private var stores: [UInt64: Store] = [:]
  private var lastTime: Int64 = 0
  private var lastProcess: UInt64 = 0

  init(name: @escaping @Sendable (any Sendable) -> String) {
    self.name = name
  }

  /// `true` if there is enough text to pass on.
  var hasPiece: Bool { text.count >= TraceWriter.piece }

  /// Removes and returns the text that was added since the last call.
  mutating func takeText() -> String { text.take() }

  mutating func add(_ entry: TraceEntry) {
    switch entry {
    case .action(let action): add(action)
    case .event(let event, let time): add(event, at: time.nanoseconds)
    }
  }

  /// Adds an event with the number of missing entries.
  mutating func addGap(_ count: Int) {
    text.addGap(count, lastProcess, at: lastTime)
  }

  // MARK: Actions

  private mutating func add(_ action: TracedAction) {
    let (store, times) = (store(action.store), action.times)
    let process = store.process
    let end = times.begun &+ times.duration
    (lastTime, lastProcess) = (end, process)
    text.add(action, LineText.beginning(of: name(action.action)), of: store.name, process)
    var time = times.begun
    text.addPart("\"ph\":\"X\",\"cat\":\"intercept\",\"name\":\"intercept\"", process, &time, times.intercepted)
    text.addPart("\"ph\":\"X\",\"cat\":\"reduce\",\"name\":\"reduce\"", process, &time, times.reduced)
    text.addPart("\"ph\":\"X\",\"cat\":\"effects\",\"name\":\"effects\"", process, &time, times.performed)
    text.addPart("\"ph\":\"X\",\"cat\":\"observers\",\"name\":\"observers\"", process, &time, times.delivered)
    let cause = action.cause.action
    let (causeBegin, waits) = withProcess(process) { process in
      let causeBegin = cause.flatMap { process.begin(of: $0) }
      process.remember(action.number, times.begun)
      return (causeBegin, process.remember(waiting: action.waiting))
    }
    if let causeBegin { text.addArrow(to: action.number, process, from: causeBegin, to: times.begun) }
    if waits { text.add(waiting: action.waiting, process, at: end) }
  }

  // MARK: Events

  private mutating func add(_ event: StoreEvent, at time: Int64) {
    let store = store(event.store)
    let process = store.process
    (lastTime, lastProcess) = (time, process)
    switch event {
    case .storeMade(let made):
      if made.parent == nil { text.addProcess(process, store.name) }
      text.addInstant("made \(made)", "store", process, at: time)
    case .storeGone(let gone):
      text.addInstant("gone \(gone)", "store", process, at: time)
      change(gone) { $0.isGone = true }
    case .taskStarted(let task):
      text.addTask(name(of: task), task.id, process, at: time, nil)
      change(task.store) { $0.tasks += 1 }
    case .taskFinished(let task): end(task, process, at: time, "finished")
    case .taskCancelled(let task): end(task, process, at: time, "cancelled")
    case .taskFailed(let task, let error): end(task, process, at: time, "failed: \(LineText.of(error))")
    case .activity(let activity, _):
      text.addInstant(LineText.beginning(of: name(activity)), "activity", process, at: time)
    case .observerMade, .observerGone: break
    }
  }

  private mutating func end(_ task: MonitoredTask, _ process: UInt64, at time: Int64, _ outcome: String) {
    text.addTask(name(of: task), task.id, process, at: time, outcome)
    change(task.store) { $0.tasks -= 1 }
  }

  private func name(of task: MonitoredTask) -> String {
    guard let key = task.key else { return task.stateEffect ?? "task" }
    // A text key is written without the quotation marks that it has in a log.
    if let text = key as? String { return LineText.beginning(of: text) }
    return LineText.of(key)
  }

  // MARK: Stores

  /// Returns a store, which is added if it is new. It belongs to the tree of its parent.
  private mutating func store(_ monitored: MonitoredStore) -> Store {
    if let store = stores[monitored.id] { return store }
    let process = monitored.parent.flatMap { stores[$0]?.process } ?? monitored.id
    let store = Store(process: process, name: "\(monitored)#\(monitored.id)")
    stores[monitored.id] = store
    withProcess(process) { $0.stores += 1 }
    return store
  }

  /// Changes a store. Forgets it if it is gone and has no running tasks, and forgets the process with its last store.
  private mutating func change(_ monitored: MonitoredStore, _ change: (inout Store) -> Void) {
    guard var store = stores[monitored.id] else { return }
    change(&store)
    stores[monitored.id] = store
    guard store.isGone, store.tasks <= 0 else { return }
    stores[monitored.id] = nil
    let isLast = withProcess(store.process) { process in
      process.stores -= 1
      return process.stores == 0
    }
    if isLast { processes[store.process] = nil }
  }

  private mutating func withProcess<Value>(_ id: UInt64, _ body: (inout Process) -> Value) -> Value {
    body(&processes[id, default: Process()])
  }
}

/// The text of a trace: an array of JSON objects, one per line, without the closing bracket.
///
/// - Times are in nanoseconds. The common part of all events of a kind is written as one piece.
private struct TraceText {
  private var text = JSONText()
  private var isFirst = true

  init() {
    text.append("[")
  }

  /// The number of bytes that were added since text was last taken.
  var count: Int { text.count }

  /// Removes and returns the text that was added since the last call.
  mutating func take() -> String { text.takeText() }

  /// Adds the step of an action.
  mutating func add(_ action: TracedAction, _ name: String, of store: String, _ process: UInt64) {
    let times = action.times
    begin("\"ph\":\"X\",\"cat\":\"action\"", process, at: times.begun)
    addDuration(times.duration)
    text.add("name", name)
    text.append(",\"args\":{")
    text.add("store", store)
    text.add("number", Int(clamping: action.number))
    text.add("outcome", LoggedOutcome(action.outcome))
    text.add("cause", action.cause.kind)
    text.append(",\"waited_us\":")
    text.append(thousandths: times.waited)
    text.append("}}")
  }

  /// Adds a part of a step if it took any time, and advances the time to its end.
  mutating func addPart(_ members: StaticString, _ process: UInt64, _ time: inout Int64, _ duration: Int64) {
    guard duration > 0 else { return }
    begin(members, process, at: time)
    addDuration(duration)
    text.append("}")
    time &+= duration
  }

  private mutating func addDuration(_ duration: Int64) {
    text.append(",\"dur\":")
    text.append(thousandths: duration)
  }

  // MARK: Other events

  /// Adds an arrow from an action to the action with a number, which it caused.
  mutating func addArrow(to number: UInt64, _ process: UInt64, from begin: Int64, to end: Int64) {
    addArrowEnd("\"ph\":\"s\",\"cat\":\"cause\",\"name\":\"cause\"", number, process, at: begin)
    addArrowEnd("\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"cause\",\"name\":\"cause\"", number, process, at: end)
  }

  private mutating func addArrowEnd(_ members: StaticString, _ number: UInt64, _ process: UInt64, at time: Int64) {
    begin(members, process, at: time)
    // Two processes in one trace have actions with the same numbers.
    text.append(",\"id\":\"")
    text.append(process)
    text.append(".")
    text.append(number)
    text.append("\"}")
  }

  /// Adds the number of waiting entries.
  mutating func add(waiting count: Int, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"C\",\"name\":\"mailbox\"", process, at: time)
    addArgument("waiting", count)
  }

  mutating func addInstant(_ name: String, _ category: String, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"i\",\"s\":\"t\"", process, at: time)
    text.add("cat", category)
    text.add("name", name)
    text.append("}")
  }

  /// Adds the number of missing events.
  mutating func addGap(_ count: Int, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"i\",\"s\":\"g\",\"cat\":\"trace\",\"name\":\"dropped\"", process, at: time)
    addArgument("events", count)
  }

  /// Adds the start of a task, or its end with an outcome.
  mutating func addTask(_ name: String, _ id: UInt64, _ process: UInt64, at time: Int64, _ outcome: String?) {
    begin(outcome == nil ? "\"ph\":\"b\",\"cat\":\"task\"" : "\"ph\":\"e\",\"cat\":\"task\"", process, at: time)
    text.add("id", "\(id)")
    text.add("name", name)
    if let outcome { addArgument("outcome", outcome) } else { text.append("}") }
  }

  /// Adds the names of a process and its thread.
  mutating func addProcess(_ process: UInt64, _ name: String) {
    for (member, name) in [("process_name", name), ("thread_name", "store queue")] {
      begin("\"ph\":\"M\"", process, at: 0)
      text.add("name", member)
      addArgument("name", name)
    }
  }

  /// Begins an event with its own members, followed by the members of all events.
  private mutating func begin(_ members: StaticString, _ process: UInt64, at time: Int64) {
    text.append(isFirst ? "\n{" : ",\n{")
    isFirst = false
    text.append(members)
    text.append(",\"tid\":1,\"pid\":")
    text.append(process)
    text.append(",\"ts\":")
    text.append(thousandths: time)
  }

  /// Ends an event, with its only argument.
  private mutating func addArgument(_ name: StaticString, _ value: some DocumentValue) {
    text.append(",\"args\":{")
    text.add(name, value)
    text.append("}}")
  }
}
