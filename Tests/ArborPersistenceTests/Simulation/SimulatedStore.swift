import Arbor
import ArborDevTools
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport

/// A store of a simulated program, and the history of the store's state.
final class SimulatedStore {
  /// A way to store the state.
  enum Way: CaseIterable {
    case parts, journal, ahead

    /// A journal that leaves out some actions.
    case partialJournal, partialAhead

    var writesAhead: Bool { self == .ahead || self == .partialAhead }
  }

  let way: Way
  private let parts: [Persisted<Shelf>]

  /// The stored parts of the state after each step since the last start, beginning with the loaded ones.
  private var history = SharedList<Shelf.Kept>()

  /// The results of actions that may be stored without a step in the history, and the history's length before each.
  ///
  /// - It contains actions of a store whose owner is released, because no observer sees them.
  /// - It contains actions that are written ahead. Such an action may be found even if it was refused, or if its batch
  ///   wasn't reduced to the end.
  private var possible = SharedList<(kept: Shelf.Kept, position: Int)>()

  /// A list that contains an element once the store's owner is about to be released.
  private var ending = SharedList<Bool>()

  /// The number of acknowledged states in the history.
  private var acknowledged = 0

  /// The lengths of the history when everything was erased, unless another state was acknowledged since.
  private var erasures: [Int] = []

  private(set) var store: StoreFactory<Shelf, ShelfAction>?

  /// `true` if the history belongs to a program that has ended, or to another process. No storage of this one has it.
  private var hasLeft = false

  /// The stores whose parts were loaded again for another store.
  private var outdated: [(store: StoreFactory<Shelf, ShelfAction>, executor: ManualExecutor)] = []
  private var subscription: StoreSubscription?
  private(set) var executor = ManualExecutor()
  private var clock = TestClock()
  private var recorder = Recorder<Shelf, ShelfAction>()

  /// The length of the history when the store last traveled. No action was written ahead for the resulting state.
  private var travelled = 0

  init(_ way: Way, _ parts: [Persisted<Shelf>]) {
    self.way = way
    self.parts = parts
  }

  // MARK: Starting

  /// Loads the parts, and makes a store with them.
  ///
  /// - Parameters:
  ///   - folder: The folder of the storage. If the system crashed during the load, no store is made. No program sees
  ///     the loaded state then, and the crash may lose it.
  ///   - isRunning: `true` if the previous store still uses the storage. Then everything it has accepted is loaded.
  /// - Returns: A complaint; nil if everything is right. If it is nil, the previous store is outdated.
  /// - Throws: The error of loading. Then nothing has changed.
  func open(
    in storage: Storage,
    _ folder: SimulatedFolder,
    whileRunning isRunning: Bool,
    using random: inout SplitMix64
  ) async throws(StorageError) -> String? {
    let (state, report): (Shelf, LoadReport)
    let saving: SavingMonitor<Shelf>
    var interceptors = [noting]
    if way == .parts {
      (state, report) = try await storage.load(into: Shelf(), parts)
      saving = storage.saving(parts)
    } else {
      let journal = makeJournal(snapshotEvery: Int.random(in: 1...12, using: &random))
      (state, report) = try await storage.load(into: Shelf(), parts, journal)
      saving = storage.saving(parts, journal)
      if way.writesAhead { interceptors.append(saving.writeAhead()) }
    }
    if isRunning, !folder.hasCrashed { acknowledge() }
    if let complaint = check(state.kept, report) { return complaint }
    guard !folder.hasCrashed else {
      leave()
      return nil
    }
    // Make new lists, because the store of the last program may still run.
    (history, possible, ending, erasures) = (SharedList(), SharedList(), SharedList(), [])
    interceptors[0] = noting
    history.append(state.kept)
    (acknowledged, hasLeft) = (1, false)
    if let store { outdated.append((store, executor)) }
    (executor, clock) = (ManualExecutor(seed: random.next()), TestClock())
    (recorder, travelled) = (Recorder(), 0)
    store = StoreFactory(
      initialState: state,
      feature: .combined(Shelf.feature, Feature(interceptors: interceptors)),
      settings: TreeSettings(clock: clock, monitors: [recorder, saving], executor: executor)
    )
    subscription = store?.observe(initial: false) { [history] (state: Shelf) in history.append(state.kept) }
    executor.run()
    return nil
  }

  /// Makes the journal.
  ///
  /// - Parameter replaying: Called for each action that is reduced again.
  private func makeJournal(
    snapshotEvery interval: Int,
    _ replaying: @escaping @Sendable () -> Void = {}
  ) -> Journal<Shelf, ShelfAction> {
    let feature = Feature<Shelf, ShelfAction>.combined(Feature { _, _ in replaying() }, Shelf.feature)
    guard way == .partialJournal || way == .partialAhead else {
      return Journal(of: feature, coding: .binary, snapshotEvery: interval)
    }
    return Journal(
      of: feature,
      action: { $0 },
      extract: { (action: ShelfAction) in action.isInPartialJournal ? action : nil },
      coding: .binary,
      snapshotEvery: interval
    )
  }

