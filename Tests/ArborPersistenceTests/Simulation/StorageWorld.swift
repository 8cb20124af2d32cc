import Arbor
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport

/// A program that stores the states of one or two stores in a simulated folder, ends in several ways and starts again.
///
/// - It is killed, it crashes with the system, or it ends normally. Another process uses the folder in between.
final class StorageWorld {
  private var random: SplitMix64
  private var folder = SimulatedFolder()
  private let stores: [SimulatedStore]
  private var storage: Storage!
  private var isOpen = true

  /// Work outside the storage's queue, which is done from time to time.
  private var background = BackgroundWork()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let first = SimulatedStore(SimulatedStore.Way.allCases.randomElement(using: &random)!, Shelf.parts)
    // A storage has one journal.
    stores = Bool.random(using: &random) ? [first] : [first, SimulatedStore(.parts, Shelf.otherParts)]
  }

  /// Runs the program several times. Returns a complaint; nil if everything is right.
  func run() async -> String? {
    for start in 1...Int.random(in: 2...5, using: &random) {
      if let complaint = await open() { return "start \(start): \(complaint)" }
      fail()
      for _ in 0..<Int.random(in: 1...15, using: &random) where !folder.hasCrashed {
        if let complaint = await operate() { return "start \(start): \(complaint)" }
      }
      folder = await end()
    }
    return await open().map { "at the end: \($0)" }
  }

  // MARK: Starting

  private func open() async -> String? {
    // A killed program never does the work that it had begun.
    background = BackgroundWork()
    background.begin()
    defer { background.end() }
    isOpen = true
    for store in stores { store.leave() }
    if Int.random(in: 0..<4, using: &random) == 0 { await endWhileLoading() }
    do throws(StorageError) {
      storage = try makeStorage()
      for store in stores {
        if let complaint = try await store.open(in: storage, folder, whileRunning: false, using: &random) {
          return "\(store.way): \(complaint)"
        }
      }
      return nil
    } catch {
      return "cannot be opened: \(error)"
    }
  }

  /// Starts the program, and kills it or crashes the system while the program reduces an action again.
  ///
  /// - If there are too few actions, the program ends after it has reduced them.
  /// - Does nothing if a program has ended this way before: at the second end, the step would be skipped.
  private func endWhileLoading() async {
    guard folder.bytes(of: "loading") == nil else { return }
    guard let storage = try? makeStorage() else { return }
    let last = Int.random(in: 1...20, using: &random)
    let count = AtomicNumber(0)
    let ends = SharedList<SimulatedFolder>()
    await stores[0].beginToLoad(in: storage) { [folder] in
      if count.add(1) == last { ends.append(folder.afterKill()) }
    }
    let end = ends.all.first ?? folder
    folder = Bool.random(using: &random) ? end.afterKill() : end.afterCrash(choosing: &random)
  }

  private func makeStorage() throws(StorageError) -> Storage {
    // Capture the work weakly, because it retains the storage.
    return try Storage(
      folder,
      durability: .full,
      background: { [weak background] work in background?.add(work) },
      later: { [weak background] work in background?.addLater(work) }
    )
  }

  // MARK: Operations

  /// Lets operations of the folder fail, and lets the system crash at one of them.
  private func fail() {
    let start = folder.operations
    let failing = Bool.random(using: &random) ? 0 : Int.random(in: 1...40, using: &random)
    let lasts = Bool.random(using: &random)
    let reason: FileError.Reason = Bool.random(using: &random) ? .noSpace : .other(5)
    folder.failure = { number, _ in
      failing > 0 && (number - start == failing || lasts && number - start > failing) ? reason : nil
    }
    folder.lastOperation = start + Int.random(in: 1...80, using: &random)
  }

  /// Performs a random operation on a store. Returns a complaint; nil if everything is right.
  private func operate() async -> String? {
    let chosen = stores.randomElement(using: &random)!
    guard let store = chosen.store else { return nil }
    defer { for store in stores { store.acknowledgeReduced() } }
    switch Int.random(in: 0..<33, using: &random) {
    case 0..<8: store.dispatch(action())
    case 8, 9: store.dispatch(batch: [action(), action(), action()])
    case 10, 11: chosen.executor.step()
    case 12, 13: chosen.executor.run()
    case 14, 15: chosen.advance(by: Int.random(in: 10...600, using: &random))
    case 16, 17: background.run()
    case 18, 19: if (try? await store.dispatchDurably(action())) != nil { chosen.acknowledge() }
    case 20, 21: if (try? await storage.flush()) != nil { acknowledgeAll() }
    case 22, 23:
      // If the storage is already closed, it saves nothing.
      if (await withBackgroundWork { try? await storage.close() }) != nil, isOpen { acknowledgeAll() }
      isOpen = (try? await storage.reopen()) != nil
    case 24:
      let isErased = await withBackgroundWork { try? await storage.erase() } != nil
      for store in stores { store.erase(isAcknowledged: isErased) }
    case 25: chosen.dispatchToOutdated(action(), using: &random)
    case 26:
      chosen.releaseOutdated()
      background.run()
    case 27: return await withBackgroundWork { await visit() }
    case 28: chosen.travel(using: &random)
    case 29: if (await withBackgroundWork { try? await storage.snapshot() }) != nil { acknowledgeAll() }
    default: return await withBackgroundWork { await loadAgain(chosen) }
    }
    return nil
  }

  /// Loads the parts of a store for a new store. Returns a complaint; nil if everything is right.
  private func loadAgain(_ store: SimulatedStore) async -> String? {
    do throws(StorageError) {
      let complaint = try await store.open(in: storage, folder, whileRunning: true, using: &random)
      return complaint.map { "\(store.way), loaded again: \($0)" }
    } catch {
      // The store continues as before.
      return nil
    }
  }

  /// Lets another process use the folder while the storage is closed. Returns a complaint; nil if everything is right.
  private func visit() async -> String? {
    let (own, isSaved) = (storage!, (try? await storage.close()) != nil)
    defer { storage = own }
    // If this process has unsaved changes, no other process runs: this one saves them once it can.
    if isSaved, isOpen {
      acknowledgeAll()
      if let complaint = await beVisited() { return "another process: \(complaint)" }
      do throws(StorageError) {
        try await own.reopen()
      } catch {
        // The other process has written, or the folder cannot be read at this time.
      }
      for store in stores {
        do throws(StorageError) {
          if let complaint = try await store.open(in: own, folder, whileRunning: false, using: &random) {
            return "\(store.way), after another process: \(complaint)"
          }
        } catch {
          store.leave()
        }
      }
    }
    isOpen = (try? await own.reopen()) != nil
    return nil
  }

  /// Lets another process load the stores, change something and end.
  private func beVisited() async -> String? {
    do throws(StorageError) {
      storage = try makeStorage()
      for store in stores {
        if let complaint = try await store.open(in: storage, folder, whileRunning: false, using: &random) {
          return "\(store.way): \(complaint)"
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) { store.store?.dispatch(action()) }
      }
      if Bool.random(using: &random) {
        try await storage.flush()
        acknowledgeAll()
      }
      try await storage.close()
      acknowledgeAll()
    } catch {
      // Some of its changes may have been written.
      try? await storage.close()
    }
    return nil
  }

  /// Does the work outside the storage's queue, including work that a body adds and waits for.
  private func withBackgroundWork<Value>(_ body: () async -> Value) async -> Value {
    background.begin()
    defer { background.end() }
    return await body()
  }

  private func acknowledgeAll() {
    for store in stores { store.acknowledge() }
  }

  private func action() -> ShelfAction {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: .text("\(Int.random(in: 0..<10, using: &random))")
    case 2, 3: .remove(Int.random(in: 0..<6, using: &random))
    case 4: .show
    case 5...7: .type("\(Int.random(in: 0..<3, using: &random))")
    case 8: .hold
    case 9: .undo
    case 10: .finish
    case 11, 12: .take
    case 13...15:
      .deal(Shelf.Card(id: Int.random(in: 0..<6, using: &random), rank: Int.random(in: 0..<9, using: &random)))
    default:
      .put(Shelf.Book(id: Int.random(in: 0..<6, using: &random), title: "\(UInt8.random(in: 0...255, using: &random))"))
    }
  }

  // MARK: Ends

  /// Ends the program in a random way. Returns the folder that the next program finds.
  private func end() async -> SimulatedFolder {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return folder.afterKill()
    case 1: return folder.afterCrash(choosing: &random)
    default:
      // The storage's queue also steps the trees, including the tree of another store. So record all results before a
      // store is released. Otherwise, one of its actions may be half reduced and unrecorded.
      for store in stores { store.beginEnd() }
      storage.suspend(isInTime: true) { false }
      for store in stores { store.end() }
      if (try? await storage.flush()) != nil { acknowledgeAll() }
      return Bool.random(using: &random) ? folder.afterKill() : folder.afterCrash(choosing: &random)
    }
  }
}
