import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

/// Subscriptions that last as long as an object.
@Suite("Observe with an object")
struct ObserveWithTests {
  /// A screen as a user would write it.
  @MainActor
  private final class Screen {
    private(set) var shown: [Int] = []

    init(_ store: Store<[Int], Int>) {
      store.observe(with: self, on: .main) { screen, state in screen.shown.append(state.count) }
    }
  }

  private final class Listener: Sendable {
    let heard = RecordedValues<Int>()
  }

  let executor = ManualExecutor()

  @Test func `the closure is called with the object as long as that lives, and nobody keeps the subscription`() {
    let factory = StoreFactory.appending(on: executor)
    let (calls, freed) = (RecordedValues<Int>(), RecordedValues<String>())
    var listener = Optional(Listener())
    let heard = listener!.heard
    do {
      let token = Object { freed.append("closure") }
      factory.observe(with: listener!) { listener, state in
        withExtendedLifetime(token) { listener.heard.append(state.count) }
        calls.append(state.count)
      }
    }
    #expect(heard.values == [0], "the first state is there at once")
    factory.dispatchAndWait(1)
    #expect(heard.values == [0, 1])
    weak let gone = listener
    listener = nil
    #expect(gone == nil, "it is kept weakly")
    #expect(freed.values.isEmpty)
    factory.dispatchAndWait(2)
    #expect(calls.values == [0, 1])
    #expect(freed.values == ["closure"])
  }

  @Test func `a state that is a duplicate releases the closure of an object that is gone`() {
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let freed = RecordedValues<String>()
    var listener = Optional(Listener())
    do {
      let token = Object { freed.append("closure") }
      factory.observe(with: listener!, removeDuplicates: .equatable) { _, _ in withExtendedLifetime(token) {} }
    }
    listener = nil
    factory.dispatchAndWait(0)
    #expect(freed.values == ["closure"])
  }

  @Test(arguments: [StoreDelivery.storeQueue, .latest(on: .global()), .each(on: .global())])
  func `W2 the last reference, which a delivery has, is released outside of the step`(delivery: StoreDelivery) {
    let factory = StoreFactory.appending(on: executor)
    let (store, log) = (factory.rootStore(), RecordedValues<String>())
    let object = Protected<Object?>(
      Object {
        log.append("freed")
        // Inside a step it would stop the program.
        store.dispatchAndWait(2)
      }
    )
    factory.observe(with: object.withLock { $0! }, on: delivery) { _, state in
      guard state == [1] else { return }
      let released = object.withLock { $0.take() }
      withExtendedLifetime(released) {}
      log.append("delivered")
    }
    let subscription = factory.observe { state in
      if state == [1] { log.append("notified") }
    }
    executor.run()
    factory.dispatchAndWait(1)
    executor.run()
    #expect(log.values.sorted() == ["delivered", "freed", "notified"])
    #expect(log.values.last == "freed")
    #expect(factory.state == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func `cancelled, it ends earlier, and a derived value lives as long as it is observed`() {
    let factory = StoreFactory.appending(on: executor)
    let listener = Listener()
    let subscription = factory.derived(\.count).observe(with: listener, initial: false) { $0.heard.append($1) }
    factory.dispatchAndWait(1)
    #expect(listener.heard.values == [1])
    subscription.cancel()
    factory.dispatchAndWait(2)
    #expect(listener.heard.values == [1])
  }

  @Test func `on another queue a delivery that is under way when the object goes does not arrive`() {
    let factory = StoreFactory.appending(on: executor)
    let calls = RecordedValues<Int>()
    var listener = Optional(Listener())
    factory.observe(with: listener!, on: .latest(on: .global())) { _, state in calls.append(state.count) }
    factory.observe(with: listener!, on: .each(on: .global())) { _, state in calls.append(state.count) }
    executor.run()
    #expect(calls.values == [0, 0])
    factory.dispatchAndWait(1)
    listener = nil
    executor.run()
    factory.dispatchAndWait(2)
    executor.run()
    #expect(calls.values == [0, 0])
  }

  @MainActor
  @Test func `a screen hears the latest state on the main actor until it is gone`() {
    let factory = StoreFactory.appending(on: executor)
    var screen = Optional(Screen(factory.rootStore()))
    #expect(screen?.shown == [0])
    factory.dispatchAndWait(1)
    #expect(screen?.shown == [0, 1])
    weak let gone = screen
    screen = nil
    #expect(gone == nil)
    factory.dispatchAndWait(2)
    executor.run()
  }
}
