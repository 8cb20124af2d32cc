import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Store drivers")
struct StoreDriverTests {
  struct Counter: Sendable, Equatable {
    var count = 0
    var title = ""
  }

  enum CounterAction: Sendable {
    case increment
  }

  /// A typical view model: on the main actor, with a property that is not sendable next to the store.
  @MainActor
  final class Model: StoreDriver {
    let store: Store<Counter, Mutation<Counter>>
    var text = "typed"

    init(store: Store<Counter, Mutation<Counter>>) {
      self.store = store
    }

    func save() -> Int? {
      commit { state in
        state.title = text
        return state.title.count
      }
    }
  }

  /// On the main actor, and owns the store that it drives.
  @MainActor
  final class Owner: StoreDriver {
    private let owner = CommitStore(initialState: Counter())
    nonisolated var store: Store<Counter, Mutation<Counter>> { owner.rootStore() }
  }

  /// A struct that is not sendable.
  struct Service: StoreDriver {
    final class Cache {
      var hits = 0
    }

    let store: Store<Counter, CounterAction>
    let cache = Cache()

    func tick() {
      cache.hits += 1
      dispatch(.increment)
    }
  }

  @Test @MainActor func `a view model commits, and can be observed like its store`() async throws {
    let owner = CommitStore(initialState: Counter())
    let model = Model(store: owner.rootStore())
    let titles = RecordedValues<String>()
    let subscription = model.observe(removeDuplicates: .by(\.title)) { state in titles.append(state.title) }
    let count = model.derived(\.count)
    let isEmpty = model.derived { $0.title.isEmpty }
    #expect(isEmpty?.value == true)
    #expect(model.save() == 5)
    model.commitLater { $0.count = 7 }
    #expect(model.state == Counter(count: 7, title: "typed"))
    #expect(count?.value == 7)
    #expect(isEmpty?.value == false)
    #expect(titles.values == ["", "typed"])
    for await state in model.states() {
      #expect(state.count == 7)
      break
    }
    withExtendedLifetime(subscription) {}
  }

  @Test @MainActor func `a driver on the main actor may own its store, and receives the activities that it emits`() {
    let driver = Owner()
    let heard = RecordedValues<String>()
    let subscription = driver.observe(activities: String.self) { heard.append($0) }
    driver.commit { $0.count = 3 }
    driver.emit("three")
    #expect(driver.state?.count == 3)
    #expect(heard.values == ["three"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a service dispatches, starts tasks and emits`() async throws {
    let owner = StoreFactory<Counter, CounterAction>(initialState: Counter()) { state, _ in state.count += 1 }
    let service = Service(store: owner.rootStore())
    let heard = RecordedValues<String>()
    let listening = owner.observe(activities: String.self) { heard.append($0) }
    service.tick()
    service.emit("ticked")
    let task = service.task(key: "more") { dispatch in
      dispatch(.increment)
      return 4
    }
    #expect(try await task.value == 4)
    #expect(service.state?.count == 2)
    #expect(service.cache.hits == 1)
    #expect(heard.values == ["ticked"])
    withExtendedLifetime(listening) {}
  }

  @Test(.reports("used after its owner was released")) func `L4 a driver whose store is gone does nothing`() {
    let service: Service
    do {
      let owner = StoreFactory<Counter, CounterAction>(initialState: Counter()) { state, _ in state.count += 1 }
      service = Service(store: owner.rootStore())
    }
    service.tick()
    #expect(service.state == nil)
    #expect(service.derived(\.count) == nil)
  }
}
