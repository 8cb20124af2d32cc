/// The model's knowledge of tasks.
extension Model {
  /// The tasks of a node, or of a scope with its own type of actions.
  final class Table {
    let tree: Tree

    /// The running and waiting tasks, in order of arrival.
    var tasks: [Task] = []

    /// The ended tasks whose actions are still waiting.
    var ended: [Task] = []
    var lanes: [Int: Lane] = [:]

    /// The total number of tasks.
    var count = 0
    var isClosed: Bool

    /// `true` if monitors receive the events of its tasks.
    var isMonitored: Bool

    /// The tables of scopes by key paths, by their projections.
    var placed: [[Projection]: Table] = [:]

    /// The tables that close with this one.
    var scopes: [Table] = []

    /// This table and all tables that close with it.
    var withAllWithin: [Table] { scopes.reduce([self]) { $0 + $1.withAllWithin } }

    init(in tree: Tree, around: Table? = nil) {
      self.tree = tree
      isMonitored = around?.isMonitored ?? true
      isClosed = around?.isClosed ?? false
      around?.scopes.append(self)
    }

    /// Breaks the references that hold it.
    func end() {
      tasks = []
      // They and their lanes keep each other as long as one of their actions is held.
      for task in ended { task.lane = nil }
      ended = []
      lanes = [:]
      scopes = []
      for table in placed.values { table.end() }
      placed = [:]
    }
  }

  /// The requirements of a scope's own tasks: the optional parts on the path to it, and those that are being watched.
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

    /// Tasks dropped while running, whose bodies have not ended.
    var leaving: [Task] = []
    var ended: [Task] = []
    var queue: [Task] = []
    var debounced: Task?
    var throttled: (task: Task, window: Int)?

    /// The places of tasks that later parts of sequences may start.
    var reserved: [Reservation] = []

    /// The task that opened the open window.
    var window: Task?
    var timers: [(task: Task, alarm: Alarm)] = []

    var isRunning: Bool { !running.isEmpty || !queue.isEmpty || debounced != nil || throttled != nil }
    var isEmpty: Bool { !isRunning && reserved.isEmpty && leaving.isEmpty && ended.isEmpty && window == nil }
  }

  /// A reserved place among the tasks of a key, for those of a later part of a sequence.
  final class Reservation {
    let number: Int
    let key: Int

    /// The number of the entry in which it was made; 0 if it was made outside.
    let entry: Int

    /// `true` if it was given up: its tasks will not start.
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

    /// The presence whose end ends it; nil if there is none.
    let presence: Presence?

    /// `true` if the tree's own work has registered it.
    let isSetOff: Bool

    /// The number recorded with its error if it is an effect's.
    let reportsAs: Int32?

    /// The reaction to its error instead.
    let retry: (() -> Void)?

    /// The reaction to its failure or cancellation; nil once it has run.
    private var whenFailed: (() -> Void)?

    /// Sends an action.
    let send: (Task, Script) -> Void
    var number = 0

    /// The number of the entry in which it was registered; 0 if it was registered outside.
    let entry: Int

    /// `true` if its turn has come: from then on it ends with the value of its scope.
    var hasTurn = false

    /// The number of tasks before it.
    let position: Int
    var lane: Lane?
    var hasBegun = false

    /// `true` if its body is under way, so that it can receive a cancellation.
    var isOnItsWay = false
    var hasEnded = false
    var isDropped = false

    /// Flags: it sends nothing more, and its waiting actions are not reduced.
    var isOver = false
    var isRevoked = false

    /// `true` if it has received a cancellation.
    var isCancelled = false

    /// The number of its waiting actions.
    var waiting = 0
    var next = 0

    /// `true` if its body has begun.
    var isAwake = false

    /// The alarm it sleeps for, and a flag for waiting at a gate.
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

    /// Records its end: a failure or cancellation counts once.
    func settle(isFailed: Bool) {
      let whenFailed = whenFailed.take()
      if isFailed { whenFailed?() }
    }
  }

  /// The effects of an event on tasks.
  struct Outcome {
    var dropped: [(task: Task, wasOnItsWay: Bool)] = []
    var started: [Task] = []
    var timers: [(lane: Lane, task: Task, duration: Int)] = []
  }
}
