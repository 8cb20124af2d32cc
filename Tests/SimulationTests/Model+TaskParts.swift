/// What the model knows of tasks.
extension Model {
  /// The tasks of a node, or of a scope with its own type of actions.
  final class Table {
    let tree: Tree

    /// Those that run or wait, in the order in which they came.
    var tasks: [Task] = []

    /// Those that have ended while actions of theirs wait.
    var ended: [Task] = []
    var lanes: [Int: Lane] = [:]

    /// How many ever came.
    var count = 0
    var isClosed: Bool

    /// `true` if monitors receive the events of its tasks.
    var isMonitored: Bool

    /// The tables of scopes by key paths, by these.
    var placed: [[Projection]: Table] = [:]

    /// The tables that close with this one.
    var scopes: [Table] = []

    /// This table and all that close with it.
    var withAllWithin: [Table] { scopes.reduce([self]) { $0 + $1.withAllWithin } }

    init(in tree: Tree, around: Table? = nil) {
      self.tree = tree
      isMonitored = around?.isMonitored ?? true
      isClosed = around?.isClosed ?? false
      around?.scopes.append(self)
    }

    /// Lets go of what holds this.
    func end() {
      tasks = []
      // They and their lanes keep each other, as long as an action of theirs is held.
      for task in ended { task.lane = nil }
      ended = []
      lanes = [:]
      scopes = []
      for table in placed.values { table.end() }
      placed = [:]
    }
  }

  /// What a scope's own tasks need: the optional parts on the way to it, and which of them are being watched.
  final class Presence {
    let table: Table
    let watches: [Watch]
    var watched: Set<Int> = []

    init(_ watches: [Watch], in table: Table) {
      self.table = table
      self.watches = watches
    }
  }

  /// The tasks of one key.
  final class Lane {
    var running: [Task] = []

    /// Dropped while they ran, and not ended.
    var leaving: [Task] = []
    var ended: [Task] = []
    var queue: [Task] = []
    var debounced: Task?
    var throttled: (task: Task, window: Int)?

    /// The places of tasks that later parts of sequences may start.
    var reserved: [Reservation] = []

    /// The task that has opened the window that is open.
    var window: Task?
    var timers: [(task: Task, alarm: Alarm)] = []

    var isRunning: Bool { !running.isEmpty || !queue.isEmpty || debounced != nil || throttled != nil }
    var isEmpty: Bool { !isRunning && reserved.isEmpty && leaving.isEmpty && ended.isEmpty && window == nil }
  }

  /// A place among the tasks of a key, for those of a later part of a sequence.
  final class Reservation {
    let number: Int
    let key: Int

    /// The number of the entry in which it was made; 0 if it was outside.
    let entry: Int

    /// Whether it was given up: then those tasks do not come.
    var isOver: Bool

    init(_ number: Int, of key: Int, entry: Int, isOver: Bool) {
      self.number = number
      self.key = key
      self.entry = entry
      self.isOver = isOver
    }
  }

  final class Task {
    let program: Program
    let table: Table
    let key: Int?
    let group: Group?

    /// What ends it when it goes; nil if nothing does.
    let presence: Presence?

    /// Whether the tree's own work has registered it.
    let isSetOff: Bool

    /// What is noted with its error if it is an effect's.
    let reportsAs: Int32?

    /// What is done about its error instead.
    let retry: (() -> Void)?

    /// What is done when it fails or is cancelled; nil once that is done.
    private var whenFailed: (() -> Void)?

    /// Sends an action.
    let send: (Task, Script) -> Void
    var number = 0

    /// The number of the entry in which it was registered; 0 if it was outside.
    let entry: Int

    /// Whether its turn has come: from then on it goes with the value of its scope.
    var hasTurn = false

    /// How many tasks there were before it.
    let position: Int
    var lane: Lane?
    var hasBegun = false

    /// Whether its body is on its way, so that it can be told that it is cancelled.
    var isOnItsWay = false
    var hasEnded = false
    var isDropped = false

    /// Whether it sends nothing any more, and whether what it has sent is not to be reduced.
    var isOver = false
    var isRevoked = false

    /// Whether it was told that it was cancelled.
    var isCancelled = false

    /// How many of its actions wait.
    var waiting = 0
    var next = 0

    /// Whether its body has begun.
    var isAwake = false

    /// What it sleeps for, and whether it waits at a gate.
    var alarm: Alarm?
    var gate: Int?

    init(
      _ program: Program,
      in table: Table,
      key: Int?,
      group: Group?,
      presence: Presence? = nil,
      isSetOff: Bool,
      reportsAs: Int32?,
      retry: (() -> Void)? = nil,
      whenFailed: (() -> Void)? = nil,
      send: @escaping (Task, Script) -> Void
    ) {
      self.program = program
      self.table = table
      self.key = key
      self.group = group
      self.presence = presence
      self.isSetOff = isSetOff
      self.reportsAs = reportsAs
      self.retry = retry
      self.whenFailed = whenFailed
      self.send = send
      entry = isSetOff ? table.tree.running : 0
      position = table.tree.tasks
      table.tree.tasks += 1
    }

    /// It has ended: whether it has failed or was cancelled counts once.
    func settle(isFailed: Bool) {
      let whenFailed = whenFailed.take()
      if isFailed { whenFailed?() }
    }
  }

  /// What an event has made of tasks.
  struct Outcome {
    var dropped: [(task: Task, wasOnItsWay: Bool)] = []
    var started: [Task] = []
    var timers: [(lane: Lane, task: Task, duration: Int)] = []
  }
}
