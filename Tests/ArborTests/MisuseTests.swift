import Arbor
import Dispatch
import Foundation
import Testing

/// Each test runs in a process of its own, which must stop with the sentence that helps.
@Suite("State, misused")
struct MisuseTests {
  @Test(arguments: ["interceptor", "reducer", "observer", "projection"])
  func `S3 dispatchAndWait inside its own tree stops with a sentence`(callback: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [callback] in
      MisuseTests.wait(inside: callback)
    }
    expect(result, contains: "dispatchAndWait was called inside a reducer, an interceptor, an observer or a projection")
    expect(result, contains: "Call dispatch(_:) instead")
  }

  @Test func `S3 state inside a reducer stops with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      MisuseTests.readInsideReducer()
    }
    expect(result, contains: "A store's state was read inside a reducer")
    expect(result, contains: "Use the state that the reducer was given")
  }

  @Test(arguments: [2, 3])
  func `S3 trees whose callbacks wait on each other in a circle stop with a sentence`(count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      MisuseTests.waitInCircle(of: count)
    }
    expect(result, contains: "A callback of one tree of stores waits on a second tree")
    expect(result, contains: "Call dispatch(_:) in one of the callbacks")
  }

  private func expect(_ result: ExitTest.Result?, contains sentence: String) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(sentence), "\(text)")
  }

  private static func wait(inside callback: String) {
    let stores = Recorder<Store<Int, Int>>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in if callback == "interceptor" { stores.values[0].dispatchAndWait(2) } },
      reducer: { _, _ in if callback == "reducer" { stores.values[0].dispatchAndWait(2) } }
    )
    let store = factory.rootStore()
    stores.append(store)
    let scope = store.scope { state in
      if callback == "projection" { stores.values[0].dispatchAndWait(2) }
      return state
    }
    scope.subscribe(
      observer: Observer { _ in
        if callback == "observer" { stores.values[0].dispatchAndWait(2) }
        return .active
      }
    )
    store.dispatchAndWait(1)
  }

  private static func readInsideReducer() {
    let stores = Recorder<Store<Int, Int>>()
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { _, _ in _ = stores.values[0].state })
    stores.append(factory.rootStore())
    factory.rootStore().dispatchAndWait(1)
  }

  private static func waitInCircle(of count: Int) {
    alarm(30)  // Should they hang after all, the process ends all the same, without the sentence.
    // Every tree is inside a callback before any of them waits.
    let (inside, start) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let stores = Recorder<Store<Int, Int>>()
    let factories = (0..<count).map { number in
      StoreFactory<Int, Int>(
        initialState: 0,
        interceptor: { _, _ in
          inside.signal()
          start.wait()
          stores.values[(number + 1) % count].dispatchAndWait(0)
        },
        reducer: { _, _ in }
      )
    }
    for factory in factories { stores.append(factory.rootStore()) }
    for factory in factories { factory.rootStore().dispatch(1) }
    for _ in factories { inside.wait() }
    for _ in factories { start.signal() }
    withExtendedLifetime(factories) { stores.values[0].dispatchAndWait(2) }
  }
}
