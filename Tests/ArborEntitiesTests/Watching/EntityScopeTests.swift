import Arbor
import ArborEntities
import ArborTesting
import Testing

@Suite("Stores of records")
struct EntityScopeTests {
  enum Action: Equatable, Sendable {
    case scroll(Scroll.ID, ScrollAction)
    case remove(Scroll.ID)
  }

  enum ScrollAction: Equatable, Sendable {
    case retitle(String)
  }

  private func factory(_ executor: ManualExecutor) -> StoreFactory<Shelves, Action> {
    StoreFactory(initialState: Shelves.store().state, settings: TreeSettings(executor: executor)) { state, action in
      switch action {
      case .scroll(let id, .retitle(let title)): try? state.scrolls.update(id) { $0.title = title }
      case .remove(let id): state.scrolls.remove(id)
      }
    }
  }

  @Test func `a row's actions contain the id of its record, and its state is the record`() {
    let factory = factory(ManualExecutor())
    let row = factory.scope(entity: 1, in: \.scrolls, action: Action.scroll)
    row.dispatch(.retitle("changed"))
    #expect(row.state?.title == "changed")
    #expect(factory.state.scrolls[1]?.title == "changed")
    #expect(factory.scope(entity: 2, in: \.scrolls).state?.title == "scroll 2")
  }

  @Test func `after the record is removed, its store is silent, but still sends actions`() {
    let executor = ManualExecutor()
    let factory = factory(executor)
    let row = factory.rootStore().scope(entity: 1, in: \.scrolls, action: Action.scroll)
    let told = Told<String>()
    row.subscribe(
      observer: Observer { scroll in
        told.append(scroll.title)
        return .active
      }
    )
    factory.rootStore().dispatch(.remove(1))
    row.dispatch(.retitle("for nobody"))
    executor.run()
    #expect(told.values == ["scroll 1"])
    #expect(row.state == nil)
    #expect(factory.state.scrolls.count == 2)
  }

  @Test func `the tasks of a row are canceled in the step that removes its record`() async {
    let executor = ManualExecutor()
    let factory = factory(executor)
    let row = factory.scope(entity: 1, in: \.scrolls, action: Action.scroll)
    let other = factory.scope(entity: 2, in: \.scrolls, action: Action.scroll)
    let clock = TestClock()
    for store in [row, other] {
      store.task(key: "rename") { dispatch in
        try await clock.sleep(for: .seconds(1))
        dispatch(.retitle("late"))
      }
    }
    executor.run()
    factory.rootStore().dispatch(.remove(1))
    executor.run()
    #expect(!row.isRunning("rename"))
    #expect(other.isRunning("rename"))
    clock.advance(by: .seconds(1))
    await other.settled()
    #expect(factory.state.scrolls[2]?.title == "late")
    #expect(factory.state.scrolls[1] == nil)
  }

  @Test func `F4 all scopes of a record have the same keys, which are reached from above by its place`() {
    let (executor, clock) = (ManualExecutor(), TestClock())
    let factory = factory(executor)
    for id in 1...2 {
      factory.scope(entity: Scroll.ID(id), in: \.scrolls, action: Action.scroll).task(key: "work") { _ in
        try await clock.sleep(for: .seconds(1))
      }
    }
    executor.run()
    let row = factory.scope(entity: 1, in: \.scrolls, action: Action.scroll)
    let other = factory.scope(entity: 2, in: \.scrolls, action: Action.scroll)
    #expect(row.isRunning("work"))
    factory.cancel("work", at: .element(Scroll.ID(1), of: \.scrolls))
    executor.run()
    #expect(!row.isRunning("work"))
    #expect(other.isRunning("work"))
    other.cancel("work")
    executor.run()
    withExtendedLifetime(factory) {}
  }
}
