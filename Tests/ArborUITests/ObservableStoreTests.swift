import Arbor
import ArborTesting
import ArborUI
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Observable store")
struct ObservableStoreTests {
  private struct Address: Equatable, Sendable {
    var city = "London"
    var residents = 1
  }

  private struct Person: Sendable {
    var name = "Ada"
    var count = 0
    var tags = [Object()]
    var address = Address()
    var weight = Weight()

    /// Computed from one part of two.
    var initial: Character { name.first ?? "?" }
  }

  /// Reports each comparison.
  private struct Weight: Equatable, Sendable {
    let comparisons = RecordedValues<Void>()
    var grams = 0

    static func == (left: Weight, right: Weight) -> Bool {
      left.comparisons.append(())
      return left.grams == right.grams
    }
  }

  private enum Change: Sendable {
    case rename(String)
    case count
    case weigh
    case move(String)
    case moveIn
    case removeTags
  }

  let executor = ManualExecutor()

  private func factory() -> StoreFactory<Person, Change> {
    StoreFactory(initialState: Person(), settings: TreeSettings(executor: executor)) { person, change in
      switch change {
      case .rename(let name): person.name = name
      case .count: person.count += 1
      case .weigh: person.weight.grams += 1
      case .move(let city): person.address.city = city
      case .moveIn: person.address.residents += 1
      case .removeTags: person.tags = []
      }
    }
  }

  /// Reads once, and counts the changes of the read parts.
  private func track(_ read: () -> Void) -> RecordedValues<Void> {
    let changes = RecordedValues<Void>()
    withObservationTracking(read) { changes.append(()) }
    return changes
  }

  private func send(_ change: Change, to store: ObservableStore<Person, Change>) {
    store.dispatchAndWait(change)
  }

  @Test func `a reader of a part is notified when the part changes, and of no other change`() {
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

  @Test func `readers of computed parts are notified when the value changes`() {
    let factory = factory()
    let observable = factory.observable()
    let initial = track { _ = observable.initial }
    send(.rename("Alan"), to: observable)
    #expect(initial.values.isEmpty)
    send(.rename("Grace"), to: observable)
    #expect(initial.values.count == 1)
    #expect(observable.initial == "G")
  }

  @Test func `readers of the whole state or of parts that cannot be compared are notified of each step`() {
    let factory = factory()
    let observable = factory.observable()
    let tags = track { _ = observable.tags }
    let state = track { _ = observable.state }
    send(.count, to: observable)
    #expect(tags.values.count == 1 && state.values.count == 1)
  }

  @Test func `the first delivery does not count as a step`() {
    let factory = factory()
    let observable = factory.observable()
    let tags = track { _ = observable.tags }
    executor.run()
    #expect(tags.values.isEmpty)
    send(.count, to: observable)
    #expect(tags.values.count == 1)
  }

  @Test func `a reader of a deep part is notified of its changes, one of a shallow part of all changes in it`() {
    let factory = factory()
    let observable = factory.observable()
    let deep = track { _ = observable[\.address.city] }
    let shallow = track { _ = observable.address.city }
    send(.count, to: observable)
    #expect(deep.values.isEmpty && shallow.values.isEmpty)
    send(.moveIn, to: observable)
    #expect(deep.values.isEmpty && shallow.values.count == 1)
    send(.move("Paris"), to: observable)
    #expect(deep.values.count == 1)
    #expect(observable[\.address.city] == "Paris")
  }

  @Test func `reads in generic code are notified like reads by concrete types`() {
    func read<Value>(_ keyPath: KeyPath<Person, Value>, of observable: ObservableStore<Person, Change>) -> Value {
      observable[keyPath]
    }
    let factory = factory()
    let observable = factory.observable()
    let generic = track { _ = read(\.name, of: observable) }
    let typed = track { _ = observable.name }
    send(.count, to: observable)
    #expect(generic.values.isEmpty && typed.values.isEmpty)
    send(.rename("Grace"), to: observable)
    #expect(generic.values.count == 1 && typed.values.count == 1)
  }

  @Test func `all readers of a part are notified once, however often they read and however many parts change`() {
    let factory = factory()
    let observable = factory.observable()
    let first = track {
      for _ in 1...3 { _ = (observable.name, observable.initial, observable.tags) }
    }
    let second = track { _ = observable.name }
    send(.rename("Grace"), to: observable)
    send(.rename("Ada"), to: observable)
    #expect(first.values.count == 1 && second.values.count == 1)
  }

  @Test func `a tracked part is compared once per delivery, and an untracked one never`() {
    let factory = factory()
    let observable = factory.observable()
    let comparisons = observable.weight.comparisons
    send(.count, to: observable)
    #expect(comparisons.values.isEmpty)
    let first = track { _ = observable.weight }
    let second = track { _ = observable.weight }
    send(.count, to: observable)
    #expect(comparisons.values.count == 1)
    send(.weigh, to: observable)
    #expect(comparisons.values.count == 2)
    #expect(first.values.count == 1 && second.values.count == 1)
    send(.weigh, to: observable)
    #expect(comparisons.values.count == 2)
  }

  @Test func `a part that no reader tracks may be missing in the next state`() {
    let factory = factory()
    let observable = factory.observable()
    _ = observable[\.tags[0]]
    let tag = track { _ = observable[\.tags[0]] }
    send(.count, to: observable)
    #expect(tag.values.count == 1)
    send(.removeTags, to: observable)
    #expect(observable.tags.isEmpty)
  }

  @Test func `a reader is notified once, before the change, and again after it has read again`() {
    let factory = factory()
    let observable = factory.observable()
    let seen = RecordedValues<Int>()
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

  @Test func `steps on other threads deliver the latest state`() {
    let factory = factory()
    let observable = factory.observable()
    for _ in 1...3 { factory.rootStore().dispatch(.count) }
    #expect(observable.count == 0)
    executor.run()
    #expect(observable.count == 3)
  }

  @Test func `an action sent in a notification arrives after the change`() {
    let factory = factory()
    let observable = factory.observable()
    withObservationTracking {
      _ = observable.name
    } onChange: {
      MainActor.assumeIsolated {
        observable.dispatchAndWait(.count)
        #expect(observable.name == "Ada" && observable.count == 0)
      }
    }
    let count = track { _ = observable.count }
    send(.rename("Grace"), to: observable)
    #expect(observable.name == "Grace" && observable.count == 1)
    #expect(count.values.count == 1)
  }

  @Test func `stores, scopes, objects and closure-backed stores are observable if there is a state`() {
    let factory = factory()
    let object = factory.childStore(initialState: 1) { (count: inout Int, _: Change) in count += 1 }
    let child = object.observable()
    object.dispatchAndWait(.count)
    #expect(child?[\.1] == 2)
    #expect(factory.scopeStore(to: \.address).observable()?.city == "London")
    #expect(factory.scopeStore(toOptional: { $0.count > 1 ? $0.count : nil }).observable() == nil)
    let byHand = Store<Int, Int>(dispatch: { _ in }, subscribe: { observer in observer.send(1) })
    #expect(byHand.observable()?.state == 1)
  }

  @Test(.reports("used after its owner was released"))
  func `an observable keeps nothing alive, is kept by nothing, and keeps the last state`() {
    let freed = RecordedValues<String>()
    var factory: StoreFactory<Person, Change>?
    do {
      let object = Object { freed.append("reducer") }
      factory = StoreFactory(initialState: Person(), settings: TreeSettings(executor: executor)) { person, _ in
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

  @Test func `a change arrives on the real queues`() async {
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
    await observable.dispatchAndWait(.count)
    #expect(observable.count == 2)
  }
}
