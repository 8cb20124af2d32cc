public import Arbor
internal import Dispatch

/// A monitor that records a store, and that can show earlier states while the program runs.
///
/// ```swift
/// let recorder = Recorder<AppState, AppAction>()
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [recorder]),
///   reducer: appReducer
/// )
/// …
/// try recorder.step(by: -1)      // every observer sees the state before the last action
/// try recorder.toggle(12)        // … and then the state of a past without action 12
/// recorder.resume()              // shows the present again; then the actions that arrived follow
/// ```
///
/// - It records one tree, the first one that is made with it: all actions, and each store's own state.
/// - **Traveling.** Each jump is one step, in which derived values and observers get the states of the moment. It runs no
///   interceptor, effect or task, cancels nothing, and repeats no activities. Reducers are called again, so they must be
///   pure.
/// - **Meanwhile**, actions that arrive wait in order, or are dropped (``ArrivingActions``). Tasks continue.
/// - **Observers.** If an observer dispatches an action in its call for a shown moment, that action is always dropped, so
///   that inspecting the past doesn't change the present. Monitors see it with the outcome `dropped`. This applies on
///   every queue and to `observe(track:apply:)`. It doesn't apply to work that an observer starts, such as a task, or to
///   an iteration over states.
/// - A caller that waits for its own step, with `dispatchAndWait` or `commit`, first brings the tree back to the present.
/// - A store that is gone since the moment isn't made again, and a newer store keeps its state; see ``ShownMoment``.
/// - A commit without a waiting caller is repeated when the past is reduced again. A commit with one can't be repeated:
///   the states after it stay as they were recorded (``Recording/Entry/isBarrier``).
/// - **Memory** is bounded by ``limit`` and ``byteLimit``: the oldest actions become part of the recording's base.
/// - **Threads.** You can use all members from any thread. Commands wait for everything accepted before, like
///   `dispatchAndWait`. In a callback of the tree, they run after it. If their action or position is gone by then, they
///   only write a line to standard error.
public final class Recorder<State: Sendable, Action: Sendable>: StoreMonitor {
  /// The handling of actions that arrive while another moment is shown.
  public enum ArrivingActions: Sendable {
    /// Actions wait in order. They are reduced when the present is shown again, or when the program continues from the
    /// moment.
    case wait

    /// Actions are dropped.
    case drop
  }

  /// The reason why the present is shown again.
  public enum ReturnReason: Sendable {
    /// ``Recorder/resume()`` or ``Recorder/startRecording()`` was called.
    case resumed

    /// A caller waited for its own step.
    case neededByCaller

    /// The root of the stores was released.
    case released
  }

  /// A moment that is shown instead of the present.
  public struct ShownMoment: Sendable {
    /// The position in the recording.
    public let position: Int

    /// The stores that existed at that moment but are gone since. They aren't made again.
    public let goneStores: [MonitoredStore]

    /// The stores that were made since that moment. They keep their states.
    public let newStores: [MonitoredStore]

    /// The number of actions that were dropped while this moment was shown. Actions that observers dispatch in
    /// their calls for the moment are always dropped. With ``ArrivingActions/drop``, so are all others.
    public internal(set) var droppedActions = 0
  }

  /// The maximum number of actions that are kept.
  public let limit: Int

  /// The approximate maximum number of bytes that the entries use.
  ///
  /// - It includes the entries, and the texts and collections of their actions, but not objects or memory that actions
  ///   share with states. Entries are measured off the store's queue, one block at a time.
  public let byteLimit: Int

  let redactions: [Redaction<State, Action>]
  let arrivingActions: ArrivingActions
  let onReturn: (@Sendable (ReturnReason) -> Void)?
  let checkpointInterval: Int

  /// The queue on which the memory of entries is measured.
  let measuring = DispatchQueue(label: "Arbor.recording", qos: .utility)

  let content = Protected(Content())
  let running = RunningNotes()

