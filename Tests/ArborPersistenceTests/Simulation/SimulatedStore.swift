import Arbor
import ArborDevTools
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport

/// A store of a simulated program, and what it has had since it was made.
final class SimulatedStore {
  /// A way to keep the state.
  enum Way: CaseIterable {
    case parts, journal, ahead

    /// A journal that some actions are not in.
    case partialJournal, partialAhead

    var writesAhead: Bool { self == .ahead || self == .partialAhead }
  }

  let way: Way
  private let parts: [Persisted<Shelf>]

  /// What is kept of the state after each step since the last start; at first that which was loaded.
  private var history = SharedList<Shelf.Kept>()

  /// What an action will make, and the length of the history then. Noted are those of a store whose owner has gone, which
  /// no observer sees, and those that are written ahead: one may be found though it was refused, or the batch to which it
  /// belongs was not reduced to its end.
  private var possible = SharedList<(kept: Shelf.Kept, position: Int)>()

  /// One element once the store's owner is released.
  private var ending = SharedList<Bool>()

  /// The number of states of the history that are acknowledged.
  private var acknowledged = 0

  /// The lengths of the history when all was erased, unless something else was acknowledged since.
  private var erasures: [Int] = []

  private(set) var store: StoreFactory<Shelf, ShelfAction>?

  /// `true` if what it had belongs to a program that has ended, or to another process: no storage of this one has it.
  private var hasLeft = false

  /// The stores whose parts were loaded for another since.
  private var outdated: [(store: StoreFactory<Shelf, ShelfAction>, executor: ManualExecutor)] = []
  private var subscription: StoreSubscription?
  private(set) var executor = ManualExecutor()
  private var clock = TestClock()
  private var recorder = Recorder<Shelf, ShelfAction>()

  /// The length of the history when the store went on from another moment: of that no action was written ahead.
  private var travelled = 0

  init(_ way: Way, _ parts: [Persisted<Shelf>]) {
    self.way = way
    self.parts = parts
  }

  // MARK: Starting

  /// Loads the parts, and makes a store of them.
  ///
  /// - Parameters:
  ///   - folder: The folder of the storage. If the system crashed during the load, the store is left without a state: no
  ///     program sees the loaded one, which may be lost in the crash.
  ///   - isRunning: `true` if the store of before still uses the storage: what it has accepted is loaded in whole.
  /// - Returns: What is wrong; nil if nothing is. The store of before has gone then.
  /// - Throws: The error of loading; then nothing has changed.
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
    // New ones: the store of the last program may still run.
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
  /// - Parameter replaying: Called with each action that is reduced again.
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

  /// Loads the parts for a program that is killed meanwhile.
  ///
  /// - Parameter replaying: Called with each action that is reduced again.
  func beginToLoad(in storage: Storage, _ replaying: @escaping @Sendable () -> Void) async {
    // Its error is told to nobody.
    if way == .parts {
      _ = try? await storage.load(into: Shelf(), parts)
    } else {
      _ = try? await storage.load(into: Shelf(), parts, makeJournal(snapshotEvery: 10, replaying))
    }
  }

  /// Notes what an action will make.
  private var noting: Interceptor<Shelf, ShelfAction> {
    Interceptor { [possible, history, ending, isAhead = way.writesAhead] action, context in
      guard isAhead || !ending.all.isEmpty else { return .pass }
      var state = context.state
      Shelf.reduce(&state, action)
      possible.append((state.kept, history.all.count))
      return .pass
    }
  }

  /// What is wrong with what was loaded; nil if it is what the program had at a moment not before the last acknowledged.
  private func check(_ kept: Shelf.Kept, _ report: LoadReport) -> String? {
    if report.findings.contains(where: \.isDamage) || !report.keptFiles.isEmpty { return "\(report.notes)" }
    let history = history.all
    guard !history.isEmpty else { return kept == Shelf().kept ? nil : "\(kept) was never written" }
    if kept == Shelf().kept, !erasures.isEmpty { return nil }
    // Of a batch that was partly refused the last step is acknowledged, and more of it may be found.
    let position = way.writesAhead ? acknowledged - 1 : acknowledged
    if possible.all.contains(where: { $0.kept == kept && $0.position >= position }) { return nil }
    guard let last = history.lastIndex(of: kept) else { return "\(kept) was never there" }
    return last + 1 < acknowledged ? "\(last + 1) states are left of \(acknowledged)" : nil
  }

  // MARK: Operations

  /// Lets time go by.
  func advance(by milliseconds: Int) {
    clock.advance(by: .milliseconds(milliseconds))
    executor.run()
  }

  /// Notes that everything so far is acknowledged.
  func acknowledge() {
    guard !hasLeft else { return }
    let history = history.all
    acknowledged = history.count
    // Nothing of what was erased is stored before it changes.
    erasures.removeAll { history[$0 - 1] != history.last }
  }

  /// Notes that what was reduced is acknowledged, if each action is written before.
  func acknowledgeReduced() {
    if way == .ahead, history.all.count > travelled { acknowledge() }
  }

  /// Shows another moment of the last ones, and goes on from there or from the present.
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

  /// Notes that everything may have been erased; that it was, if that is acknowledged.
  func erase(isAcknowledged: Bool) {
    if isAcknowledged { acknowledge() }
    erasures.append(history.all.count)
  }

  /// Sends an action to a store whose parts were loaded for another since: nobody is to find what it makes.
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

  /// Goes without a store: what it had cannot be loaded at this time.
  func leave() {
    if let store { outdated.append((store, executor)) }
    (store, hasLeft) = (nil, true)
  }

  /// Notes from now on what each action will make: no observer sees it once the owner is released.
  func beginEnd() {
    ending.append(true)
  }

  /// Releases the store's owner, behind ``beginEnd()``.
  func end() {
    store = nil
    executor.run()
  }
}

/// A list that several threads have.
///
/// - Nothing of it is inlined, as async functions call it: see `Protected.withLockInAsync`.
final class SharedList<Element: Sendable>: Sendable {
  private let elements = Protected<[Element]>([])

  var all: [Element] {
    @inline(never) get { elements.withLock { $0 } }
  }

  @inline(never)
  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Takes out all elements.
  @inline(never)
  func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
