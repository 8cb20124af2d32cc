internal import Arbor

/// Turns what happens in trees into the events of a trace.
struct TraceWriter {
  /// How many actions may begin an arrow.
  private static let rememberedActions = 10_000

  /// A tree, which is a process of the trace.
  private struct Process {
    /// The times at which the last actions began, in nanoseconds, by their numbers modulo ``rememberedActions``.
    private var begun: [(number: UInt64, time: Int64)] = []
    var waiting = -1

    /// The tasks that run, and the stores that have gone while any did: these still have an end to be written.
    var tasks = 0
    var gone: [UInt64] = []

    /// When an action began; nil if that was too long ago.
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
  }

  private let name: @Sendable (any Sendable) -> String
  private var text = TraceText()
  private var processes: [UInt64: Process] = [:]

  /// The processes of the stores, by the stores' numbers.
  private var processOfStore: [UInt64: UInt64] = [:]
  private var storeNames: [UInt64: String] = [:]
  private var lastTime: Int64 = 0
  private var lastProcess: UInt64 = 0

  init(name: @escaping @Sendable (any Sendable) -> String) {
    self.name = name
  }

  /// Takes out the text of what was added since the last time.
  mutating func takeText() -> String { text.take() }

  mutating func add(_ entry: TraceEntry) {
    switch entry {
    case .action(let action): add(action)
    case .event(let event, let time): add(event, at: time.nanoseconds)
    }
  }

  /// Says that entries are missing.
  mutating func addGap(_ count: Int) {
    text.beginEvent("i", "dropped", lastProcess, at: lastTime)
    text.add("cat", "trace")
    text.add("s", "g")
    text.beginArguments()
    text.add("events", Int64(count))
    text.endArguments()
    text.endEvent()
  }

  // MARK: Actions

  private mutating func add(_ action: TracedAction) {
    let process = process(of: action.store)
    let times = action.times
    let begin = times.accepted + times.waited
    let duration = times.intercepted + times.reduced + times.performed + times.delivered
    (lastTime, lastProcess) = (begin + duration, process)

    text.beginSlice(LineText.beginning(of: name(action.action)), "action", process, at: begin, duration)
    text.beginArguments()
    text.add("store", storeNames[action.store.id] ?? "")
    text.add("number", Int64(clamping: action.number))
    text.add("outcome", action.outcome.name)
    text.add("cause", action.cause.kind.rawValue)
    text.add("waited_us", nanoseconds: times.waited)
    text.endArguments()
    text.endEvent()
    var time = begin
    addPart("intercept", process, &time, times.intercepted)
    addPart("reduce", process, &time, times.reduced)
    addPart("effects", process, &time, times.performed)
    addPart("observers", process, &time, times.delivered)
    addArrow(to: action, in: process, at: begin)
    addWaiting(action.waiting, in: process, at: begin + duration)
  }

  private mutating func addPart(_ name: String, _ process: UInt64, _ time: inout Int64, _ duration: Int64) {
    guard duration > 0 else { return }
    text.beginSlice(name, name, process, at: time, duration)
    text.endEvent()
    time += duration
  }

  /// Adds an arrow from the action that has caused this one.
  private mutating func addArrow(to action: TracedAction, in process: UInt64, at begin: Int64) {
    if let cause = action.cause.action, let causeBegin = processes[process]?.begin(of: cause) {
      text.beginFlow("s", action.number, process, at: causeBegin)
      text.endEvent()
      text.beginFlow("f", action.number, process, at: begin)
      text.add("bp", "e")
      text.endEvent()
    }
    processes[process, default: Process()].remember(action.number, begin)
  }

  private mutating func addWaiting(_ count: Int, in process: UInt64, at time: Int64) {
    guard processes[process]?.waiting != count else { return }
    processes[process, default: Process()].waiting = count
    text.beginEvent("C", "mailbox", process, at: time)
    text.beginArguments()
    text.add("waiting", Int64(count))
    text.endArguments()
    text.endEvent()
  }

  // MARK: Events

  private mutating func add(_ event: StoreEvent, at time: Int64) {
    let process = process(of: event.store)
    (lastTime, lastProcess) = (time, process)
    switch event {
    case .storeMade(let store):
      if store.parent == nil { addProcess(process, store) }
      addInstant("made \(store)", "store", process, at: time)
    case .storeGone(let store):
      addInstant("gone \(store)", "store", process, at: time)
      processes[process, default: Process()].gone.append(store.id)
    case .taskStarted(let task):
      addTask("b", task, process, at: time)
      processes[process, default: Process()].tasks += 1
    case .taskFinished(let task): addTask("e", task, process, at: time, "finished")
    case .taskCancelled(let task): addTask("e", task, process, at: time, "cancelled")
    case .taskFailed(let task, let error): addTask("e", task, process, at: time, "failed: \(LineText.of(error))")
    case .activity(let activity, _): addInstant(LineText.beginning(of: name(activity)), "activity", process, at: time)
    case .observerMade, .observerGone: break
    }
    forgetGone(in: process)
  }

  /// Forgets the stores of a process that have gone, and the process with its root, once no task runs.
  private mutating func forgetGone(in process: UInt64) {
    guard let known = processes[process], known.tasks == 0, !known.gone.isEmpty else { return }
    for store in known.gone { (processOfStore[store], storeNames[store]) = (nil, nil) }
    if known.gone.contains(process) { processes[process] = nil } else { processes[process]?.gone = [] }
  }

  private mutating func addProcess(_ process: UInt64, _ root: MonitoredStore) {
    text.beginMetadata("process_name", process)
    text.add("name", "\(root)#\(root.id)")
    text.endArguments()
    text.endEvent()
    text.beginMetadata("thread_name", process)
    text.add("name", "store queue")
    text.endArguments()
    text.endEvent()
  }

  private mutating func addInstant(_ name: String, _ category: String, _ process: UInt64, at time: Int64) {
    text.beginEvent("i", name, process, at: time)
    text.add("cat", category)
    text.add("s", "t")
    text.endEvent()
  }

  private mutating func addTask(
    _ phase: StaticString,
    _ task: MonitoredTask,
    _ process: UInt64,
    at time: Int64,
    _ outcome: String? = nil
  ) {
    text.beginEvent(phase, TraceWriter.name(of: task), process, at: time)
    text.add("cat", "task")
    text.add("id", "\(task.id)")
    if let outcome {
      text.beginArguments()
      text.add("outcome", outcome)
      text.endArguments()
      processes[process]?.tasks -= 1
    }
    text.endEvent()
  }

  private static func name(of task: MonitoredTask) -> String {
    guard let key = task.key else { return "task" }
    // Without the quotation marks of a value in a log.
    return (key as? String).map { LineText.beginning(of: $0) } ?? LineText.of(key)
  }

  /// The process of a store's tree: the number of its root.
  private mutating func process(of store: MonitoredStore) -> UInt64 {
    if let process = processOfStore[store.id] { return process }
    let process = store.parent.flatMap { processOfStore[$0] } ?? store.id
    processOfStore[store.id] = process
    storeNames[store.id] = "\(store)#\(store.id)"
    return process
  }
}

extension ActionOutcome {
  /// The outcome's name, as in its case.
  fileprivate var name: String {
    switch self {
    case .reduced: "reduced"
    case .replaced: "replaced"
    case .dropped: "dropped"
    case .held: "held"
    case .revoked: "revoked"
    case .failed: "failed"
    }
  }
}
