/// Tasks: the mode determines the effect on other tasks of the same key.
extension Model {
  // MARK: The life of a task

  /// - Parameter place: The place that was reserved for it; nil if there was none.
  func add(_ task: Task, _ mode: Mode, at place: Reservation? = nil) {
    let table = task.table
    guard !table.isClosed, place?.isOver != true else {
      preempt()
      letGo {}
      task.isOver = true
      task.settle(isFailed: true)
      task.group?.leave(isCancelled: true)
      return
    }
    var outcome = Outcome()
    table.count += 1
    task.number = table.count
    table.tasks.append(task)
    if let key = task.key {
      task.lane = table.lanes[key] ?? Lane()
      table.lanes[key] = task.lane
    } else if mode != .parallel {
      task.lane = Lane()
    }
    if let lane = task.lane {
      arrive(task, mode, at: place?.number ?? .max, in: lane, &outcome)
      tidy(lane, task.key, in: table)
    } else {
      start(task, &outcome)
    }
    preempt()
    finish(outcome)
    guard let presence = task.presence else { return }
    if isInside(table.tree) {
      // It belongs to the state at the end of the running entry.
      table.tree.changes.append(Change(make: { [unowned self] in look(at: presence, for: task) }, letGo: {}))
    } else {
      accept(in: table.tree, .follows) { [unowned self] in look(at: presence, for: task) }
    }
  }

  private func start(_ task: Task, _ outcome: inout Outcome) {
    task.hasBegun = true
    outcome.started.append(task)
  }

  func drop(_ task: Task, isRevoking: Bool = true, _ outcome: inout Outcome) {
    if isRevoking { task.isRevoked = true }
    task.isOver = true
    guard !task.hasEnded, !task.isDropped else { return }
    task.isDropped = true
    if !task.hasBegun { task.table.tasks.removeAll { $0 === task } }
    outcome.dropped.append((task, task.isOnItsWay))
  }

  func finish(_ outcome: Outcome) {
    for (task, wasOnItsWay) in outcome.dropped {
      letGo {}
      if wasOnItsWay { post(.taskCancelled, of: task) }
      if task.hasBegun { tellCancelled(task) }
      task.settle(isFailed: true)
      if !task.hasBegun { task.group?.leave(isCancelled: true) }
    }
    for task in outcome.started {
      post(.taskStarted, of: task)
      turns.append(Turn(label: .part) { [unowned self] in goOn(task) })
      task.next = 0
      task.isOnItsWay = true
      guard task.isDropped else { continue }
      post(.taskCancelled, of: task)
      task.isCancelled = true
    }
    for (lane, task, duration) in outcome.timers {
      guard lane.debounced === task || lane.window === task else { continue }
      let alarm = schedule(after: duration) { [unowned self] in ring(task, of: lane) }
      lane.timers.append((task, alarm))
    }
  }

  private func tellCancelled(_ task: Task) {
    task.isCancelled = true
    guard task.program.heeds, task.alarm != nil || task.gate != nil else { return }
    if let alarm = task.alarm { stop(alarm) }
    wakeUp(task)
  }

  /// Ends its sleep; its next part waits for its turn.
  func wakeUp(_ task: Task) {
    task.alarm = nil
    task.gate = nil
    gates.removeAll { $0 === task }
    turns.append(Turn(label: .part) { [unowned self] in goOn(task) })
  }

  private func ring(_ task: Task, of lane: Lane) {
    var outcome = Outcome()
    if lane.debounced === task {
      lane.debounced = nil
      dropRunning(of: lane, &outcome)
      lane.running.append(task)
      start(task, &outcome)
    } else if lane.window === task {
      lane.window = nil
      if let (task, window) = lane.throttled {
        lane.throttled = nil
        startThrottled(task, window, in: lane, &outcome)
      }
    }
    tidy(lane, task.key, in: task.table)
    finish(outcome)
  }

  /// Handles the end of its body: with a key, it ends in its turn, if anything waits for that.
  func end(_ task: Task, _ kind: MonitoredKind) {
    guard task.key != nil, !task.table.tree.hasRunAll else { return endNow(task, kind) }
    accept(in: task.table.tree) { [unowned self] in
      letGo {}
      endNow(task, kind)
    }
  }

