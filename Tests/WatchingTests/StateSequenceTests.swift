import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("State sequences")
struct StateSequenceTests {
  let executor = ManualExecutor()

  /// Takes a number of elements, or all until the end.
  private func take<State: Sendable>(_ count: Int, _ states: StateSequence<State>) -> Task<[State], Never> {
    Task.immediate {
      var taken: [State] = []
      for await state in states {
        taken.append(state)
        if taken.count == count { break }
      }
      return taken
    }
  }

  @Test func `states start with the current one, and end when the owner is released`() async {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let store = factory!.rootStore()
    store.dispatch(1)
    let all = take(.max, store.states(buffering: .unbounded))
    let counts = take(.max, store.states(of: \.count, buffering: .unbounded))
    for action in 2...3 { store.dispatch(action) }
    executor.run()
    factory = nil
    #expect(await all.value == [[1], [1, 2], [1, 2, 3]])
    #expect(await counts.value == [1, 2, 3])
  }

  @Test(arguments: [
    (StateBuffering.newest(1), [5]), (.newest(2), [4, 5]), (.oldest(2), [0, 1]), (.unbounded, [0, 1, 2, 3, 4, 5]),
  ])
  func `a sequence that is consumed slowly drops states by its policy, and nothing else`(
    buffering: StateBuffering,
    expected: [Int]
  ) async {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    var iterator = factory!.states(of: \.count, buffering: buffering).makeAsyncIterator()
    for action in 1...5 { factory?.rootStore().dispatch(action) }
    executor.run()
    factory = nil
    var taken: [Int] = []
    while let count = await iterator.next() { taken.append(count) }
    #expect(taken == expected)
  }

  @Test func `duplicates are removed on request`() async {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let halves = take(.max, factory!.states(of: { $0.count / 2 }, removeDuplicates: .equatable, buffering: .unbounded))
    for action in 1...5 { factory?.rootStore().dispatch(action) }
    executor.run()
    factory = nil
    #expect(await halves.value == [0, 1, 2])
  }

  @Test func `a sequence ends with its task, and leaves nothing`() async {
    let factory = StoreFactory.appending(on: executor)
    let projections = RecordedValues<Int>()
    let part: @Sendable ([Int]) -> Int = { state in
      projections.append(state.count)
      return state.count
    }
    let (left, cancelled) = (take(1, factory.states(of: part)), take(.max, factory.states(of: part)))
    executor.run()
    #expect(await left.value == [0])
    cancelled.cancel()
    #expect(await cancelled.value.count <= 1)
    projections.removeAll()
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(projections.values.isEmpty)
  }

  @Test(.reports("used after its owner was released")) func `a store whose owner is gone has no states`() async {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let scope = factory!.scopeStore(to: \.count)
    factory = nil
    #expect(await take(.max, scope.states).value == [])
    #expect(await scope.state { _ in true } == nil)
  }

  @Test func `the first state that satisfies a condition is awaited, and none is missed`() async {
    let factory = StoreFactory.appending(on: executor)
    let asked = RecordedValues<Int>()
    let found = Task.immediate {
      await factory.state { state in
        asked.append(state.count)
        return state.count == 2
      }
    }
    for action in 1...4 { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(await found.value == [1, 2])
    #expect(asked.values == [0, 1, 2])
  }

  @Test func `waiting for a condition that never holds ends with the owner or the task`() async {
    var factory: StoreFactory<[Int], Int>? = .appending(on: executor)
    let store = factory!.rootStore()
    let waits = (1...2).map { _ in Task.immediate { await store.state { $0.count < 0 } } }
    executor.run()
    waits[0].cancel()
    #expect(await waits[0].value == nil)
    factory = nil
    #expect(await waits[1].value == nil)
  }

  @Test func `on the dispatch queue the newest state always arrives`() async {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let states = Task.immediate {
      var last = 0
      for await state in factory.states {
        #expect(state >= last)
        last = state
        if state == 10_000 { break }
      }
      return last
    }
    for _ in 1...10_000 { factory.rootStore().dispatch(1) }
    #expect(await states.value == 10_000)
  }
}
