import Arbor
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport

/// A program that keeps the states of one or two stores in a simulated folder, and is killed, crashes, ends and starts
/// again; and another one that uses the folder meanwhile.
final class StorageWorld {
  private var random: SplitMix64
  private var folder = SimulatedFolder()
  private let stores: [SimulatedStore]
  private var storage: Storage!
  private var isOpen = true

  /// Work beside the storage's queue, which is done now and then.
  private var background = BackgroundWork()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let first = SimulatedStore(SimulatedStore.Way.allCases.randomElement(using: &random)!, Shelf.parts)
    // A storage has one journal.
    stores = Bool.random(using: &random) ? [first] : [first, SimulatedStore(.parts, Shelf.otherParts)]
  }

  /// Runs the program some times. Returns what is wrong; nil if nothing is.
  func run() async -> String? {
    for start in 1...Int.random(in: 2...5, using: &random) {
      if let complaint = await open() { return "start \(start): \(complaint)" }
      fail()
      for _ in 0..<Int.random(in: 1...15, using: &random) where !folder.hasCrashed {
        if let complaint = await operate() { return "start \(start): \(complaint)" }
      }
      folder = await end()
    }
    return await open().map { "at last: \($0)" }
  }

  // MARK: Starting

  private func open() async -> String? {
    // Nobody does what a program that was killed had begun.
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

  /// Starts the program, which is killed, or crashes with the system, while it reduces an action again: or after that, if
  /// there are not so many. Does nothing if it has ended so before: at the second end, the step would be skipped.
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
    // Weakly, for the work has the storage.
    return try Storage(
      folder,
      durability: .full,
      background: { [weak background] work in background?.add(work) },
      later: { [weak background] work in background?.addLater(work) }
    )
  }

  // MARK: Operations

  /// Lets operations of the folder fail, and the system crash at one of them.
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

  /// Does something with a store. Returns what is wrong; nil if nothing is.
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
      // Closed already, it saves nothing.
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

  /// Loads the parts of a store for another one. Returns what is wrong; nil if nothing is.
  private func loadAgain(_ store: SimulatedStore) async -> String? {
    do throws(StorageError) {
      let complaint = try await store.open(in: storage, folder, whileRunning: true, using: &random)
      return complaint.map { "\(store.way), loaded again: \($0)" }
    } catch {
      // It goes on as before.
      return nil
    }
  }

  /// Lets another process use the folder while the storage is closed. Returns what is wrong; nil if nothing is.
  private func visit() async -> String? {
    let (own, isSaved) = (storage!, (try? await storage.close()) != nil)
    defer { storage = own }
    // What was not saved is saved by this process, once it can.
    if isSaved, isOpen {
      acknowledgeAll()
      if let complaint = await beVisited() { return "another process: \(complaint)" }
      do throws(StorageError) {
        try await own.reopen()
      } catch {
        // The other one has written; or the folder cannot be read at this time.
      }
      for store in stores {
        do throws(StorageError) {
          if let complaint = try await store.open(in: own, folder, whileRunning: false, using: &random) {
            return "\(store.way), behind another process: \(complaint)"
          }
        } catch {
          store.leave()
        }
      }
    }
    isOpen = (try? await own.reopen()) != nil
    return nil
  }

  /// Has another process load the stores, change something, and end.
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
      // Something of it may have been written.
      try? await storage.close()
    }
    return nil
  }

  /// Does the work beside the storage's queue, also what is added while a body waits for that.
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

  /// Ends the program in some way. Returns the folder as the next one finds it.
  private func end() async -> SimulatedFolder {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return folder.afterKill()
    case 1: return folder.afterCrash(choosing: &random)
    default:
      // What the storage's queue does steps the trees, too, also that of another store: no action that nobody has noted
      // must be half reduced when its store goes.
      for store in stores { store.beginEnd() }
      storage.suspend(isInTime: true) { false }
      for store in stores { store.end() }
      if (try? await storage.flush()) != nil { acknowledgeAll() }
      return Bool.random(using: &random) ? folder.afterKill() : folder.afterCrash(choosing: &random)
    }
  }
}
