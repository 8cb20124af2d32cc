/// What a modelled world is made of.
extension Model {
  /// An entry of a tree, when its turn comes.
  typealias Entry = () -> Void

  struct AcceptedEntry {
    /// The position in the order in which the tree has accepted entries, from 1.
    let number: Int
    let atGate: GateRule
    let run: Entry
  }

  /// What an entry does at a closed gate.
  enum GateRule {
    case passes, waits

    /// It waits behind what waits there, and passes if nothing does.
    case follows
  }

  /// A change of who is called, or something else to be done before the next entry.
  struct Change {
    let make: () -> Void

    /// Lets go of what is held until then, and until the thread has left all trees.
    let letGo: () -> Void
  }

  final class Tree {
    let number: Int
    let isOfCommits: Bool
    var entries: [AcceptedEntry] = []

    /// What waits at the closed gate; nil if it is open.
    var gate: [AcceptedEntry]?

    /// `true` if a monitor follows its root.
    var isFollowed: Bool { monitor != nil && SimulatedFollower.follows(number) }

    /// How many entries were ever accepted, and how many had their turn, be it that they wait at the gate since.
    var accepted = 0
    var begun = 0

    /// The number of the entry that runs, or has run last.
    var running = 0

    /// How many tasks there ever were.
    var tasks = 0

    /// What is to be changed about who is called before the next entry.
    var changes: [Change] = []

    /// New children that wait to join their parents: with the changes, or before a value is derived of one of them.
    var joins: [Change] = []

    /// What is done once its queue was left.
    var afterwards: [() -> Void] = []

    /// The derived values that are to be brought up to date, to be told, and those of which an input in another tree has
    /// changed.
    var stale: [Derived] = []
    var untold: [Derived] = []
    var expired: [Derived] = []
    var hasExpired = false

    /// How many actions were reduced, and how many were when values were derived of the state last.
    var revision = 0
    var followedRevision = 0

    /// Whether the actions of a batch are being reduced.
    var isInBatch = false

    /// The features whose state effects follow the state at the end of the running batch.
    var afterBatch: [(feature: Feature, work: () -> Void)] = []

    /// Whether it is between the reducers and the observers of a step, and what was composed by then of the new state.
    var isSettingOff = false
    var composed: [Int: Digest] = [:]

    /// Whether the executor was woken and has not come yet.
    var hasTurn = false

    /// Whether anybody runs its entries.
    var isRunning = false

    /// The latest action that was reduced.
    var latest: Int32 = 0

    /// The records of the root's table, by how many actions it had reduced.
    var records = [Records(rows: TableRow.first, version: 0)]
    var recordVersions = 0

    /// The deliveries that wait for the main actor, in the order in which they began to.
    var main: [Observation] = []

    /// Whether the main queue is to make them.
    var isMainSent = false
    let monitor: Monitor?

    init(_ number: Int, isOfCommits: Bool, _ monitor: Monitor?) {
      self.number = number
      self.isOfCommits = isOfCommits
      self.monitor = monitor
    }

    var isIdle: Bool { !isRunning && entries.isEmpty }

    /// Whether nothing waits at the gate either.
    var hasRunAll: Bool { isIdle && gate == nil }
  }

  struct Store {
    let node: Node
    var projections: [Projection] = []
    var embeddings: [Embedding] = []

    /// The optional parts on the way from the root.
    var watches: [Watch] = []

    /// An action as the node gets it that was dispatched to the scope.
    func embed(_ action: Action) -> Action {
      embeddings.reversed().reduce(action) { $0.embedded(in: $1.scope, $1.projection, node.tree) }
    }
  }

  /// A scope with its own type of actions.
  struct Embedding {
    let scope: Int
    let projection: Projection

    /// The optional parts on the way from the root to it.
    let watches: [Watch]
  }

  /// A part that is there at times: what a node shows, looked at in these ways.
  struct Watch {
    let node: Node
    let projections: [Projection]
  }

  struct Action {
    var number: Int32
    var path: Int32 = 0

    /// The part of a state to which it belongs; nil if it belongs to the whole.
    var part: StatePart?

    /// Whether it is a commit of a part that is there while the root has reduced an even number of actions.
    var isOfEven = false

    /// Whether an interceptor has put it in the place of such a commit: then it fails if all that it applies does.
    var replacesOptional = false

    /// Whether the caller of a commit waits for it.
    var isAwaited = false

    init(_ script: Script, in tree: Tree, isAwaited: Bool = false) {
      number = Int32(script.number)
      part = tree.isOfCommits ? nil : script.part
      self.isAwaited = isAwaited
    }

    func embedded(in scope: Int, _ projection: Projection, _ tree: Tree) -> Action {
      var embedded = self
      if tree.isOfCommits {
        if projection.isOptional { embedded.isOfEven = true }
      } else {
        embedded.path = path &* 31 &+ Int32(scope)
      }
      return embedded
    }

