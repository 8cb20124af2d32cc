import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Activities that are received on the main actor.
@Suite("Activities on the main actor")
@MainActor
struct MainActivityTests {
  private struct Progress: Equatable, Sendable { let part: Int }

  let executor = ManualExecutor()

  @Test func `each activity is received on the main actor, in order`() {
    let factory = StoreFactory.appending(on: executor)
    var heard: [Int] = []
    let subscription = factory.observe(activities: Progress.self, on: .main) { heard.append($0.part) }
    for part in 1...3 { factory.emit(Progress(part: part)) }
    _ = factory.state
    #expect(heard.isEmpty)
    #expect(executor.pending == 1, "one hop waits, however many activities do")
    factory.emit(Progress(part: 4))
    executor.run()
    #expect(heard == [1, 2, 3, 4])
    subscription.cancel()
    factory.emit(Progress(part: 5))
    executor.run()
    #expect(heard == [1, 2, 3, 4])
  }

  @Test func `dispatchAndWait on the main actor has delivered all activities emitted so far, once`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        interceptors: [
          Interceptor { action, context in
            context.emit(Progress(part: action))
            return .pass
          }
        ],
        reducer: { $0 += $1 }
      ),
      settings: TreeSettings(executor: executor)
    )
    var heard: [Int] = []
    let subscription = factory.observe(activities: Progress.self, on: .main) { heard.append($0.part) }
    factory.emit(Progress(part: 1))
    factory.dispatchAndWait(2)
    #expect(heard == [1], "an activity of the interceptor arrives after the waiting action")
    factory.dispatchAndWait(3)
    #expect(heard == [1, 2])
    executor.run()
    #expect(heard == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test func `O1 no activity is received inside the call for another one`() {
    let factory = StoreFactory.appending(on: executor)
    var heard: [String] = []
    let store = factory.rootStore()
    let subscription = factory.observe(activities: Progress.self, on: .main) { progress in
      heard.append("begin \(progress.part)")
      if progress.part < 3 {
        store.emit(Progress(part: progress.part + 1))
        store.dispatchAndWait(progress.part)
      }
      heard.append("end \(progress.part)")
    }
    factory.emit(Progress(part: 1))
    executor.run()
    #expect(heard == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `N4 if an observer cancels between two activities, it does not receive the second`() {
    let factory = StoreFactory.appending(on: executor)
    var heard: [Int] = []
    var subscription: StoreSubscription?
    subscription = factory.observe(activities: Progress.self, on: .main) { progress in
      heard.append(progress.part)
      subscription?.cancel()
    }
    for part in 1...3 { factory.emit(Progress(part: part)) }
    executor.run()
    #expect(heard == [1])
  }

  @Test func `activities that wait for the main actor when the owner is released are not received`() {
    var child = Optional(StoreFactory.appending(on: executor).childStore(initialState: 0, reducer: { _, _ in }))
    var heard: [Int] = []
    let subscription = child!.observe(activities: Progress.self, on: .main) { heard.append($0.part) }
    child?.emit(Progress(part: 1))
    executor.run()
    child?.emit(Progress(part: 2))
    _ = child?.state
    child = nil
    executor.run()
    #expect(heard == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test func `no activity is dropped on the real queues under a flood from several threads`() async {
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    let store = factory.rootStore()
    let count = repetitions(5_000)
    var heard: [Int] = []
    await withCheckedContinuation { continuation in
      factory.observe(activities: Progress.self, on: .main) { progress in
        MainActor.assertIsolated()
        heard.append(progress.part)
        if heard.count == 2 * count { continuation.resume() }
      }.storeWhileSourceActive()
      for thread in 0...1 {
        DispatchQueue.global().async {
          for part in 0..<count { store.emit(Progress(part: thread * count + part)) }
        }
      }
    }
    withExtendedLifetime(factory) {}
    #expect(heard.filter { $0 < count } == Array(0..<count))
    #expect(heard.filter { $0 >= count } == Array(count..<2 * count))
  }
}
