import Arbor
import ArborEntities
import ArborPersistence
import Dispatch
import Foundation

/// The cost of storing a state, and the actions that change it.
let persistenceRows = [
  Row(workload: "a journaled action, on the store's queue", objects: 5, budget: 1) { scale in
    let actions = scale.count(200_000)
    let plain = StoreFactory(initialState: Ledger(), feature: Ledger.feature)
    let journaled = JournaledLedger(groupedFor: .seconds(3600))
    func flood(_ store: StoreFactory<Ledger, LedgerAction>) -> Double {
      nanoseconds(perOperationOf: actions) {
        store.whileHeld {
          for number in 0..<actions { store.dispatch(.enter(account: number % 100, amount: number)) }
        }
      }
    }
    return {
      let time = flood(journaled.store) - flood(plain)
      journaled.flush()
      return time
    }
  },
  Row(workload: "a journaled action, of four threads that do not wait, in a file", objects: 160, budget: 1, rounds: 2) {
    scale in
    let actions = scale.count(100_000)
    let folder = TemporaryFolder()
    let ledger = JournaledLedger(in: folder, groupedFor: .milliseconds(50))
    return {
      nanoseconds(perOperationOf: actions) {
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<(actions / 4) {
            ledger.store.dispatch(.enter(account: thread, amount: number))
          }
        }
        ledger.flush()
      }
    }
  },
  Row(workload: "one action that is durable, in a file", limit: "fdatasync", budget: 2, rounds: 2) { scale in
    let actions = scale.count(50)
    let folder = TemporaryFolder()
    let ledger = JournaledLedger(in: folder, groupedFor: .milliseconds(50))
    return (
      work: {
        nanoseconds(perOperationOf: actions) {
          waiting {
            for number in 0..<actions { try await ledger.store.dispatchDurably(.enter(account: 1, amount: number)) }
          }
        }
      },
      limit: { folder.nanosecondsPerSync(actions) }
    )
  },
  Row(workload: "a journaled action that is found again, not decoded", objects: 33, budget: 1, rounds: 1) { scale in
    let actions = scale.count(1_000_000)
    let folder = TemporaryFolder()
    JournaledLedger(in: folder, groupedFor: .milliseconds(50)).enter(actions)
    return {
      nanoseconds(perOperationOf: actions) { consume(try! StorageContents(of: folder.url).steps.count) }
    }
  },
  Row(workload: "a small action in JSON, journaled", limit: "JSONEncoder", budget: 1.3, rounds: 2) { scale in
    let actions = scale.count(50_000)
    let ledger = JournaledLedger(coding: .json, groupedFor: .seconds(3600))
    return (
      work: {
        for number in 0..<actions { ledger.store.dispatch(.enter(account: number % 100, amount: number)) }
        _ = ledger.store.state
        return nanoseconds(perOperationOf: actions) { ledger.flush() }
      },
      limit: {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return nanoseconds(perOperationOf: actions) {
          for number in 0..<actions {
            consume(try! encoder.encode(LedgerAction.enter(account: number % 100, amount: number)))
          }
        }
      }
    )
  },
  Row(workload: "a small action in JSON, reduced again", limit: "JSONDecoder", budget: 1.3, rounds: 2) { scale in
    let actions = scale.count(50_000)
    let folder = TemporaryFolder()
    JournaledLedger(in: folder, coding: .json, groupedFor: .milliseconds(50)).enter(actions)
    let data = try! JSONEncoder().encode(LedgerAction.enter(account: 55, amount: actions / 2))
    return (
      work: {
        nanoseconds(perOperationOf: actions) { consume(JournaledLedger(in: folder, coding: .json).store) }
      },
      limit: {
        let decoder = JSONDecoder()
        return nanoseconds(perOperationOf: actions) {
          for _ in 0..<actions { consume(try! decoder.decode(LedgerAction.self, from: data)) }
        }
      }
    )
  },
  Row(workload: "bytes written when one of 1,000,000 records changes", limit: "10 KB", budget: 1, rounds: 1) { scale in
    let library = StoredLibrary(scale.count(1_000_000))
    return (work: { library.bytesOfOneChange() }, limit: { 10_000 })
  },
  Row(workload: "milliseconds to open 1,000,000 records", limit: Row.text(ofObjects: 66e6), budget: 1, rounds: 1) {
    scale in
    let library = StoredLibrary(scale.count(1_000_000))
    return (work: { library.millisecondsToOpen() }, limit: { nanoseconds(ofObjects: 66e6) / 1e6 })
  },
  Row(workload: "one element of an array of 1,000,000, saved meanwhile", limit: "not saved", budget: 1.1) { scale in
    let actions = scale.count(300_000)
    let array = Persisted(\[Int].self, as: "array", coding: .binary)
    let storage = Storage.inMemory()
    let state = waiting {
      try await storage.load(into: Array(repeating: 0, count: scale.count(1_000_000) + 100), [array])
    }
    .state
    let factories = [[storage.saving([array])], []].map { monitors in
      StoreFactory<[Int], Int>(initialState: state, settings: TreeSettings(monitors: monitors)) { state, index in
        state[index] &+= 1
      }
    }
    func change(_ store: StoreFactory<[Int], Int>) -> Double {
      nanoseconds(perOperationOf: actions) {
        store.whileHeld {
          for index in 0..<actions { store.dispatch(index % 100) }
        }
      }
    }
    return (work: { change(factories[0]) }, limit: { change(factories[1]) })
  },
]

