public import Arbor
internal import Dispatch

/// A monitor that records a store, and with which one goes back and forth while the program runs.
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
/// try recorder.toggle(12)        // … and that of a past without action 12
/// recorder.resume()              // and the present again, behind which the actions go on that have arrived
/// ```
///
/// - It records one tree, the first that is made with it: all actions, with the own states of all stores.
/// - **Travelling** is a step each: derived values and observers get the states of the moment. No interceptor, effect or
///   task runs for it, nothing is cancelled, and activities are not heard again. Reducers are called again, so they must
///   be pure.
/// - **Meanwhile** actions that arrive wait in order, or are dropped (``ArrivingActions``); tasks go on. Actions that an
///   observer dispatches in its call because of the moment it sees don't arrive: they are always dropped, so that looking
///   at the past doesn't change the present. Monitors see them with the outcome `dropped`. This holds on every queue and
///   for `observe(track:apply:)`, but not for what an observer starts and leaves, such as a task, nor for an iteration
///   over states. Who waits for a step of its own, as `dispatchAndWait` and `commit` do, brings the tree back to the
///   present first.
/// - A store that has gone since the moment is not made again, and one that was made since keeps its state; see
///   ``ShownMoment``.
/// - A commit nobody waited for is made again when the past is reduced anew. One whose caller has waited for it cannot be:
///   the states behind it stay as they were recorded (``Recording/Entry/isBarrier``).
/// - **Memory.** It is bounded by ``limit`` and ``byteLimit``: the oldest actions become part of the recording's base.
/// - **Threads.** All members may be used from any thread. The commands wait for what was accepted before, as
///   `dispatchAndWait` does; in a callback of the tree itself they take place after it. What a command names may be gone by
///   then: nothing happens, and a line on standard error says so.
public final class Recorder<State: Sendable, Action: Sendable>: StoreMonitor {
  /// The fate of actions that arrive while another moment is shown.
  public enum ArrivingActions: Sendable {
    /// They wait, in order, and are reduced when the present is shown again, or when it goes on from the moment.
    case wait

    /// They are dropped.
    case drop
  }

  /// The reason why the present is shown again.
  public enum ReturnReason: Sendable {
    /// It was asked for by ``Recorder/resume()``.
    case resumed

    /// A caller waited for a step of its own.
    case neededByCaller

    /// The root of the stores was released.
    case released
  }

  /// A moment that is shown instead of the present.
  public struct ShownMoment: Sendable {
    /// The position in the recording.
    public let position: Int

    /// The stores that existed at that moment and have gone since. They are not made again.
    public let goneStores: [MonitoredStore]

    /// The stores that were made since. They keep their states.
    public let newStores: [MonitoredStore]

    /// The number of actions that were dropped while this moment was shown: those of its observers, and with
    /// ``ArrivingActions/drop`` all others.
    public internal(set) var droppedActions = 0
  }

  /// The greatest number of actions that are kept.
  public let limit: Int

  /// The greatest number of bytes that the entries may take, about.
  ///
  /// - Counted are the entries, and the texts and collections of their actions; not what actions and states share, and
  ///   not objects. They are measured beside the store's queue, a block of entries at a time.
  public let byteLimit: Int

  let redactions: [Redaction<State, Action>]
  let arrivingActions: ArrivingActions
  let onReturn: (@Sendable (ReturnReason) -> Void)?
  let checkpointInterval: Int

  /// The queue on which the memory of entries is measured.
  let measuring = DispatchQueue(label: "Arbor.recording", qos: .utility)

  let content = Protected(Content())
  let running = RunningNotes()

  /// The present, as far as other threads see it.
  struct Content: Sendable {
    /// The tree and its root; nil until they are made, and once they are gone.
    var live: Live?
    var recording: Recording<State, Action>?

    /// The recording and the own states to which ``Recorder/resume()`` returns; nil in the present.
    var present: Present?
    var moment: ShownMoment?
    var isStopped = false

    /// A number that changes when something but appending happens to the recording.
    var pastRevision = 0

    /// The number of times at which a store came or went.
    var storeChanges = 0

    /// The sum of the blocks' bytes, as far as they were measured.
    var bytes = 0
  }

  struct Live: Sendable {
    let tree: RecordedTree
    let root: TypedRecordedStore<State, Action>
  }

  struct Present: Sendable {
    let recording: Recording<State, Action>
    let states: [(store: RecordedStore, state: any Sendable)]

    /// ``Content/pastRevision`` of the recording.
    let pastRevision: Int

