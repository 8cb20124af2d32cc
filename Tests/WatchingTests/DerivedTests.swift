import Arbor
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Derived")
struct DerivedTests {
  let executor = ManualExecutor()

  private func numbers(_ state: (Int, Int) = (0, 0)) -> StoreFactory<(Int, Int), (Int, Int)> {
    StoreFactory(initialState: state, settings: TreeSettings(executor: executor)) { state, action in
      state = (state.0 + action.0, state.1 + action.1)
    }
  }

  @Test func `a derived value exists as soon as it is made, after everything accepted before`() {
    let factory = numbers((1, 2))
    factory.rootStore().dispatch((1, 0))
    let sum = factory.derived { $0.0 + $0.1 }
    #expect(sum.value == 4)
    factory.rootStore().dispatch((5, 5))
    #expect(sum.value == 4)
    executor.run()
    #expect(sum.value == 14)
  }

  @Test func `its observers receive the value and every different one, and no equal one`() {
    let factory = numbers()
    let first = factory.derived { $0.0 }
    let seen = RecordedValues<Int>()
    let subscription = first.observe { (value: Int) in seen.append(value) }
    for action in [(1, 0), (0, 1), (0, 0), (2, 1)] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(seen.values == [0, 1, 3])
    subscription.cancel()
    factory.rootStore().dispatch((1, 1))
    executor.run()
    #expect(seen.values == [0, 1, 3])
    #expect(first.value == 4)
  }

  @Test func `a comparison defines different values, even of types that are not Equatable`() {
    struct Drawing: Sendable {
      var width: Int
      var draw: @Sendable () -> Int
    }
    let factory = numbers()
    let drawing = factory.derived(
      { state in
        Drawing(width: state.0) { state.1 }
      }, removeDuplicates: .by(\.width))
    let each = factory.derived(\.0, removeDuplicates: .never)
    let wide = drawing.derived({ drawing in (drawing.width > 1, drawing.draw()) }, removeDuplicates: .by(\.0))
    let (seen, counted, widths) = (RecordedValues<Int>(), RecordedValues<Int>(), RecordedValues<Int>())
    let subscriptions = [
      drawing.observe { (drawing: Drawing) in seen.append(drawing.draw()) },
      each.observe { (value: Int) in counted.append(value) },
      wide.observe { (value: (Bool, Int)) in widths.append(value.1) },
    ]
    for action in [(0, 7), (1, 1), (1, 1)] { factory.rootStore().dispatchAndWait(action) }
    #expect(seen.values == [0, 8, 9])
    #expect(counted.values == [0, 0, 1, 2])
    #expect(widths.values == [0, 9])
    #expect(drawing.value.width == 2)
    #expect(factory.rootStore().derived(\.1, removeDuplicates: .always)?.value == 9)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a selector can be derived, and is computed for each derived value when its inputs change`() {
    struct State: Sendable {
      var numbers = [3, 1, 2]
      var steps = 0
    }
    let computations = RecordedValues<[Int]>()
    let sorted = StateSelector(\State.numbers) { numbers in
      computations.append(numbers)
      return numbers.sorted()
    }
    let factory = StoreFactory<State, Int?>(initialState: State(), settings: TreeSettings(executor: executor)) {
      state, action in
      state.steps += 1
      if let action { state.numbers.append(action) }
    }
    let (one, other) = (factory.derived(sorted), factory.rootStore().derived(sorted))
    for action in [nil, 0, nil] as [Int?] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(one.value == [0, 1, 2, 3] && other?.value == [0, 1, 2, 3])
    #expect(computations.values.count == 4, "twice for each")
  }

  @Test func `the observers of one step find every derived value up to date`() {
    let factory = numbers()
    let (first, second) = (factory.derived { $0.0 }, factory.derived { $0.1 })
    let sum = Derived.combined(first, second).derived { $0.0 + $0.1 }
    let seen = RecordedValues<[Int]>()
    let subscription = sum.observe { (value: Int) in seen.append([first.value, second.value, sum.value, value]) }
    factory.rootStore().dispatch((1, 2))
    executor.run()
    #expect(seen.values == [[0, 0, 0, 0], [1, 2, 3, 3]])
    subscription.cancel()
  }

