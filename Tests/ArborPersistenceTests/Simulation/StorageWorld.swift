import Arbor
import ArborPersistence
import ArborTesting
import TestSupport

/// A program that keeps its state in a simulated folder, and is killed, crashes, ends and starts again.
final class StorageWorld {
  /// A way to keep the state.
  enum Way: CaseIterable {
    case parts, journal, ahead
  }

  private let way: Way
  private var random: SplitMix64
  private var folder = SimulatedFolder()

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

  private var storage: Storage!
  private var isOpen = true
  private var store: StoreFactory<Shelf, ShelfAction>!
  private var subscription: StoreSubscription?
  private var executor = ManualExecutor()
  private var clock = TestClock()

  /// Work beside the storage's queue, which is done now and then.
  private var background = SharedList<@Sendable () -> Void>()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    way = Way.allCases.randomElement(using: &random)!
  }

  /// Runs the program some times. Returns what is wrong; nil if nothing is.
  func run() async -> String? {
    for start in 1...Int.random(in: 2...5, using: &random) {
      if let complaint = await open() { return "\(way), start \(start): \(complaint)" }
      fail()
      for _ in 0..<Int.random(in: 1...15, using: &random) where !folder.hasCrashed { await operate() }
      folder = await end()
    }
    return await open().map { "\(way), at last: \($0)" }
  }

  // MARK: Starting

  private func open() async -> String? {
    (executor, clock) = (ManualExecutor(seed: random.next()), TestClock())
    background = SharedList()
    let state: Shelf
    let report: LoadReport
    let saving: SavingMonitor<Shelf>
    var ahead: [Interceptor<Shelf, ShelfAction>] = []
    do {
      storage = try Storage(folder, durability: .full) { [background] work in background.append(work) }
      if way == .parts {
        (state, report) = try await storage.load(into: Shelf(), Shelf.parts)
        saving = storage.saving(Shelf.parts)
      } else {
        let journal = Journal(of: Shelf.feature, coding: .binary, snapshotEvery: Int.random(in: 1...12, using: &random))
        (state, report) = try await storage.load(into: Shelf(), Shelf.parts, journal)
        saving = storage.saving(Shelf.parts, journal)
        if way == .ahead { ahead.append(saving.writeAhead()) }
      }
    } catch {
      return "cannot be opened: \(error)"
    }
    if let complaint = check(state.kept, report) { return complaint }
    // New ones: the store of the last program may still run.
    (history, possible, ending) = (SharedList(), SharedList(), SharedList())
    history.append(state.kept)
    (acknowledged, isOpen) = (1, true)
    store = StoreFactory(
      initialState: state,
      feature: .combined(Shelf.feature, Feature(interceptors: [noting] + ahead, reducer: nil)),
      clock: clock,
      monitors: [saving],
      executor: executor
    )
    subscription = store.observe(initial: false) { [history] (state: Shelf) in history.append(state.kept) }
    executor.run()
    return nil
  }

  /// Notes what an action will make.
  private var noting: Interceptor<Shelf, ShelfAction> {
    Interceptor { [possible, history, ending, isAhead = way == .ahead] action, context in
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
    if possible.all.contains(where: { $0.kept == kept && $0.position >= acknowledged }) { return nil }
    guard let last = history.lastIndex(of: kept) else { return "\(kept) was never there" }
    return last + 1 < acknowledged ? "\(last + 1) states are left of \(acknowledged)" : nil
  }

  // MARK: Operations

  /// Lets operations of the folder fail, and the system crash at one of them.
  private func fail() {
    let start = folder.operations
    let failing = Bool.random(using: &random) ? 0 : Int.random(in: 1...40, using: &random)
    let (lasts, reason) =
      (Bool.random(using: &random), Bool.random(using: &random) ? .noSpace : .other(5))
      as (
        Bool, FileError.Reason
      )
    folder.failure = { number, _ in
      failing > 0 && (number - start == failing || lasts && number - start > failing) ? reason : nil
    }
    folder.lastOperation = start + Int.random(in: 1...80, using: &random)
  }

  private func operate() async {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: store.dispatch(action())
    case 4: store.dispatch(batch: [action(), action(), action()])
    case 5: executor.step()
    case 6: executor.run()
    case 7:
      clock.advance(by: .milliseconds(Int.random(in: 10...600, using: &random)))
      executor.run()
    case 8: doBackgroundWork()
    case 9: if (try? await store.dispatchDurably(action())) != nil { acknowledge() }
    case 10: if (try? await storage.flush()) != nil { acknowledge() }
    default:
      // Closing waits for it.
      doBackgroundWork()
      // Closed already, it saves nothing.
      if (try? await storage.close()) != nil, isOpen { acknowledge() }
      isOpen = (try? await storage.reopen()) != nil
    }
  }

  private func doBackgroundWork() {
    for work in background.take() { work() }
  }

  private func acknowledge() {
    acknowledged = history.all.count
  }

  private func action() -> ShelfAction {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: .text("\(Int.random(in: 0..<10, using: &random))")
    case 2: .remove(Int.random(in: 0..<6, using: &random))
    case 3: .show
    default:
      .put(Shelf.Book(id: Int.random(in: 0..<6, using: &random), title: "\(UInt8.random(in: 0...255, using: &random))"))
    }
  }

  // MARK: Ends

  /// Ends the program in some way. Returns the folder as the next one finds it.
  private func end() async -> SimulatedFolder {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return folder.afterKill()
    case 1: return folder.afterCrash(choosing: &random)
    default:
      ending.append(true)
      store = nil
      executor.run()
      if (try? await storage.flush()) != nil { acknowledge() }
      return Bool.random(using: &random) ? folder.afterKill() : folder.afterCrash(choosing: &random)
    }
  }
}

/// A list that several threads have.
private final class SharedList<Element: Sendable>: Sendable {
  private let elements = Protected<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Takes out all elements.
  func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