  /// Loads the parts for a program that is killed while it loads.
  ///
  /// - Parameter replaying: Called for each action that is reduced again.
  func beginToLoad(in storage: Storage, _ replaying: @escaping @Sendable () -> Void) async {
    // No caller receives the error.
    if way == .parts {
      _ = try? await storage.load(into: Shelf(), parts)
    } else {
      _ = try? await storage.load(into: Shelf(), parts, makeJournal(snapshotEvery: 10, replaying))
    }
  }

  /// An interceptor that records the results of actions that no observer sees or that are written ahead.
  private var noting: Interceptor<Shelf, ShelfAction> {
    Interceptor { [possible, history, ending, isAhead = way.writesAhead] action, context in
      guard isAhead || !ending.all.isEmpty else { return .pass }
      var state = context.state
      Shelf.reduce(&state, action)
      possible.append((state.kept, history.all.count))
      return .pass
    }
  }

  /// Returns a complaint about loaded parts; nil if the program had them when they were last acknowledged, or later.
  private func check(_ kept: Shelf.Kept, _ report: LoadReport) -> String? {
    if report.findings.contains(where: \.isDamage) || !report.keptFiles.isEmpty { return "\(report.notes)" }
    let history = history.all
    guard !history.isEmpty else { return kept == Shelf().kept ? nil : "\(kept) was never written" }
    if kept == Shelf().kept, !erasures.isEmpty { return nil }
    // If a batch was partly refused, its last step is acknowledged, and more of the batch may be found.
    let position = way.writesAhead ? acknowledged - 1 : acknowledged
    if possible.all.contains(where: { $0.kept == kept && $0.position >= position }) { return nil }
    guard let last = history.lastIndex(of: kept) else { return "\(kept) was never there" }
    return last + 1 < acknowledged ? "\(last + 1) states are left of \(acknowledged)" : nil
  }

  // MARK: Operations

  /// Advances the clock, and runs the store's work.
  func advance(by milliseconds: Int) {
    clock.advance(by: .milliseconds(milliseconds))
    executor.run()
  }

  /// Records that everything so far is acknowledged.
  func acknowledge() {
    guard !hasLeft else { return }
    let history = history.all
    acknowledged = history.count
    // Nothing that was erased is stored again until it changes.
    erasures.removeAll { history[$0 - 1] != history.last }
  }

  /// Records that all reduced actions are acknowledged, if each action is written ahead.
  func acknowledgeReduced() {
    if way == .ahead, history.all.count > travelled { acknowledge() }
  }

  /// Shows another recorded moment, and continues from there or from the present.
  func travel(using random: inout SplitMix64) {
    executor.run()
    guard (try? recorder.travel(to: Int.random(in: 0...3, using: &random))) != nil else { return }
    if Bool.random(using: &random) {
      recorder.continueFromHere()
    } else {
      recorder.resume()
    }
    executor.run()
    travelled = history.all.count
  }

  /// Records that everything may have been erased, or that it was, if the erasure is acknowledged.
  func erase(isAcknowledged: Bool) {
    if isAcknowledged { acknowledge() }
    erasures.append(history.all.count)
  }

  /// Sends an action to an outdated store. No later load may find its result.
  func dispatchToOutdated(_ action: ShelfAction, using random: inout SplitMix64) {
    guard let (store, executor) = outdated.randomElement(using: &random) else { return }
    store.dispatch(action)
    executor.run()
  }

  /// Releases the owners of outdated stores.
  func releaseOutdated() {
    let released = outdated
    outdated = []
    for (_, executor) in released { executor.run() }
  }

  /// Continues without a store, because its state cannot be loaded at this time.
  func leave() {
    if let store { outdated.append((store, executor)) }
    (store, hasLeft) = (nil, true)
  }

  /// Records the result of each action from now on, because no observer sees it once the owner is released.
  func beginEnd() {
    ending.append(true)
  }

  /// Releases the store's owner. Called after ``beginEnd()``.
  func end() {
    store = nil
    executor.run()
  }
}

/// A list that several threads share.
///
/// - Its members aren't inlined, because async functions call them; see `Protected.withLockInAsync`.
final class SharedList<Element: Sendable>: Sendable {
  private let elements = Protected<[Element]>([])

  var all: [Element] {
    @inline(never) get { elements.withLock { $0 } }
  }

  @inline(never)
  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Removes and returns all elements.
  @inline(never)
  func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
