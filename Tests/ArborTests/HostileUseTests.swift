import Arbor
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Legal use that once broke laws: subscriptions, releases and derived values at unusual moments.
@Suite("Hostile use")
struct HostileUseTests {
  private struct Pair: Equatable, Sendable {
    var a = 0
    var b = 0
  }

  let executor = ManualExecutor()

  // MARK: Subscriptions

  @Test(arguments: [false, true])
  func `O2, N2, N6 an observer ended by an action and subscribed after it receives it and all later ones`(
    inside: Bool
  ) {
    let factory = StoreFactory.appending(on: executor)
    let store = factory.rootStore()
    let seen = RecordedValues<Int>()
    let ending = Observer<[Int]> { state in
      seen.append(state.count)
      return seen.values == [0, 1, 2] ? .dead : .active
    }
    store.subscribe(observer: ending)
    let repeating: @Sendable () -> Void = {
      store.dispatch(1)
      store.subscribe(observer: ending)
    }
    if inside {
      store.subscribe(
        observer: Observer { state in
          if state == [7] { repeating() }
          return .active
        })
      store.dispatch(7)
    } else {
      store.dispatch(7)
      repeating()
    }
    executor.run()
    store.dispatch(2)
    executor.run()
    #expect(seen.values == [0, 1, 2, 2, 3])
  }

