/// Canceling tasks, and the work of tasks.
extension Model {
  // MARK: Canceling

  /// Cancels the known tasks immediately. Outside the tree, it also cancels tasks caused by earlier accepted entries.
  func cancel(_ key: Int?, in table: Table) {
    let (isInside, isIdle) = (isInside(table.tree), table.tree.hasRunAll)
    if !isInside { preempt() }
    if let key { cancelKnown(key, in: table) } else { cancelAll(in: table, isRevoking: true) }
    let last = table.count
    guard !isInside else { return }
    preempt()
    guard !isIdle else { return }
    accept(in: table.tree, .follows) { [unowned self] in
      let entry = table.tree.running
      let tasks = table.tasks + table.ended
      for task in tasks.sorted(by: { $0.number < $1.number })
      where task.number > last && task.isSetOff && task.entry <= entry && (key == nil || task.key == key) {
        cancel(task)
      }
      for (laneKey, lane) in table.lanes where key == nil || laneKey == key {
        for reservation in lane.reserved where reservation.number > last && reservation.entry <= entry {
          reservation.isOver = true
        }
        lane.reserved.removeAll(where: \.isOver)
        tidy(lane, laneKey, in: table)
      }
    }
  }

  func cancelKnown(_ key: Int, in table: Table) {
    guard let lane = table.lanes[key] else { return }
    var outcome = Outcome()
    dropAll(of: lane, &outcome)
    clear(lane)
    tidy(lane, key, in: table)
    finish(outcome)
  }

  func cancelAll(in table: Table, isRevoking: Bool) {
    var outcome = Outcome()
    let tasks = table.tasks
    for task in tasks { task.isOver = true }
    for task in tasks { cancel(task, isRevoking: isRevoking, &outcome) }
    if isRevoking {
      for task in table.ended { task.isRevoked = true }
    }
    for (key, lane) in table.lanes {
      clear(lane)
      tidy(lane, key, in: table)
    }
    finish(outcome)
  }

  private func clear(_ lane: Lane) {
    lane.window = nil
    for reservation in lane.reserved { reservation.isOver = true }
    lane.reserved = []
  }

  func cancel(_ task: Task, isRevoking: Bool = true) {
    var outcome = Outcome()
    cancel(task, isRevoking: isRevoking, &outcome)
    finish(outcome)
  }

  private func cancel(_ task: Task, isRevoking: Bool, _ outcome: inout Outcome) {
    // A task that is no longer known sends nothing.
    guard task.table.tasks.contains(where: { $0 === task }) else {
      if isRevoking { (task.isRevoked, task.isOver) = (true, true) }
      return
    }
    if isRevoking { task.isRevoked = true }
    task.isOver = true
    guard let lane = task.lane else { return drop(task, isRevoking: isRevoking, &outcome) }
    if let index = lane.running.firstIndex(where: { $0 === task }) {
      lane.leaving.append(lane.running.remove(at: index))
    } else if lane.debounced === task {
      lane.debounced = nil
    } else if lane.throttled?.task === task {
      lane.throttled = nil
    } else if let index = lane.queue.firstIndex(where: { $0 === task }) {
      lane.queue.remove(at: index)
    } else {
      return
    }
    drop(task, isRevoking: isRevoking, &outcome)
    startNext(in: lane, &outcome)
    tidy(lane, task.key, in: task.table)
  }

  /// Records if an optional part has a value.
  ///
  /// - Returns: `true` if it no longer needs to be watched.
  func notice(isThere: Bool, of presence: Presence, by watch: Int) -> Bool {
    let table = presence.table
    var outcome = Outcome()
    if !isThere {
      // Tasks whose turn has not come belong to a later state.
      let gone = table.tasks.filter { $0.presence === presence && $0.hasTurn }
      for task in gone { task.isOver = true }
      for task in gone { cancel(task, isRevoking: false, &outcome) }
    }
    let isOver = table.isClosed || !table.tasks.contains { $0.presence === presence }
    if isOver { presence.watched.remove(watch) }
    finish(outcome)
    return isOver
  }

  /// Closes the tables of a released owner: nothing more is sent, and running tasks are canceled elsewhere.
  func close(_ table: Table) {
    let tables = table.withAllWithin.map { table in (task: table.tasks.map(\.position).min() ?? .max, table) }
      .sorted { $0.task < $1.task }
    for (_, table) in tables {
      table.isClosed = true
      for task in table.tasks { task.isOver = true }
    }
    guard tables.contains(where: { !$1.tasks.isEmpty || !$1.lanes.isEmpty }) else { return }
    deliver(on: .global) { [unowned self] in
      for (_, table) in tables { cancelAll(in: table, isRevoking: false) }
    }
  }

  // MARK: What a task does

  func goOn(_ task: Task) {
    let program = task.program
    if task.next == 0, !task.isAwake {
      guard !task.isOver else { return end(task, .taskCancelled) }
      task.isAwake = true
      note(.began, program.number)
    } else {
      guard !program.heeds || !task.isCancelled else { return giveUp(task) }
      note(.wentOn, program.number, Int32(task.next))
    }
    while task.next < program.parts.count {
      task.next += 1
      switch program.parts[task.next - 1] {
      case .send(let script):
        task.send(task, script)
      case .perform(let operation):
        perform(operation)
      case .sleep(let duration):
        guard !program.heeds || !task.isCancelled else { return giveUp(task) }
        task.alarm = setAlarm(after: duration) { [unowned self] in wakeUp(task) }
        return
      case .wait(let gate):
        guard !program.heeds || !task.isCancelled else { return giveUp(task) }
        task.gate = gate
        gates.append(task)
        return
      case .fail:
        note(.ended, program.number, -2)
        if !task.isOver {
          if let retry = task.retry {
            retry()
          } else if let detail = task.reportsAs {
            note(.reported, program.number, detail)
          }
        }
        return end(task, .taskFailed)
      }
    }
    note(.ended, program.number)
    end(task, .taskFinished)
  }

  private func giveUp(_ task: Task) {
    note(.ended, task.program.number, -1)
    end(task, .taskCancelled)
  }
}
