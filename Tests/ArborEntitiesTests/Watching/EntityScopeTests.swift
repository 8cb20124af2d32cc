import Arbor
import ArborEntities
import ArborTesting
import Testing

@Suite("Stores of records")
struct EntityScopeTests {
  enum Action: Equatable, Sendable {
    case volume(Volume.ID, VolumeAction)
    case remove(Volume.ID)
  }

  enum VolumeAction: Equatable, Sendable {
    case retitle(String)
  }

  private func factory(_ executor: ManualExecutor) -> StoreFactory<Shelves, Action> {
    StoreFactory(initialState: Shelves.store().state, executor: executor) { state, action in
      switch action {
      case .volume(let id, .retitle(let title)): try? state.volumes.update(id) { $0.title = title }
      case .remove(let id): state.volumes.remove(id)
      }
    }
  }

  @Test func `a row's actions carry the id of its record, and its state is the record`() {
    let factory = factory(ManualExecutor())
    let row = factory.scopeStore(entity: 1, in: \.volumes, action: Action.volume)
    row.dispatch(.retitle("changed"))
    #expect(row.state?.title == "changed")
    #expect(factory.state.volumes[1]?.title == "changed")
    #expect(factory.scopeStore(entity: 2, in: \.volumes).state?.title == "volume 2")
  }

  @Test func `once the record is gone its store is silent, and sends all the same`() {
    let executor = ManualExecutor()
    let factory = factory(executor)
    let row = factory.rootStore().scope(entity: 1, in: \.volumes, action: Action.volume)
    let told = Told<String>()
    row.subscribe(
      observer: Observer { volume in
        told.append(volume.title)
        return .active
      }
    )
    factory.rootStore().dispatch(.remove(1))
    row.dispatch(.retitle("for nobody"))
    executor.run()
    #expect(told.values == ["volume 1"])
    #expect(row.state == nil)
    #expect(factory.state.volumes.count == 2)
  }

  @Test func `the tasks of a row are cancelled in the step that removes its record`() async {
    let executor = ManualExecutor()
    let factory = factory(executor)
    let row = factory.scopeStore(entity: 1, in: \.volumes, action: Action.volume)
    let other = factory.scopeStore(entity: 2, in: \.volumes, action: Action.volume)
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
    await other.tasksFinished()
    #expect(factory.state.volumes[2]?.title == "late")
    #expect(factory.state.volumes[1] == nil)
  }

  @Test func `stores of all rows of a long list cost nothing until they are used`() {
    let factory = Shelves.store(volumes: 10_000)
    let rows = factory.state.volumes.ids.map { factory.scopeStore(entity: $0, in: \.volumes) }
    #expect(rows[9_999].state?.title == "volume 9999")
    #expect(factory.rootStore().memberFeedCount == 0)
  }
}
