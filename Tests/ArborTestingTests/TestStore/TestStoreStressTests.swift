import Arbor
import ArborTesting
import Dispatch
import Testing

@Suite("Test stores under stress")
struct TestStoreStressTests {
  @Test func `many simultaneous tests do not interfere`() async {
    await withTaskGroup(of: [Int].self) { group in
      for number in 1...50 {
        group.addTask {
          let clock = TestClock()
          let store = TestStore<[Int], Int>(
            initialState: [number],
            effects: { _, action in
              guard action > 0 else { return .none }
              return .run(key: action, mode: .debounce(.seconds(1))) { dispatch in dispatch(-action) }
            },
            clock: clock,
            reducer: { state, action in state.append(action) }
          )
          for action in 1...20 {
            await store.send(action) { $0.append(action) }
            clock.advance(by: .seconds(1))
            await store.receive(-action) { $0.append(-action) }
          }
          await store.finish()
          return store.state
        }
      }
      for await state in group { #expect(state.dropFirst() == (1...20).flatMap { [$0, -$0] }[...]) }
    }
  }

  @Test func `actions from other threads are held, each once`() async {
    let store = TestStore<Int, Int>(initialState: 0) { state, action in state += action }
    let proxy = store.store()
    let (threads, count) = (4, 250)
    let done = DispatchGroup()
    for _ in 0..<threads {
      DispatchQueue.global().async(group: done) {
        for _ in 0..<count { proxy.dispatch(1) }
      }
    }
    // Some are received while others still arrive.
    store.exhaustivity = .off
    for _ in 0..<20 { await store.skipReceivedActions() }
    await withCheckedContinuation { continuation in
      done.notify(queue: .global()) { continuation.resume() }
    }
    await store.skipReceivedActions()
    #expect(store.state == threads * count)
    #expect(store.history.count == threads * count)
    await store.finish()
  }

  @Test func `effects that leave for other actors all return`() async {
    actor Elsewhere {
      func next(_ number: Int) -> Int { number }
    }
    let elsewhere = (0..<8).map { _ in Elsewhere() }
    let store = TestStore<Set<Int>, Int>(
      initialState: [],
      effects: { _, action in
        guard action == 0 else { return .none }
        return .merge(
          (1...100).map { (number: Int) in
            .run(key: number) { dispatch in
              let answer = await elsewhere[number % 8].next(number)
              let again = await Task.detached { answer }.value
              dispatch(again)
            }
          }
        )
      },
      timeout: .generous,
      reducer: { state, action in state.insert(action) }
    )
    await store.send(0) { $0 = [0] }
    for _ in 1...100 {
      await store.receive(extract: { $0 > 0 ? $0 : nil }, { $0.insert($1) })
    }
    await store.finish()
    #expect(store.state == Set(0...100))
  }
}