  private func endNow(_ task: Task, _ kind: MonitoredKind) {
    var outcome = Outcome()
    let table = task.table
    let isDropped = task.isDropped
    task.hasEnded = true
    table.tasks.removeAll { $0 === task }
    let isKnown = task.waiting > 0 && !task.isRevoked
    if isKnown { table.ended.append(task) }
    if let lane = task.lane {
      lane.running.removeAll { $0 === task }
      lane.leaving.removeAll { $0 === task }
      if isKnown { lane.ended.append(task) }
      startNext(in: lane, &outcome)
      tidy(lane, task.key, in: table)
    }
    // The drop was already reported.
    if !isDropped { post(task.isOver ? .taskCancelled : kind, of: task) }
    finish(outcome)
    task.settle(isFailed: task.isOver || kind != .taskFinished)
    task.group?.leave(isCancelled: task.isOver)
  }

  /// Handles the end of the wait of one of its actions.
  func forgetAction(of task: Task) {
    task.waiting -= 1
    guard task.waiting == 0, task.hasEnded else { return }
    task.table.ended.removeAll { $0 === task }
    guard let lane = task.lane else { return }
    lane.ended.removeAll { $0 === task }
    tidy(lane, task.key, in: task.table)
  }

  // MARK: The modes

  private func arrive(_ task: Task, _ mode: Mode, at place: Int, in lane: Lane, _ outcome: inout Outcome) {
    switch mode {
    case .parallel:
      startRunning(task, in: lane, &outcome)
    case .dropCurrent:
      dropAll(of: lane, &outcome)
      for reservation in lane.reserved where reservation.number < place { reservation.isOver = true }
      lane.reserved.removeAll(where: \.isOver)
      startRunning(task, in: lane, &outcome)
    case .waitInCurrent:
      lane.queue.append(task)
      startNext(in: lane, &outcome)
    case .keepCurrent:
      guard !lane.isRunning, !lane.reserved.contains(where: { $0.number < place }) else { return drop(task, &outcome) }
      startRunning(task, in: lane, &outcome)
    case .debounce(let duration):
      if let older = lane.debounced { drop(older, &outcome) }
      lane.debounced = task
      outcome.timers.append((lane, task, duration))
      startNext(in: lane, &outcome)
    case .throttle(let window, let latest):
      if lane.window == nil {
        startThrottled(task, window, in: lane, &outcome)
      } else if latest {
        if let older = lane.throttled { drop(older.task, &outcome) }
        lane.throttled = (task, window)
        startNext(in: lane, &outcome)
      } else {
        drop(task, &outcome)
      }
    }
  }

  private func startRunning(_ task: Task, in lane: Lane, _ outcome: inout Outcome) {
    lane.running.append(task)
    start(task, &outcome)
  }

  private func startThrottled(_ task: Task, _ window: Int, in lane: Lane, _ outcome: inout Outcome) {
    startRunning(task, in: lane, &outcome)
    lane.window = task
    outcome.timers.append((lane, task, window))
  }

  /// Starts the first task that waits for all tasks before it to end.
  func startNext(in lane: Lane, _ outcome: inout Outcome) {
    guard lane.running.isEmpty, lane.leaving.isEmpty, let next = lane.queue.first else { return }
    if let debounced = lane.debounced, debounced.number < next.number { return }
    if let throttled = lane.throttled, throttled.task.number < next.number { return }
    lane.queue.removeFirst()
    startRunning(next, in: lane, &outcome)
  }

  private func dropRunning(of lane: Lane, _ outcome: inout Outcome) {
    for task in lane.ended + lane.running { drop(task, &outcome) }
    lane.ended = []
    lane.leaving += lane.running
    lane.running = []
  }

  func dropAll(of lane: Lane, _ outcome: inout Outcome) {
    dropRunning(of: lane, &outcome)
    for task in lane.queue + [lane.debounced, lane.throttled?.task].compactMap(\.self) { drop(task, &outcome) }
    lane.queue = []
    lane.debounced = nil
    lane.throttled = nil
  }

  /// Stops the timers for which nothing waits, and forgets a lane without content.
  func tidy(_ lane: Lane, _ key: Int?, in table: Table) {
    for (task, alarm) in lane.timers where lane.debounced !== task && lane.window !== task { stop(alarm) }
    lane.timers.removeAll { lane.debounced !== $0.task && lane.window !== $0.task }
    if let key, lane.isEmpty, table.lanes[key] === lane { table.lanes[key] = nil }
  }
}