  /// The state that all threads share.
  struct Content: Sendable {
    /// The tree and its root; nil before they are made and after they are gone.
    var live: Live?
    var recording: Recording<State, Action>?

    /// The recording and the own states to which ``Recorder/resume()`` returns; nil in the present.
    var present: Present?
    var moment: ShownMoment?
    var isStopped = false

    /// A number that changes with each change to the recording other than appending.
    var pastRevision = 0

    /// The number of times that a store came or went.
    var storeChanges = 0

    /// The total number of bytes of all measured blocks.
    var bytes = 0
  }

  struct Live: Sendable {
    let tree: RecordedTree
    let root: TypedRecordedStore<State, Action>
  }

  struct Present: Sendable {
    let recording: Recording<State, Action>
    let states: [(store: RecordedStore, state: any Sendable)]

    /// The recording's ``Content/pastRevision``.
    let pastRevision: Int

    /// The gate that is closed while another moment is shown.
    let travel: Travel
  }

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - redactions: The rules that replace values in each file, page and test of the recording, and in the messages of a
  ///     ``LiveRecording``. A `Confidential` value needs no rule.
  ///   - limit: The maximum number of actions that are kept, at least 2.
  ///   - byteLimit: The approximate maximum number of bytes that the entries use.
  ///   - checkpointInterval: The number of actions between two kept states, at least 1 and at most the limit. A higher
  ///     number uses less memory, but makes jumps slower.
  ///   - arrivingActions: The handling of actions that arrive while another moment is shown.
  ///   - onReturn: Called on the tree's queue when the present is shown again.
  public init(
    redacting redactions: [Redaction<State, Action>] = [],
    limit: Int = 10_000,
    byteLimit: Int = 64 << 20,
    checkpointInterval: Int = 128,
    arrivingActions: ArrivingActions = .wait,
    onReturn: (@Sendable (_ reason: ReturnReason) -> Void)? = nil
  ) {
    self.redactions = redactions
    self.limit = max(limit, 2)
    self.byteLimit = byteLimit
    // Memory is measured and released in blocks between two kept states.
    self.checkpointInterval = min(max(checkpointInterval, 1), self.limit)
    self.arrivingActions = arrivingActions
    self.onReturn = onReturn
  }

  /// The current recording; nil until a store is made with this recorder.
  ///
  /// - It includes the actions that were toggled while another moment is shown.
  /// - It is a copy, which shares its memory with the recorder until the recorder continues.
  /// - Its states and actions are the recorded ones, with all secrets, because it hasn't left the process. It has the
  ///   recorder's rules as its ``Recording/redactions``, which are applied when it does.
  /// - Reading it waits for everything accepted before, like the commands; in a callback of the tree, it doesn't wait.
  /// - Entries are measured a little later, so they may briefly use more than ``byteLimit``.
  public var recording: Recording<State, Action>? {
    takeNotesInTurn()
    return content.withLock { $0.recording }
  }

  /// Moves the noted actions to the recording, after everything accepted before; at once in a callback of the tree. Can
  /// be called from any thread.
  func takeNotesInTurn() {
    guard let tree = content.withLock({ $0.live })?.tree else { return }
    if tree.isInside { takeNotes() } else { _ = tree.run { [self] in takeNotes() } }
  }

  /// The shown moment; nil in the present.
  public var moment: ShownMoment? { content.withLock { $0.moment } }

  /// `true` if a moment other than the present is shown.
  public var isTravelling: Bool { content.withLock { $0.present != nil } }

  // MARK: StoreMonitor

  /// `true`, because the recording contains the cause of each action.
  public var wantsCauses: Bool { true }

  /// Records an action.
  ///
  /// - Parameter record: The record of the action, after its step.
  public func monitor(_ record: borrowing ActionRecord) {
    running.add(record)
    if running.isPaused, case .dropped = record.outcome {
      content.withLock { $0.moment?.droppedActions += 1 }
    }
    if running.isFull { takeNotes(isBetweenSteps: record.isLastOfStep) }
  }