/// A small state with many small actions.
struct Ledger: Codable, Sendable {
  var accounts = Array(repeating: 0, count: 100)

  static let feature = Feature<Ledger, LedgerAction> { state, action in
    switch action {
    case .enter(let account, let amount): state.accounts[account] &+= amount
    case .close(let account): state.accounts[account] = 0
    }
  }
}

enum LedgerAction: Codable, Sendable {
  case enter(account: Int, amount: Int)
  case close(account: Int)
}

/// A ledger whose actions are journaled.
struct JournaledLedger: Sendable {
  private let storage: Storage
  let store: StoreFactory<Ledger, LedgerAction>

  /// The folder of the storage, which is kept; nil if the storage is in memory.
  private let folder: TemporaryFolder?

  init(
    in folder: TemporaryFolder? = nil, coding: any StorageCoding = .binary, groupedFor time: Duration = .seconds(3600)
  ) {
    let storage = folder?.storage() ?? .inMemory()
    self.folder = folder
    let part = Persisted(\Ledger.self, as: "ledger", coding: .binary)
    let journal = Journal(of: Ledger.feature, coding: coding, snapshotEvery: .max)
    let state = waiting { try await storage.load(into: Ledger(), [part], journal) }.state
    self.storage = storage
    store = StoreFactory(
      initialState: state,
      feature: Ledger.feature,
      settings: TreeSettings(monitors: [storage.saving([part], journal, groupedFor: time)])
    )
  }

  func flush() {
    waiting { try await storage.flush() }
  }

  /// Journals a number of actions, which a closed storage would not contain. The folder is released with this object.
  func enter(_ actions: Int) {
    for number in 0..<actions {
      // The last action comes after all others, and its flush makes them durable, as in a program that runs for a
      // while.
      if number == actions - 1 { flush() }
      store.dispatch(.enter(account: number % 100, amount: number))
    }
    flush()
  }
}

/// A table of records in a file.
private final class StoredLibrary: Sendable {
  private static let table = Persisted(\EntityTable<StoredVolume>.self, as: "volumes", coding: .binary)
  private let folder = TemporaryFolder()
  private let storage: Storage
  private let store: StoreFactory<EntityTable<StoredVolume>, Int>

  init(_ count: Int) {
    storage = folder.storage()
    let records = (0..<count).map(StoredVolume.init)
    _ = waiting { [storage] in try await storage.load(into: [], [Self.table]) }
    store = StoreFactory(
      initialState: try! EntityTable(records),
      settings: TreeSettings(monitors: [storage.saving([Self.table])])
    ) {
      table, id in
      table[id]?.copies &+= 1
    }
    save(id: 0)
  }

  private func save(id: Int) {
    store.dispatch(id)
    waiting { [storage] in try await storage.flush() }
  }

  func bytesOfOneChange() -> Double {
    let before = folder.size
    save(id: store.state.count / 2)
    return Double(folder.size - before)
  }

  func millisecondsToOpen() -> Double {
    nanoseconds(perOperationOf: 1_000_000) {
      let state = try! Storage.read(at: folder.url, into: [], [Self.table]).state
      precondition(state.count == store.state.count)
    }
  }
}

private struct StoredVolume: Identifiable, Codable, Sendable {
  let id: Int
  var title: String
  var copies: Int

  init(_ number: Int) {
    id = number
    title = "volume \(number)"
    copies = number
  }
}