    /// The gate behind which another moment is shown.
    let travel: Travel
  }

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - redactions: The rules that put other values in the place of some in each file, page and test of the recording
  ///     and in the messages of a ``LiveRecording``. A `Confidential` value needs none.
  ///   - limit: The greatest number of actions that are kept, at least 2.
  ///   - byteLimit: The greatest number of bytes that the entries may take, about.
  ///   - checkpointInterval: The number of actions between two states that are kept, at least 1 and at most the limit. A
  ///     greater one takes less memory and longer jumps.
  ///   - arrivingActions: The fate of actions that arrive while another moment is shown.
  ///   - onReturn: Called when the present is shown again, on the tree's queue.
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
    // Memory is measured and released from one state that is kept to the next.
    self.checkpointInterval = min(max(checkpointInterval, 1), self.limit)
    self.arrivingActions = arrivingActions
    self.onReturn = onReturn
  }

  /// The recording as it is now, with the actions that were toggled while another moment is shown; nil until a store is
  /// made with this recorder.
  ///
  /// - A copy, which shares its memory with the recorder until the recorder goes on.
  /// - Its states and actions are those that were recorded, with all secrets: it has not left the process. It has the
  ///   recorder's rules as its ``Recording/redactions``, which are applied when it does.
  /// - Waits for what was accepted before, as the commands do; in a callback of the tree for nothing.
  /// - Entries are measured a little later: for a moment, they may take more than ``byteLimit``.
  public var recording: Recording<State, Action>? {
    takeNotesInTurn()
    return content.withLock { $0.recording }
  }

  /// Takes what was noted into the recording, after what was accepted before; in a callback of the tree at once. From
  /// any thread.
  func takeNotesInTurn() {
    guard let tree = content.withLock({ $0.live })?.tree else { return }
    if tree.isInside { takeNotes() } else { _ = tree.run { [self] in takeNotes() } }
  }

  /// The moment that is shown; nil in the present.
  public var moment: ShownMoment? { content.withLock { $0.moment } }

  /// `true` if another moment than the present is shown.
  public var isTravelling: Bool { content.withLock { $0.present != nil } }

  // MARK: StoreMonitor

  /// Wants to know what has caused each action.
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

  /// Records that stores and tasks come and go.
  ///
  /// - Parameters:
  ///   - event: The event. Those of observers and activities are ignored.
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

/// A tree that is recorded: its stores, and the way to another moment.
///
/// - Its members belong to the tree's queue, unless they say otherwise.
final class RecordedTree: Sendable {
  /// The tree; nil once its root is gone.
  private let tree: Protected<Tree?>
  private let stores = Protected<[UInt64: RecordedStore]>([:])

  init(_ tree: Tree, root: RecordedStore) {
    self.tree = Protected(tree)
    add(root)
  }

  // MARK: Stores

  /// The store with a number; nil if there is none, or if it was forgotten. From any thread.
  func store(_ id: UInt64) -> RecordedStore? { stores.withLock { $0[id] } }

  /// The stores that were not forgotten, in the order in which they were made. From any thread.
  var allStores: [RecordedStore] {
    stores.withLock { $0.values.sorted { $0.store.id < $1.store.id } }
  }

  /// Adds a store, before anything happens in it. From any thread.
  func add(_ store: RecordedStore) {
    stores.withLock { $0[store.store.id] = store }
  }

  /// Forgets a store that has gone, and releases its state. A recording keeps its reducer for as long as it needs that.
  /// If the store is the root, the tree is released too.
  func forget(_ gone: MonitoredStore) {
    // Released outside the lock.
    let store = stores.withLock { $0.removeValue(forKey: gone.id) }
    store?.end()
    if gone.parent == nil { tree.withLock { $0.take() }?.openGate() }
  }

  // MARK: Moments

  /// `true` if the calling thread runs the tree's work.
  var isInside: Bool { tree.withLock { $0 }?.isInside == true }

  /// Runs a body on the tree's queue between two entries, after everything accepted before; in a callback of the tree
  /// after this function has returned. From any thread. Returns `false` if the tree has gone.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let tree = tree.withLock({ $0 }) else { return false }
    tree.runBetweenEntries(for: "travel", body)
    return true
  }

  /// Closes a gate in front of the tree's entries, to show another moment by ``notifyOfMoment()``.
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

  /// Makes the shown states the present, in one step: ends and begins effects by them, lets the waiting entries continue,
  /// and notifies observers.
  func goOnFromShownStates() {
    guard let tree = tree.withLock({ $0 }) else { return }
    tree.openGate(withNewStates: true)
    tree.requestEffects { for store in allStores { store.updateEffects?() } }
    tree.notifyOfOwnStates()
  }
}
