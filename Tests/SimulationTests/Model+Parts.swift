/// The components of a modeled world.
extension Model {
  /// An entry of a tree, run in its turn.
  typealias Entry = () -> Void

  struct AcceptedEntry {
    /// The position in the order in which the tree has accepted entries, counted from 1.
    let number: Int
    let atGate: GateRule
    let run: Entry
  }

  /// The behavior of an entry at a closed gate.
  enum GateRule {
    case passes, waits

    /// It waits after the entries that wait there, and passes if there are none.
    case follows
  }

  /// A change of the called subscriptions, or other work before the next entry.
  struct Change {
    let make: () -> Void

    /// Releases everything held until then, and until the thread has left all trees.
    let letGo: () -> Void
  }

  final class Tree {
    let number: Int
    let isOfCommits: Bool
    var entries: [AcceptedEntry] = []

    /// The entries that wait at the closed gate; nil if it is open.
    var gate: [AcceptedEntry]?

    /// `true` if a monitor follows its root.
    var isFollowed: Bool { monitor != nil && SimulatedFollower.follows(number) }

    /// The number of accepted entries, and the number whose turn has come, including those waiting at the gate.
    var accepted = 0
    var begun = 0

    /// The number of the running or last entry.
    var running = 0

    /// The total number of tasks.
    var tasks = 0

    /// The changes of the called subscriptions before the next entry.
    var changes: [Change] = []

    /// New children that wait to join their parents: with the changes, or before a value is derived from one of them.
    var joins: [Change] = []

    /// Work to do after its queue was left.
    var afterwards: [() -> Void] = []

    /// The derived values to update, to deliver, and those with a changed input in another tree.
    var stale: [Derived] = []
    var untold: [Derived] = []
    var expired: [Derived] = []
    var hasExpired = false

    /// The number of reduced actions, now and when values were last derived from the state.
    var revision = 0
    var followedRevision = 0

    /// `true` while the actions of a batch are being reduced.
    var isInBatch = false

    /// The features whose state effects follow the state at the end of the running batch.
    var afterBatch: [(feature: Feature, work: () -> Void)] = []

    /// `true` between the reducers and the observers of a step, and the states composed so far in it.
    var isSettingOff = false
    var composed: [Int: Digest] = [:]

    /// `true` if the executor was woken and its turn has not come yet.
    var hasTurn = false

    /// `true` while a thread runs its entries.
    var isRunning = false

    /// The last reduced action.
    var latest: Int32 = 0

    /// The records of the root's table, by the number of actions that it had reduced.
    var records = [Records(rows: TableRow.first, version: 0)]
    var recordVersions = 0

    /// The deliveries that wait for the main actor, in order.
    var main: [Observation] = []

    /// `true` if the main queue is scheduled to make them.
    var isMainSent = false
    let monitor: Monitor?

    init(_ number: Int, isOfCommits: Bool, _ monitor: Monitor?) {
      self.number = number
      self.isOfCommits = isOfCommits
      self.monitor = monitor
    }

    var isIdle: Bool { !isRunning && entries.isEmpty }

    /// `true` if nothing waits at the gate either.
    var hasRunAll: Bool { isIdle && gate == nil }
  }

  struct Store {
    let node: Node
    var projections: [Projection] = []
    var embeddings: [Embedding] = []

    /// The optional parts on the path from the root.
    var watches: [Watch] = []

    /// Converts an action dispatched to the scope into the node's action.
    func embed(_ action: Action) -> Action {
      embeddings.reversed().reduce(action) { $0.embedded(in: $1.scope, $1.projection, node.tree) }
    }
  }

  /// A scope with its own type of actions.
  struct Embedding {
    let scope: Int
    let projection: Projection

    /// The optional parts on the path from the root to it.
    let watches: [Watch]
  }

  /// An optional part: the state of a node after some projections.
  struct Watch {
    let node: Node
    let projections: [Projection]
  }

  struct Action {
    var number: Int32
    var path: Int32 = 0

    /// The part of a state to which it belongs; nil if it belongs to the whole.
    var part: StatePart?

    /// `true` if it is a commit of a part that has a value only while the root has reduced an even number of actions.
    var isOfEven = false

    /// `true` if an interceptor has replaced such a commit by it: then it fails if everything it applies fails.
    var replacesOptional = false

    /// `true` if the caller of a commit waits for it.
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

    /// The action of the whole that contains this action of a part; the action itself if there is no part.
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

    /// The derived value to which this place belongs, if any.
    weak var derived: Derived?
    var isOfDerived = false
    let table: Table

    /// The features in the order in which they are combined.
    let features: [Feature]
    var parts: SimulatedParts

    /// The tasks of features of parts, by the parts.
    var partTables: [StatePart: Table] = [:]
    var job = Job()
    var attempt: Attempt?

    /// The effect of an attempt that has ended, if the effect is still running.
    var leaving: Group?
    var digest: Digest
    var subscriptions: [Subscription] = []
    var children: [Node] = []

    /// The added interceptors, in order.
    var additions: [Addition] = []

    /// `true` if it has an owner.
    var isOpen = true

    /// `true` if its factory or object exists.
    var isHeld = true

    /// `true` while its owner is being released: until then, it holds its ancestors.
    var isReleasing = false

    /// The number of holders of the node: the one that will free it, and its children.
    var keepers = 1

    /// `true` if observers here count for the ancestors.
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

    /// Makes the node of a child whose parent had no owner: it is closed from the start, and unknown to monitors.
    convenience init(closed number: Int, in tree: Tree, _ plan: NodePlan) {
      self.init(number, in: tree, parent: nil, plan)
      isOpen = false
      isHeld = false
      table.isClosed = true
      table.isMonitored = false
    }

    /// The remembered results of selectors that were read here, by the positions in their order of creation.
    var selected: [Int: (revision: Int, store: Int, input: Int)] = [:]

    /// Breaks the references that hold it.
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

    /// `true` if the state here or below is observed.
    var hasObservers: Bool {
      isCounted
        && (subscriptions.contains { $0.isCounted && !$0.isFollower } || children.contains(where: \.hasObservers))
    }

    /// `true` if any value is derived from the state here or below.
    var hasFollowers: Bool {
      isCounted
        && (subscriptions.contains { $0.isCounted && $0.isFollower } || children.contains(where: \.hasFollowers))
    }
  }

  final class Subscription {
    /// The receiver of the calls.
    enum Subscriber {
      case observer(Int)
      case observation(Observation)
      case follower(Derived)
      case watch(Presence, Int)
    }

    let subscriber: Subscriber

    /// The store whose state is shown; nil for a derived value.
    let store: Int?
    let node: Node

    /// Called when the closure is released.
    var whenReleased: (() -> Void)?

    /// The number of holders: its entry or its list, and releases before its turn.
    var holders = 1

    /// The derived value that it keeps.
    var kept: Derived?
    var isLinked = false
    var wasLinked = false
    var isEnded = false

    /// `true` if its node counts it as an observer.
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

    /// `true` if it belongs to an observer with a completion handler.
    var isCompleting: Bool {
      if case .observer(let observer) = subscriber { observer.isCompletingObserver } else { false }
    }

    /// `true` if it belongs to the same observer at the same store. An observer that is subscribed once is different
    /// each time.
    func isSame(as other: Subscription) -> Bool {
      guard case .observer(let observer) = subscriber, case .observer(observer) = other.subscriber else { return false }
      return store == other.store && WorldPlan.observers.contains(observer)
    }
  }

  /// The content shown to observers.
  struct Shown {
    let count: Int32
    let digest: UInt64
  }
}
