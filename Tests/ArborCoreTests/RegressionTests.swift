import ArborCore
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Mistakes of earlier designs of such stores, each with its name.
@Suite("Regression")
struct RegressionTests {
  let executor = ManualExecutor()

  @Test func `qos is not ignored, but passed to the executor`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      qos: .utility,
      settings: TreeSettings(executor: executor),
      reducer: { $0 += $1 }
    )
    let eager = factory.childStore(initialState: 0, qos: .userInitiated, reducer: { _, _ in })
    let lazy = factory.childStore(initialState: 0, qos: .background, reducer: { _, _ in })
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(executor.schedule.asked == [.utility])
    lazy.dispatch(2)
    executor.run()
    #expect(executor.schedule.asked.last == .utility, "a child's qos is a floor, not a ceiling")
    eager.dispatch(3)
    executor.run()
    #expect(executor.schedule.asked.last == .userInitiated)
    factory.rootStore().dispatch(4)
    eager.dispatch(5)
    eager.dispatch(6)
    #expect(executor.schedule.asked.suffix(2) == [.utility, .userInitiated], "one more wake, and only one")
    executor.run()
    factory.rootStore().dispatch(7)
    #expect(executor.schedule.asked.last == .utility)
    #expect(factory.state == 28)
  }

  @Test func `a child is called once per action, not once for the root and once for itself`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: [], reducer: appending)
    let seen = RecordedValues<Int>()
    child.scope(to: { $0.0.count + $0.1.count }).subscribe(observer: .recording(in: seen))
    child.dispatch(1)
    executor.run()
    #expect(seen.values == [0, 2])
  }

  @Test func `root and local reducers have an order: the child's is first`() {
    let log = RecordedValues<String>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in log.append("root") }
    )
    let child = factory.childStore(initialState: 0, reducer: { _, _ in log.append("child") })
    for number in 0..<3 { child.dispatch(number) }
    executor.run()
    #expect(log.values == ["child", "root", "child", "root", "child", "root"])
  }

  @Test func `an action to a child and a later one to the root are reduced in that order`() {
    let factory = StoreFactory.appending(on: executor)
    let child = factory.childStore(initialState: [], reducer: appending)
    child.dispatch(1)
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(factory.state == [1, 2])
  }

  @Test func `actions are not lost when a child is released`() {
    let factory = StoreFactory.appending(on: executor)
    for number in 0..<10 {
      let child = factory.childStore(initialState: [], reducer: appending)
      child.dispatch(number)
      child.dispatch(batch: [number, number])
    }
    executor.run()
    #expect(factory.state == (0..<10).flatMap { [$0, $0, $0] })
  }

  @Test func `the first state contains no later action, and is not repeated`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<[Int]>()
    factory.rootStore().dispatch(1)
    factory.rootStore().subscribe(observer: .recording(in: seen))
    factory.rootStore().dispatch(2)
    executor.run()
    #expect(seen.values == [[1], [1, 2]])
  }

  @Test func `one observer on two scopes receives both`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    let observer = Observer.recording(in: seen)
    factory.scopeStore(to: \.count).subscribe(observer: observer)
    factory.scopeStore(to: { $0.last ?? -1 }).subscribe(observer: observer)
    factory.rootStore().dispatch(7)
    executor.run()
    #expect(seen.values == [0, -1, 1, 7])
  }

  @Test func `an observer is not called after it was dead`() {
    let factory = StoreFactory.appending(on: executor)
    let seen = RecordedValues<Int>()
    factory.rootStore().subscribe(
      observer: Observer { state, complete in
        seen.append(state.count)
        complete(.dead)
        complete(.active)
      }
    )
    factory.rootStore().dispatch(batch: [1, 2])
    factory.rootStore().dispatch(3)
    executor.run()
    #expect(seen.values == [0])
  }

  @Test func `a dead child's observer is not kept until the next update`() {
    let factory = StoreFactory.appending(on: executor)
    let probe = RecordedValues<Object>()
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      let child = factory.childStore(initialState: 0, reducer: { _, _ in })
      child.subscribe(observer: Observer { _ in withExtendedLifetime(object) { .active } })
      executor.run()
      #expect(captured != nil)
    }
    #expect(captured == nil)
    withExtendedLifetime((factory, probe)) {}
  }

  @Test func `the interceptor never runs twice at once`() {
    let running = Protected(0)
    let highest = Protected(0)
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      interceptor: { _, _ in
        let now = running.withLock { running in
          running += 1
          return running
        }
        highest.withLock { $0 = max($0, now) }
        running.withLock { $0 -= 1 }
      },
      reducer: { $0 += $1 }
    )
    let children = (0..<4).map { _ in factory.childStore(initialState: 0, reducer: { _, _ in }) }
    onThreads(4) { thread in
      for _ in 0..<500 {
        children[thread].dispatch(1)
        children[thread].dispatchAndWait(1)
      }
    }
    #expect(factory.state == 4000)
    #expect(highest.withLock { $0 } == 1)
  }

  @Test func `a store captured by its own observer does not leak`() {
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      let factory = StoreFactory.appending(on: executor)
      let store = factory.rootStore()
      store.subscribe(observer: Observer { _ in withExtendedLifetime((store, object)) { .active } })
      executor.run()
    }
    #expect(captured == nil)
  }

  @Test func `two trees that wait for each other do not hang silently`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RegressionTests.waitOnEachOther()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Each would wait for the other forever"), "\(text)")
  }

  private static func waitOnEachOther() {
    alarm(3600)  // If they hang after all, the process still ends, without the message.
    let (bothInside, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let stores = RecordedValues<Store<Int, Int>>()
    let factories = (0..<2).map { number in
      StoreFactory<Int, Int>(initialState: 0) { state, action in
        state += action
      }
    }
    for factory in factories { stores.append(factory.rootStore()) }
    for number in 0..<2 {
      stores.values[number].subscribe(
        observer: Observer { _ in
          bothInside.signal()
          go.wait()
          _ = stores.values[1 - number].state
          return .active
        }
      )
    }
    for _ in 0..<2 { bothInside.wait() }
    for _ in 0..<2 { go.signal() }
    withExtendedLifetime(factories) { _ = stores.values[0].state }
  }
}