  @Test func `an observation stored for as long as its source lives ends when it is canceled`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    let subscription = factory.observe { seen.append($0.count) }
    subscription.storeWhileSourceActive()
    executor.run()
    subscription.cancel()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [0])
  }

  @Test func `N2 an optional scope that was nil has no first state to skip, even for a child below it`() {
    let factory = StoreFactory<Int?, Int>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let scope = factory.scopeStore(toOptional: { $0 })
    let child = scope.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in })
    let seen = RecordedValues<String>()
    let subscriptions = [
      scope.observe(initial: false) { seen.append("scope \($0)") },
      child.observe(initial: false) { seen.append("child \($0)") },
    ]
    executor.run()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == ["scope 1", "child 1"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `O1 an optional scope that becomes nil and back never delivers its latest state twice at once`() {
    let factory = StoreFactory<Int?, Int?>(initialState: 0, reducer: { $0 = $1 })
    let (seen, last) = (RecordedValues<Int>(), DispatchSemaphore(value: 0))
    let subscription = factory.scopeStore(toOptional: { $0 })
      .observe(initial: false, on: .latest(on: .global())) { state in
        seen.append(state)
        if state == 1_000 { last.signal() }
      }
    for number in 1...1_000 {
      factory.rootStore().dispatch(nil)
      factory.rootStore().dispatch(number)
    }
    last.wait()
    #expect(seen.values == seen.values.sorted())
    withExtendedLifetime(subscription) {}
  }

  @Test func `L5, N3 a child released in the step before a waiting call is not mapped in its step`() {
    let mapped = RecordedValues<Int>()
    let factory = StoreFactory.appending(on: executor)
    let other = StoreFactory.appending(on: executor)
    let objects = RecordedValues<StoreObject<Int, Int>>()
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, _ in
        mapped.append(root.count)
        return root.count
      },
      reducer: { _, _ in }
    )
    objects.append(child)
    withExtendedLifetime(consume child) {}
    objects.values[0].subscribe(observer: Observer { _ in .active })
    executor.run()
    mapped.removeAll()
    // Release it as on another thread, while the tree is busy.
    factory.rootStore().subscribe(
      observer: Observer { state in
        if state == [1] { Tree.asOtherThread { objects.removeAll() } }
        return .active
      }
    )
    executor.run()
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatchAndWait(2)
    #expect(mapped.values == [1])
    withExtendedLifetime(other) {}
  }

  // MARK: Derived values

  @Test func `N2 a delivery between a step's observers and its derived values delivers no value twice`() {
    let executor = InterruptedExecutor()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      qos: .utility,
      settings: TreeSettings(executor: executor)
    ) { $0 += $1 }
    let seen = RecordedValues<Int>()
    let derived = factory.derived { $0 }
    let subscription = derived.observe(on: .latest(on: .global())) { seen.append($0) }
    executor.run()
    factory.rootStore().dispatch(1)
    executor.stepMailbox()
    // One delivery is already waiting when the next step settles.
    factory.rootStore().dispatch(1)
    executor.interruption = executor.runDeliveries
    executor.stepMailbox()
    executor.run()
    #expect(seen.values == [0, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func `N1 a combination made in an observer does not mix two states`() {
    let factory = StoreFactory<Pair, Int>(initialState: Pair(), settings: TreeSettings(executor: executor)) {
      state, action in
      state.a += action
      state.b += action
    }
    let store = factory.rootStore()
    let a = factory.derived(\.a)
    let seen = RecordedValues<[Int]>()
    let made = RecordedValues<Derived<(Int, Int)>>()
    store.subscribe(
      observer: Observer { state in
        let late = store.derived(\.b)!
        let both = Derived.combined(a, late)
        made.append(both)
        seen.append([state.a, a.value, both.value.0, both.value.1])
        return .active
      }
    )
    let b = factory.derived(\.b)
    let second = store.observe(initial: false) { _ in
      let both = Derived.combined(a, b)
      seen.append([both.value.0, both.value.1])
    }
    executor.run()
    store.dispatch(1)
    executor.run()
    #expect(seen.values == [[0, 0, 0, 0], [1, 1, 1, 1], [1, 1]])
    store.dispatch(1)
    executor.run()
    #expect(made.values.allSatisfy { $0.value == (2, 2) })
    withExtendedLifetime(second) {}
  }

  @Test func `N3 a state mapping runs once in a step in which a declaration of effects makes a derived value`() {
    let stores = RecordedValues<Store<Int, Int>>()
    let values = RecordedValues<Derived<Int>>()
    let effects: @Sendable (Int, Int) -> Effect<Int> = { _, _ in
      values.append(stores.values[0].derived { $0 }!)
      return .none
    }
    let factory = StoreFactory(
      initialState: 0,
      feature: Feature(effects: effects) { state, action in
        state += action
      },
      settings: TreeSettings(executor: executor)
    )
    stores.append(factory.rootStore())
    let mapped = RecordedValues<Int>()
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { state, _ in
        mapped.append(state)
        return state
      },
      reducer: { _, _ in }
    )
    let seen = RecordedValues<Int>()
    let subscription = child.observe { seen.append($0) }
    let value = child.derived { $0 }!
    executor.run()
    mapped.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(mapped.values == [1])
    #expect(seen.values == [0, 1])
    #expect(value.value == 1)
    subscription.cancel()
  }

  @Test
  func `W1 a value derived from a child in the callback that makes the child is updated in the same step`() {
    let stores = RecordedValues<Store<Int, Int>>()
    let children = RecordedValues<StoreObject<Int, Int>>()
    let values = RecordedValues<Derived<Int>>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in
        guard children.values.isEmpty else { return }
        let child = stores.values[0].childStore(
          initialState: 0, stateMapping: { state, _ in state }, reducer: { _, _ in })
        children.append(child)
        values.append(child.derived { $0 }!)
      },
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    stores.append(factory.rootStore())
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(values.values.map(\.value) == [1])
    stores.removeAll()
    children.removeAll()
  }

  @Test func `N1 a combination made while effects are declared does not mix two states`() {
    let stores = RecordedValues<Store<Pair, Int>>()
    let olds = RecordedValues<Derived<Int>>()
    let seen = RecordedValues<[Int]>()
    let effects: @Sendable (Pair, Int) -> Effect<Int> = { _, _ in
      let both = Derived.combined(olds.values[0], stores.values[0].derived(\.b)!)
      seen.append([both.value.0, both.value.1])
      return .none
    }
    let factory = StoreFactory(
      initialState: Pair(),
      feature: Feature(effects: effects) { state, action in
        state.a += action
        state.b += action
      },
      settings: TreeSettings(executor: executor)
    )
    stores.append(factory.rootStore())
    olds.append(factory.derived(\.a))
    factory.rootStore().dispatch(1)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(seen.values == [[1, 1], [2, 2]])
    stores.removeAll()
  }

  @Test(arguments: [false, true])
  func `W1 a commit of a released closure to another tree is combined before the waiting call returns`(commits: Bool) {
    for _ in 1...200 {
      let (a, b) = (CommitStore(initialState: 0), CommitStore(initialState: 0))
      let both = Derived.combined(a.derived { $0 }, b.derived { $0 })
      do {
        let object = Object { b.commit { $0 += 10 } }
        let ending = Observer<Int> { state in withExtendedLifetime(object) { state == 0 ? .active : .dead } }
        a.rootStore().subscribe(observer: ending)
      }
      if commits { a.commit { $0 += 1 } } else { a.rootStore().dispatchAndWait(Mutation { $0 += 1 }) }
      #expect(both.value == (1, 10))
    }
  }
}