  /// Records stores and tasks that come and go.
  ///
  /// - Parameters:
  ///   - event: The event. Observer events and activities are ignored.
  ///   - time: The time of the event since the tree was made, on the tree's clock.
  public func monitor(_ event: StoreEvent, at time: Duration) {
    switch event {
    case .storeMade(let store): if store.parent != nil { add(store, at: time) }
    case .storeGone(let store): remove(store, at: time)
    case .taskStarted(let task): beginTask(task, at: time)
    case .taskFinished(let task): endTask(task, .finished, at: time)
    case .taskCancelled(let task): endTask(task, .cancelled, at: time)
    case .taskFailed(let task, let error): endTask(task, .failed(error), at: time)
    case .observerMade, .observerGone, .activity: break
    }
  }
}

/// A tree that is recorded: its stores, and the functions that show another moment.
///
/// - Use the members only on the tree's queue, unless they are documented otherwise.
final class RecordedTree: Sendable {
  /// The tree; nil once its root is gone.
  private let tree: Protected<Tree?>
  private let stores = Protected<[UInt64: RecordedStore]>([:])

  init(_ tree: Tree, root: RecordedStore) {
    self.tree = Protected(tree)
    add(root)
  }

  // MARK: Stores

  /// Returns the store with a number; nil if there is none, or if it was forgotten. Can be called from any thread.
  func store(_ id: UInt64) -> RecordedStore? { stores.withLock { $0[id] } }

  /// The stores that weren't forgotten, in the order in which they were made. Can be read from any thread.
  var allStores: [RecordedStore] {
    stores.withLock { $0.values.sorted { $0.store.id < $1.store.id } }
  }

  /// Adds a store before anything happens in it. Can be called from any thread.
  func add(_ store: RecordedStore) {
    stores.withLock { $0[store.store.id] = store }
  }

  /// Forgets a store that is gone, and releases its state; for the root, also releases the tree. A recording keeps the
  /// store's reducer as long as it needs it.
  func forget(_ gone: MonitoredStore) {
    // Released outside the lock.
    let store = stores.withLock { $0.removeValue(forKey: gone.id) }
    store?.end()
    if gone.parent == nil { tree.withLock { $0.take() }?.openGate() }
  }

  // MARK: Moments

  /// `true` if the calling thread runs the tree's work.
  var isInside: Bool { tree.withLock { $0 }?.isInside == true }

  /// Runs a body on the tree's queue between two entries, after everything accepted before. Returns `false` if the tree
  /// is gone.
  ///
  /// - In a callback of the tree, the body runs after this function has returned. It can be called from any thread.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let tree = tree.withLock({ $0 }) else { return false }
    tree.runBetweenEntries(for: "travel", body)
    return true
  }

  /// Closes a gate in front of the tree's entries, so that ``notifyOfMoment()`` can show another moment.
  func closeGate(_ gate: any EntryGate) { tree.withLock { $0 }?.closeGate(gate) }

  /// Notifies observers of the moment in one step. Call it after you have written the stores' own states.
  func notifyOfMoment() { tree.withLock { $0 }?.notifyOfOwnStates() }

  /// Notifies observers of the present in one step, then opens the gate, so that the waiting entries run. Call it after
  /// you have restored the states.
  func returnToPresent() {
    let tree = tree.withLock { $0 }
    tree?.notifyOfOwnStates()
    tree?.openGate()
  }

  /// Makes the shown states the present, in one step: updates the effects, lets the waiting entries continue, and
  /// notifies observers.
  func goOnFromShownStates() {
    guard let tree = tree.withLock({ $0 }) else { return }
    tree.openGate(withNewStates: true)
    tree.requestEffects { for store in allStores { store.updateEffects?() } }
    tree.notifyOfOwnStates()
  }
}
