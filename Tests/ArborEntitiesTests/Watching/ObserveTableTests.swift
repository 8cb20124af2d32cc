import Arbor
import ArborEntities
import ArborTesting
import Dispatch
import Testing

@Suite("Observed tables")
struct ObserveTableTests {
  let executor = ManualExecutor()

  @Test func `an observer of a table receives the difference in each step that changes it`() {
    let factory = Shelves.store(executor: executor)
    let told = Told<EntityDifference<Scroll.ID>>()
    let subscription = factory.observe(table: \.scrolls) { changes in told.append(changes.difference()) }
    let store = factory.rootStore()
    store.dispatch(Mutation { $0.steps += 1 })
    store.dispatch(
      Mutation { shelves in
        shelves.scrolls.remove(0)
        try! shelves.scrolls.insert(Scroll(id: 9, title: "ninth", scribe: "ada"))
        try! shelves.scrolls.update(2) { $0.title = "changed" }
      }
    )
    executor.run()
    #expect(
      told.values == [
        EntityDifference(inserted: [0, 1, 2]), EntityDifference(inserted: [9], removed: [0], updated: [2]),
      ]
    )
    subscription.cancel()
  }

  @Test func `the first table can be skipped, and counts as delivered`() {
    let factory = Shelves.store(executor: executor)
    let told = Told<EntityDifference<Scroll.ID>>()
    let subscription = factory.observe(table: \.scrolls, initial: false) { told.append($0.difference()) }
    factory.rootStore().dispatch(Mutation { $0.scrolls.remove(1) })
    executor.run()
    #expect(told.values == [EntityDifference(removed: [1])])
    subscription.cancel()
  }

  @Test func `if tables are skipped, the difference is from the last delivered one`() {
    let factory = Shelves.store(executor: executor)
    let told = Told<EntityDifference<Scroll.ID>>()
    let queue = DispatchQueue(label: "a test's")
    let subscription = factory.observe(table: \.scrolls, initial: false, on: .latest(on: queue)) {
      told.append($0.difference())
    }
    executor.run()
    factory.rootStore().dispatch(
      batch: [0, 1].map { id in Mutation { try! $0.scrolls.update(id) { $0.title = "changed" } } }
    )
    factory.rootStore().dispatch(Mutation { $0.scrolls.remove(1) })
    executor.run()
    let all = told.values
    #expect(Set(all.flatMap(\.removed)) == [1])
    #expect(all.last?.inserted == [])
    subscription.cancel()
  }

  @Test @MainActor func `on the main actor the latest table is delivered with its difference`() {
    let factory = Shelves.store(executor: executor)
    let told = Told<EntityDifference<Scroll.ID>>()
    let subscription = factory.observe(table: \.scrolls, initial: false, on: .main) { told.append($0.difference()) }
    executor.run()
    factory.rootStore().dispatch(Mutation { $0.scrolls.remove(1) })
    executor.run()
    #expect(told.values == [EntityDifference(removed: [1])])
    subscription.cancel()
  }
}