    /// The action of the whole that contains this one of a part; this one itself if there is no part.
    func embedded(in part: StatePart?) -> Action {
      guard let part else { return self }
      var embedded = self
      embedded.part = part
      return embedded
    }

    var simulated: SimulatedAction { SimulatedAction(number: number, path: path, part: part) }
  }

  final class Node {
    let number: Int
    let tree: Tree
    let parent: Store?
    let plan: NodePlan

    /// The derived value of which this is the place, if it is of one.
    weak var derived: Derived?
    var isOfDerived = false
    let table: Table

    /// In the order in which they are combined.
    let features: [Feature]
    var parts: SimulatedParts

    /// The tasks of features of parts, by the parts.
    var partTables: [StatePart: Table] = [:]
    var job = Job()
    var attempt: Attempt?

    /// What an attempt performs that has ended, if that goes on still.
    var leaving: Group?
    var digest: Digest
    var subscriptions: [Subscription] = []
    var children: [Node] = []

    /// The interceptors that were added, in order.
    var additions: [Addition] = []

    /// Whether it has an owner.
    var isOpen = true

    /// Whether its factory or object is there.
    var isHeld = true

    /// Whether its owner is just letting go: those above are held by it until that is done.
    var isReleasing = false

    /// How many keep the node: what is going to free it, and its children.
    var keepers = 1

    /// Whether those who listen here count for those above.
    var isCounted = true

    init(_ number: Int, in tree: Tree, parent: Store?, _ plan: NodePlan) {
      self.number = number
      self.tree = tree
      self.parent = parent
      self.plan = plan
      table = Table(in: tree)
      let parts = tree.isOfCommits ? [] : plan.parts
      features =
        parts.filter(\.isBeforeWhole).map { Feature(of: $0) } + [Feature(of: nil)]
        + parts.filter { !$0.isBeforeWhole }.map { Feature(of: $0) }
      self.parts = plan.parts.isEmpty ? .none : SimulatedParts()
      parent?.node.keepers += 1
      digest = Digest(tree: Int32(tree.number))
      if plan.job?.isInProgress == true { job.change(.run(maxAttempts: 1, delay: 0)) }
    }

    /// The node of a child whose parent had no owner: closed from the start, and unknown to monitors.
    convenience init(closed number: Int, in tree: Tree, _ plan: NodePlan) {
      self.init(number, in: tree, parent: nil, plan)
      isOpen = false
      isHeld = false
      table.isClosed = true
      table.isMonitored = false
    }

    /// What is remembered of selectors that were read here, by their places in the order in which they were made.
    var selected: [Int: (revision: Int, store: Int, input: Int)] = [:]

    /// Lets go of what holds this.
    func end() {
      children = []
      subscriptions = []
      attempt?.delay = nil
      attempt = nil
      leaving = nil
      table.end()
      for table in partTables.values { table.end() }
      for feature in features { feature.end() }
    }

    /// Whether anybody observes the state here or below.
    var hasObservers: Bool {
      isCounted
        && (subscriptions.contains { $0.isCounted && !$0.isFollower } || children.contains(where: \.hasObservers))
    }

    /// Whether any value is derived from the state here or below.
    var hasFollowers: Bool {
      isCounted
        && (subscriptions.contains { $0.isCounted && $0.isFollower } || children.contains(where: \.hasFollowers))
    }
  }

  final class Subscription {
    /// Who is called.
    enum Subscriber {
      case observer(Int)
      case observation(Observation)
      case follower(Derived)
      case watch(Presence, Int)
    }

    let subscriber: Subscriber

    /// The store whose state is shown; nil if it is a derived value.
    let store: Int?
    let node: Node

    /// What is let go of with the closure.
    var whenReleased: (() -> Void)?

    /// How many hold it: its entry or its list, and what has let go of it before its turn.
    var holders = 1

    /// The derived value that it keeps.
    var kept: Derived?
    var isLinked = false
    var wasLinked = false
    var isEnded = false

    /// Whether its node counts it among those who listen.
    var isCounted = false

    init(_ subscriber: Subscriber, store: Int?, node: Node, whenReleased: (() -> Void)? = nil) {
      self.subscriber = subscriber
      self.store = store
      self.node = node
      self.whenReleased = whenReleased
    }

    var isFollower: Bool {
      if case .follower = subscriber { true } else { false }
    }

    /// Whether it is of an observer with a completion handler.
    var isCompleting: Bool {
      if case .observer(let observer) = subscriber { observer.isCompletingObserver } else { false }
    }

    /// Whether it is of the same observer at the same store. One that is subscribed once is another one each time.
    func isSame(as other: Subscription) -> Bool {
      guard case .observer(let observer) = subscriber, case .observer(observer) = other.subscriber else { return false }
      return store == other.store && WorldPlan.observers.contains(observer)
    }
  }

  /// What is shown to those who observe.
  struct Shown {
    let count: Int32
    let digest: UInt64
  }
}
