/// What a schedule does with a world of stores, from outside or in a callback.
///
/// - Everything goes by numbers. A node and its own store share one; that of a root is its tree's, too.
/// - An operation with something that does not exist, not yet or not any more, does nothing; neither does one that would
///   wait where that could only deadlock.
indirect enum Operation: Sendable {
  case makeTree(Int, NodePlan)
  case makeChild(Int, of: Int, NodePlan)
  case makeScope(Int, of: Int, Projection)

  /// Lets go of the factory or of a child's object.
  case release(node: Int)

  case dispatch(Script, store: Int)
  case dispatchBatch([Script], store: Int)

  /// In a tree of commits, commits.
  case dispatchAndWait(Script, store: Int)

  /// Uses the `dispatch` that the node's interceptor was given last.
  case dispatchAsInterceptor(Script, node: Int)
  case readState(store: Int)

  /// Adds an interceptor to a store; not to a scope with its own type of actions.
  case addInterceptor(Int, store: Int)
  case removeInterceptor(Int)

  /// Decides about the action of a number that interceptors hold, and hold the longest if they hold it several times.
  case decide(action: Int, Decision)

  /// Subscribes one of the observers that are there from the start.
  case subscribe(observer: Int, store: Int)

  /// Subscribes an observer that nobody else keeps.
  case subscribeOnce(Int, store: Int, Token)

  /// A completing observer says `.dead` with what its last call handed out, a returning one at the end of its
  /// running or next call.
  case end(observer: Int)

  /// Observes a source; what is called holds a token.
  case observe(Int, Source, Delivery, initial: Bool, Token)
  case cancelObservation(Int)

  /// Lets an observation go on for as long as its source lives.
  case keepObservation(Int)

  /// Lets go of what keeps an observation going.
  case dropObservation(Int)

  /// Makes a value that follows a store's state; its closure has the same number.
  case derive(Int, store: Int, modulus: Int)

  /// Makes a value of two others.
  case combine(Int, Int, Int)

  /// Makes a value of another one; its closure has the same number.
  case map(Int, of: Int, modulus: Int)

  /// Makes a value of what a selector makes of a store's state.
  case deriveSelected(Int, selector: Int, store: Int)
  case readValue(Int)
  case dropDerived(Int)

  /// Reads a store with a selector, which is made if there is none of this number; its closure has the same number.
  case select(Int, store: Int)
  case dropSelector(Int)

  /// Starts a task of the store.
  case task(store: Int, key: Int?, Mode, Program)

  /// Cancels the task of a program that was started last by the operation for that.
  case cancelTask(program: Int)
  case cancelKey(Int, at: StatePart?, store: Int)
  case cancelAllTasks(store: Int)
  case isRunning(key: Int, store: Int)

  /// Lets those tasks go on that wait at a gate.
  case open(gate: Int)

  /// Does something with a screen.
  case screen(ScreenOperation)

  /// Another thread is to do an operation, whenever the schedule lets it come.
  case elsewhere(Operation)

  /// Closes the gate of a tree, does operations, and opens the gate. Nothing in a callback of the tree.
  case gated(tree: Int, [Operation])

  /// Moves the clock.
  case advance(by: Int)

  /// Runs one of the turns that may be next.
  case step(choice: Int)

  /// Runs turns until none is left.
  case run
}

/// What is observed.
enum Source: Equatable, Sendable {
  case store(Int)
  case derived(Int)
}

/// Where and how often an observer is called.
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

  /// The time between two deliveries at least, if there is one.
  var interval: Int? {
    switch self {
    case .latestAtMostEvery(let interval), .mainAtMostEvery(let interval): interval
    case .storeQueue, .each, .latest, .main: nil
    }
  }
}

/// An object whose end does something.
struct Token: Sendable {
  let number: Int
  var operations: [Operation] = []
}

/// What a node does.
struct NodePlan: Sendable {
  /// Whether mutations are the tree's actions. Of a root.
  var isOfCommits = false
  var intercepts = false

  /// Whether there is a reducer of mutations beside the change itself. Of a root of commits.
  var hasMiddleware = false

  /// Whether it is asked what actions set off.
  var hasEffects = false

  /// The work that is a function of its state, if it declares any.
  var job: JobPlan?

  /// The features of parts of its state. Not in a tree of commits.
  var parts: [PartPlan] = []

  /// What a monitor of the tree holds; nil if there is none. Of a root.
  var monitor: Token?
}

/// Work that is a function of a node's state.
struct JobPlan: Sendable {
  /// Whether it is in progress from the start.
  var isInProgress = false
  var effect: EffectPlan
}

/// What a feature of a part does.
struct PartPlan: Sendable {
  let kind: StatePart.Kind

  /// Whether it is combined with the feature of the whole as one before it.
  var isBeforeWhole = false
  var intercepts = false
  var reduces = true

  /// Whether it is asked what actions set off.
  var hasEffects = false

  /// Whether errors of its effects are its own affair.
  var handlesErrors = false

  /// What lasts while a part is on, and what each change of a part sets off, if there is any.
  var work: EffectPlan?
  var change: EffectPlan?
}
