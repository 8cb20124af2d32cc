/// An operation of a schedule on a world of stores, from outside or in a callback.
///
/// - Everything has a number. A node and its own store share one; the number of a root is also its tree's.
/// - An operation on something that does not exist, not yet or no longer, does nothing. Neither does an operation whose
///   wait could only deadlock.
indirect enum Operation: Sendable {
  case makeTree(Int, NodePlan)
  case makeChild(Int, of: Int, NodePlan)
  case makeScope(Int, of: Int, Projection)

  /// Releases the factory or a child's object.
  case release(node: Int)

  case dispatch(Script, store: Int)
  case dispatchBatch([Script], store: Int)

  /// Commits, in a tree of commits.
  case dispatchAndWait(Script, store: Int)

  /// Uses the last `dispatch` that the node's interceptor received.
  case dispatchAsInterceptor(Script, node: Int)
  case readState(store: Int)

  /// Adds an interceptor to a store, but not to a scope with its own type of actions.
  case addInterceptor(Int, store: Int)
  case removeInterceptor(Int)

  /// Decides about a held action with a number: the one held longest if there are several.
  case decide(action: Int, Decision)

  /// Subscribes one of the observers that exist from the start.
  case subscribe(observer: Int, store: Int)

  /// Subscribes an observer that nothing else keeps.
  case subscribeOnce(Int, store: Int, Token)

  /// Ends an observer. A completing observer reports `.dead` with the handler of its last call; a returning one returns
  /// it at the end of its running or next call.
  case end(observer: Int)

  /// Observes a source; the called closure holds a token.
  case observe(Int, Source, Delivery, initial: Bool, Token)
  case cancelObservation(Int)

  /// Keeps an observation as long as its source exists.
  case keepObservation(Int)

  /// Releases the object that keeps an observation.
  case dropObservation(Int)

  /// Derives a value from a store's state; its closure has the same number.
  case derive(Int, store: Int, modulus: Int)

  /// Combines two values.
  case combine(Int, Int, Int)

  /// Maps another value; its closure has the same number.
  case map(Int, of: Int, modulus: Int)

  /// Derives the result of a selector from a store's state.
  case deriveSelected(Int, selector: Int, store: Int)
  case readValue(Int)
  case dropDerived(Int)

  /// Reads a store with a selector, which is created if necessary; its closure has the same number.
  case select(Int, store: Int)
  case dropSelector(Int)

  /// Starts a task of the store.
  case task(store: Int, key: Int?, Mode, Program)

  /// Cancels the task of a program that was last started by an operation.
  case cancelTask(program: Int)
  case cancelKey(Int, at: StatePart?, store: Int)
  case cancelAllTasks(store: Int)
  case isRunning(key: Int, store: Int)

  /// Resumes the tasks that wait at a gate.
  case open(gate: Int)

  /// Performs an operation on a screen.
  case screen(ScreenOperation)

  /// Lets another thread perform an operation when the schedule allows it.
  case elsewhere(Operation)

  /// Closes the gate of a tree, performs operations, and opens the gate. Does nothing in a callback of the tree.
  case gated(tree: Int, [Operation])

  /// Moves the clock.
  case advance(by: Int)

  /// Runs one of the possible next turns.
  case step(choice: Int)

  /// Runs turns until none is left.
  case run
}

/// An observed source.
enum Source: Equatable, Sendable {
  case store(Int)
  case derived(Int)
}

/// The queue and the pace of the calls of an observer.
enum Delivery: Equatable, Sendable {
  case storeQueue, each, latest
  case latestAtMostEvery(Int)
  case main
  case mainAtMostEvery(Int)

  var isOnMain: Bool {
    switch self {
    case .main, .mainAtMostEvery: true
    case .storeQueue, .each, .latest, .latestAtMostEvery: false
    }
  }

  /// The minimum time between two deliveries, if there is one.
  var interval: Int? {
    switch self {
    case .latestAtMostEvery(let interval), .mainAtMostEvery(let interval): interval
    case .storeQueue, .each, .latest, .main: nil
    }
  }
}

/// An object whose end causes operations.
struct Token: Sendable {
  let number: Int
  var operations: [Operation] = []
}

/// The plan of a node.
struct NodePlan: Sendable {
  /// `true` if mutations are the tree's actions. Only for a root.
  var isOfCommits = false
  var intercepts = false

  /// `true` if there is a reducer of mutations in addition to the change itself. Only for a root of commits.
  var hasMiddleware = false

  /// `true` if it has effects of actions.
  var hasEffects = false

  /// The work that is a function of its state, if any.
  var job: JobPlan?

  /// The features of parts of its state. Not for a tree of commits.
  var parts: [PartPlan] = []

  /// The token of the tree's monitor; nil if there is none. Only for a root.
  var monitor: Token?
}

/// Work that is a function of a node's state.
struct JobPlan: Sendable {
  /// `true` if it is in progress from the start.
  var isInProgress = false
  var effect: EffectPlan
}

/// The plan of a feature of a part.
struct PartPlan: Sendable {
  let kind: StatePart.Kind

  /// `true` if it is combined before the feature of the whole.
  var isBeforeWhole = false
  var intercepts = false
  var reduces = true

  /// `true` if it has effects of actions.
  var hasEffects = false

  /// `true` if it handles errors of its effects itself.
  var handlesErrors = false

  /// The work while a part is on, and the effect of each change of a part, if any.
  var work: EffectPlan?
  var change: EffectPlan?

  /// `true` if the first state of a part counts as a change.
  var isFirstChange = false
}
