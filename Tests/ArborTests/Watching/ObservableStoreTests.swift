import Arbor
import ArborTesting
import Observation
import Testing

@MainActor
@Suite("Observable store")
struct ObservableStoreTests {
  private struct Person: Sendable {
    var name = "Ada"
    var count = 0
    var tags: [Object] = []

    /// Computed from one part of two.
    var initial: Character { name.first ?? "?" }
  }

  private enum Change: Sendable {
    case rename(String)
    case count
  }

  let executor = ManualExecutor()

  private func factory() -> StoreFactory<Person, Change> {
    StoreFactory(initialState: Person(), executor: executor) { person, change in
      switch change {
      case .rename(let name): person.name = name
      case .count: person.count += 1
      }
    }
  }

  /// Reads once, and counts the changes of what was read.
  private func track(_ read: () -> Void) -> Recorder<Void> {
    let changes = Recorder<Void>()
    withObservationTracking(read) { changes.append(()) }
    return changes
  }

  private func send(_ change: Change, to store: ObservableStore<Person, Change>) {
    store.dispatchAndWait(change)
  }

  @Test func `who reads a part is told when it changes, and of no other`() {
    let factory = factory()
    let observable = factory.observable()
    let count = track { _ = observable.count }
    let name = track { _ = observable.name }
    send(.rename("Grace"), to: observable)
    #expect(count.values.isEmpty)
    #expect(name.values.count == 1)
    #expect(observable.name == "Grace")
    send(.count, to: observable)
    #expect(count.values.count == 1)
  }

  @Test func `computed parts are told of when their value changes`() {
    let factory = factory()
    let observable = factory.observable()
    let initial = track { _ = observable.initial }
    send(.rename("Alan"), to: observable)
    #expect(initial.values.isEmpty)
    send(.rename("Grace"), to: observable)
    #expect(initial.values.count == 1)
    #expect(observable.initial == "G")
  }

  @Test func `parts that cannot be compared, and the whole state, are told of with each step`() {
    let factory = factory()
    let observable = factory.observable()
    let tags = track { _ = observable.tags }
    let state = track { _ = observable.state }
    send(.count, to: observable)
    #expect(tags.values.count == 1 && state.values.count == 1)
  }

  @Test func `a change is told once, before it is made, and reading again is told of the next`() {
    let factory = factory()
    let observable = factory.observable()
    let seen = Recorder<Int>()
    withObservationTracking {
      _ = observable.count
    } onChange: {
      MainActor.assumeIsolated { seen.append(observable.count) }
    }
    send(.count, to: observable)
    send(.count, to: observable)
    #expect(seen.values == [0])
    let again = track { _ = observable.count }
    send(.count, to: observable)
    #expect(again.values.count == 1)
    #expect(observable.count == 3)
  }

  @Test func `steps on other threads arrive with the latest state`() {
    let factory = factory()
    let observable = factory.observable()
    for _ in 1...3 { factory.rootStore().dispatch(.count) }
    #expect(observable.count == 0)
    executor.run()
    #expect(observable.count == 3)
  }

  @Test func `it keeps nothing alive, nothing keeps it alive, and it keeps the last state`() {
    let freed = Recorder<String>()
    var factory: StoreFactory<Person, Change>?
    do {
      let object = Object { freed.append("reducer") }
      factory = StoreFactory(initialState: Person(), executor: executor) { person, _ in
        withExtendedLifetime(object) { person.count += 1 }
      }
    }
    var observable: ObservableStore<Person, Change>? = factory?.observable()
    let store = factory?.rootStore()
    weak let other = factory?.observable()
    executor.run()
    #expect(other == nil)
    send(.count, to: observable!)
    factory = nil
    #expect(freed.values == ["reducer"])
    #expect(observable?.count == 1)
    #expect(store?.observable() == nil)
    weak let released = observable
    observable = nil
    executor.run()
    #expect(released == nil)
  }

  @Test func `on the real queues a change arrives`() async {
    let factory = StoreFactory<Person, Change>(initialState: Person()) { person, _ in person.count += 1 }
    let observable = factory.observable()
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = observable.count
      } onChange: {
        continuation.resume()
      }
      factory.rootStore().dispatch(.count)
    }
    await factory.rootStore().dispatchAndWait(.count)
    #expect(observable.count == 2)
  }
}