  @Test func `a step that changes several inputs gives one new value, never a mixture`() {
    let factory = numbers((1, 1))
    let computations = RecordedValues<(Int, Int)>()
    let pair = Derived.combined(factory.derived { $0.0 }, factory.derived { $0.1 })
    let product = pair.derived { pair in
      computations.append(pair)
      return pair.0 * pair.1
    }
    let seen = RecordedValues<Int>()
    let subscription = product.observe { (value: Int) in seen.append(value) }
    for action in [(1, 1), (1, 0), (0, 0)] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(seen.values == [1, 4, 6])
    #expect(computations.values.map { [$0.0, $0.1] } == [[1, 1], [2, 2], [3, 2]])
    subscription.cancel()
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a diamond four levels deep on a random schedule agrees with its definition`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let factory = numbers()
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, own in root.0 + 10 * root.1 + 100 * own },
      reducer: { own, action in own += action.0 }
    )
    let left = factory.derived { $0.0 % 3 }
    let right = child.derived { $0 % 5 }!
    let pair = Derived.combined(left, right)
    let (sum, difference) = (pair.derived { $0.0 + $0.1 }, pair.derived { $0.0 - $0.1 })
    let top = Derived.combined(sum, difference, left, .constant(7))
    let seen = RecordedValues<[Int]>()
    let subscription = top.observe { (value: (Int, Int, Int, Int)) in
      seen.append([value.0, value.1, value.2, value.3])
    }
    executor.run()
    var (root, own) = ((0, 0), 0)
    func definition() -> [Int] {
      let (left, right) = (root.0 % 3, (root.0 + 10 * root.1 + 100 * own) % 5)
      return [left + right, left - right, left, 7]
    }
    var expected = [definition()]
    for _ in 1...200 {
      let action = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
      root = (root.0 + action.0, root.1 + action.1)
      if Bool.random(using: &random) {
        own += action.0
        child.dispatch(action)
      } else {
        factory.rootStore().dispatch(action)
      }
      if definition() != expected.last { expected.append(definition()) }
      if Bool.random(using: &random) { executor.run() }
    }
    executor.run()
    #expect(seen.values == expected, "seed \(seed)")
    subscription.cancel()
  }

  @Test func `values of different trees are combined as each arrives`() {
    let (one, two) = (numbers(), numbers())
    let pair = Derived.combined(one.derived { $0.0 }, two.derived { $0.0 })
    let seen = RecordedValues<[Int]>()
    let subscription = pair.observe { (pair: (Int, Int)) in seen.append([pair.0, pair.1]) }
    executor.run()
    one.rootStore().dispatch((1, 0))
    executor.run()
    two.rootStore().dispatch((2, 0))
    executor.run()
    #expect(seen.values == [[0, 0], [1, 0], [1, 2]])
    #expect(pair.value == (1, 2))
    subscription.cancel()
  }

  @Test func `values of trees on their own queues are combined, and the last is of the last states`() {
    let trees = (1...2).map { _ in StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 }) }
    let pair = Derived.combined(trees[0].derived { $0 }, trees[1].derived { $0 })
    let (seen, done) = (RecordedValues<[Int]>(), DispatchSemaphore(value: 0))
    let subscription = pair.observe { (pair: (Int, Int)) in
      seen.append([pair.0, pair.1])
      if pair == (1000, 1000) { done.signal() }
    }
    onThreads(2) { number in
      for _ in 1...1000 { trees[number].rootStore().dispatch(1) }
    }
    withExtendedLifetime(trees) { done.wait() }
    for index in 0...1 { #expect(seen.values.map { $0[index] } == seen.values.map { $0[index] }.sorted()) }
    subscription.cancel()
  }

  @Test func `a value derived only from constants delivers its value like a constant`() async {
    let doubled = Derived.constant(2).derived { $0 * 2 }
    let pair = Derived.combined(.constant(1), .constant("a"))
    #expect(await doubled.state { _ in true } == 4)
    #expect(await pair.state { _ in true }?.1 == "a")
    let seen = RecordedValues<Int>()
    let subscription = doubled.observe { (value: Int) in seen.append(value) }
    _ = await doubled.state { _ in true }
    #expect(seen.values == [4])
    subscription.cancel()
  }

  @Test func `a subscription stored after its observation has ended, or was refused, keeps no source`() {
    let executor = ManualExecutor()
    var factory: StoreFactory<Int, Int>? = StoreFactory(
      initialState: 0, settings: TreeSettings(executor: executor), reducer: { $0 += $1 })
    let derived = Protected(factory?.derived { $0 })
    weak let source = derived.withLock { $0 }
    let ended = source?.observe { _ in }
    executor.run()
    factory = nil
    executor.run()
    let refused = source?.observe { _ in }
    derived.withLock { $0 = nil }
    ended?.storeWhileSourceActive()
    #expect(source != nil)
    refused?.storeWhileSourceActive()
    #expect(source == nil)
    withExtendedLifetime((ended, refused)) {}
  }

  @Test func `a stored subscription to a constant delivers its value, however late its queue runs`() {
    for delivers in [StoreDelivery.each, { StoreDelivery.latest(on: $0) }] as [(DispatchQueue) -> StoreDelivery] {
      let (seen, done) = (RecordedValues<Int>(), DispatchSemaphore(value: 0))
      let (blocked, gate) = (DispatchQueue(label: "blocked"), DispatchSemaphore(value: 0))
      weak var source: Derived<Int>?
      blocked.async { gate.wait() }
      do {
        let constant = Derived.constant(7)
        source = constant
        constant.observe(on: delivers(blocked)) { (value: Int) in
          seen.append(value)
          done.signal()
        }
        .storeWhileSourceActive()
      }
      while source != nil { sched_yield() }
      gate.signal()
      // Times out only if the value is not delivered.
      #expect(done.wait(timeout: .now() + 60) == .success)
      #expect(seen.values == [7])
    }
  }

  @Test func `N4 a stored subscription to a released constant can be canceled before its delivery`() {
    for delivers in [StoreDelivery.each, { StoreDelivery.latest(on: $0) }] as [(DispatchQueue) -> StoreDelivery] {
      let seen = RecordedValues<Int>()
      let (blocked, gate) = (DispatchQueue(label: "blocked"), DispatchSemaphore(value: 0))
      weak var source: Derived<Int>?
      weak var object: RecordedValues<Int>?
      let token: StoreSubscription
      blocked.async { gate.wait() }
      do {
        let constant = Derived.constant(7)
        let held = RecordedValues<Int>()
        (source, object) = (constant, held)
        token = constant.observe(on: delivers(blocked)) { (value: Int) in
          held.append(value)
          seen.append(value)
        }
        token.storeWhileSourceActive()
      }
      while source != nil { sched_yield() }
      token.cancel()
      gate.signal()
      // The closure is released with the waiting delivery.
      while object != nil { sched_yield() }
      #expect(seen.values.isEmpty)
    }
  }

  @Test func `a constant never changes, and delivers its value`() {
    let constant = Derived.constant(1)
    let (seen, done) = (RecordedValues<Int>(), DispatchSemaphore(value: 0))
    let subscription = constant.observe { (value: Int) in
      seen.append(value)
      done.signal()
    }
    withExtendedLifetime(constant) { done.wait() }
    #expect(seen.values == [1] && constant.value == 1)
    subscription.cancel()
  }

  // MARK: Lifetime

  @Test func `a store does not keep a derived value, and a released one is no longer computed`() {
    let factory = numbers()
    let computations = RecordedValues<Int>()
    var value: Derived<Int>? = factory.derived { state in
      computations.append(state.0)
      return state.0
    }
    weak let dropped = value
    factory.rootStore().dispatch((1, 0))
    executor.run()
    #expect(value?.value == 1)
    value = nil
    #expect(dropped == nil)
    computations.removeAll()
    factory.rootStore().dispatch((1, 0))
    executor.run()
    #expect(computations.values.isEmpty)
  }

  @Test func `a subscription keeps a derived value, and a derived value keeps its inputs`() {
    let factory = numbers()
    let seen = RecordedValues<Int>()
    weak var inner: Derived<Int>?
    var subscription: StoreSubscription?
    do {
      let first = factory.derived { $0.0 }
      inner = first
      subscription = first.derived { $0 * 2 }.observe { (value: Int) in seen.append(value) }
    }
    factory.rootStore().dispatch((1, 0))
    executor.run()
    #expect(seen.values == [0, 2])
    #expect(inner != nil)
    withExtendedLifetime(subscription) {}
    subscription = nil
    executor.run()
    #expect(inner == nil)
  }

  @Test func `a subscription that lasts as long as the source keeps the derived value, and ends with it`() {
    var factory: StoreFactory<(Int, Int), (Int, Int)>? = numbers()
    let (seen, freed) = (RecordedValues<Int>(), RecordedValues<String>())
    weak var kept: Derived<Int>?
    do {
      let object = Object { freed.append("closure") }
      let double = factory!.derived { $0.0 }.derived { $0 * 2 }
      kept = double
      double.observe { (value: Int) in withExtendedLifetime(object) { seen.append(value) } }.storeWhileSourceActive()
    }
    factory?.rootStore().dispatch((1, 0))
    executor.run()
    #expect(seen.values == [0, 2])
    #expect(kept != nil)
    factory = nil
    executor.run()
    #expect(freed.values == ["closure"])
    #expect(kept == nil)
  }

  @Test(.reports("used after its owner was released"))
  func `when the owner is released, a derived value keeps its last value and is silent`() async {
    var factory: StoreFactory<(Int, Int), (Int, Int)>? = numbers((3, 4))
    let store = factory!.rootStore()
    let sum = store.derived { $0.0 + $0.1 }
    let double = sum?.derived { $0 * 2 }
    let seen = RecordedValues<Int>()
    let subscription = double?.observe { (value: Int) in seen.append(value) }
    let values = Task.immediate {
      var values: [Int] = []
      for await value in double!.values { values.append(value) }
      return values
    }
    executor.run()
    factory = nil
    executor.run()
    #expect(sum?.value == 7 && double?.value == 14)
    #expect(seen.values == [14])
    #expect(await values.value == [14])
    #expect(store.derived { $0.0 } == nil)
    subscription?.cancel()
  }

  @Test func `a nil scope derives nothing, and one that becomes nil keeps its last value`() {
    let factory = StoreFactory<Int?, Int?>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let scope = factory.scopeStore(toOptional: { $0 })
    #expect(scope.derived { $0 } == nil)
    factory.rootStore().dispatch(1)
    let value = scope.derived { $0 }
    #expect(value?.value == 1)
    factory.rootStore().dispatch(nil)
    executor.run()
    #expect(value?.value == 1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(value?.value == 2)
  }

  @Test func `a hundred thousand derived values leave nothing`() {
    let factory = numbers()
    let counter = Protected(0)
    for _ in 1...repetitions(100_000) {
      let object = Object { counter.withLock { $0 -= 1 } }
      counter.withLock { $0 += 1 }
      let value = factory.derived { state in withExtendedLifetime(object) { state.0 } }
      if value.value != 0 { Issue.record("it is zero") }
    }
    executor.run()
    #expect(counter.withLock { $0 } == 0)
  }

  @Test func `handles, stores and subscriptions may be released in any order`() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let freed = RecordedValues<String>()
      var factory: StoreFactory<(Int, Int), (Int, Int)>? = numbers()
      var value: Derived<Int>?
      var subscription: StoreSubscription?
      do {
        let (inProject, inCallback) = (Object { freed.append("project") }, Object { freed.append("callback") })
        value = factory?.derived { state in withExtendedLifetime(inProject) { state.0 } }.derived { $0 + 1 }
        subscription = value?.observe { (_: Int) in withExtendedLifetime(inCallback) {} }
      }
      executor.run()
      for index in order {
        factory?.rootStore().dispatch((1, 1))
        switch index {
        case 0: factory = nil
        case 1: value = nil
        default: subscription = nil
        }
        executor.run()
      }
      #expect(Set(freed.values) == ["project", "callback"], "order \(order)")
      withExtendedLifetime((factory, value, subscription)) {}
    }
  }
}
