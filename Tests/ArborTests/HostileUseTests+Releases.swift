import Arbor
import ArborTesting
import Foundation
import Testing

/// What is let go of at odd moments.
extension HostileUseTests {
  @Test(arguments: [false, true])
  func `W2 a driver that commits in its deinit may be let go of by an observation, whether the tree is busy or not`(
    isBusy: Bool
  ) {
    let factory = CommitStore(initialState: 0, executor: executor)
    let root = factory.rootStore()
    let subscription: StoreSubscription
    do {
      let driver = Object { root.commit { $0 += 10 } }
      subscription = factory.observe { (_: Int) in withExtendedLifetime(driver) {} }
    }
    executor.run()
    if isBusy {
      let ending = factory.observe(initial: false) { (_: Int) in subscription.cancel() }
      factory.commitLater { $0 += 1 }
      executor.run()
      withExtendedLifetime(ending) {}
    } else {
      factory.commit { $0 += 1 }
      subscription.cancel()
    }
    #expect(factory.state == 11)
  }

  @Test func `W2 a node that leaves behind what waits is freed in no step, and its state may commit in its deinit`() {
    let factory = CommitStore(initialState: 0, executor: executor)
    let root = factory.rootStore()
    var child: StoreObject<Int, Mutation<Int>>? = factory.childStore(
      initialState: Object { root.commit { $0 += 10 } },
      stateMapping: { state, _ in state },
      reducer: { _, _ in }
    )
    child?.store().commitLater { $0 += 1 }
    child = nil
    executor.run()
    #expect(factory.state == 11)
  }

  @Test func `W2 the operation of an effect that never begins is released in no step`() {
    let objects = Recorder<Object>()
    let begun = Recorder<Int>()
    let effects: @Sendable (Int, Mutation<Int>) -> Effect<Mutation<Int>> = { _, _ in
      let object = objects.values.first ?? Object()
      objects.removeAll()
      return .concatenate(
        .run(key: "busy", mode: .keepCurrent) { _ in begun.append(1) },
        .run { _ in withExtendedLifetime(object) { begun.append(2) } }
      )
    }
    let factory = CommitStore(initialState: 0, effects: effects, executor: executor)
    let root = factory.rootStore()
    root.task(key: "busy") { _ in }
    objects.append(Object { root.commit { $0 += 10 } })
    factory.commitLater { $0 += 1 }
    executor.step()
    executor.run()
    #expect(factory.state == 11)
  }

  @Test(arguments: [false, true])
  func `L2 an idle tree that is released in a callback of another one is freed there`(completing: Bool) {
    let (outer, inner) = (StoreFactory.appending(on: executor), StoreFactory.appending(on: executor))
    let trees = Recorder<StoreFactory<[Int], Int>>()
    trees.append(inner)
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      inner.rootStore().subscribe(
        observer: completing
          ? Observer { _, complete in withExtendedLifetime(object) { complete(.active) } }
          : Observer { _ in withExtendedLifetime(object) { .active } }
      )
    }
    executor.run()
    withExtendedLifetime(consume inner) {}
    let freed = Recorder<Bool>()
    outer.rootStore().subscribe(
      observer: Observer { [weak captured] _ in
        trees.removeAll()
        freed.append(captured == nil)
        return .active
      }
    )
    executor.run()
    #expect(freed.values == [true])
  }
}

/// An executor that runs deliveries where derived values are about to be told, as another thread might.
private final class InterruptedExecutor: Executor, @unchecked Sendable {  // One thread has it.
  var interruptsSettling = false
  private var mailboxes: [any Drainable] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var running: (any Drainable)?

  func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    mailboxes.append(mailbox)
  }

  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    deliveries.append(work)
  }

  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void { {} }

  func inspection(clock: any Clock<Duration>) -> Inspection? { nil }
  var taskExecutor: (any TaskExecutor)? { nil }
  func taskWaits(for mailbox: any Drainable) {}
  func taskWaits(until isDone: () -> Bool) {}
  func canWait(for mailbox: any Drainable) -> Bool { running == nil }

  func willSettle(_ mailbox: any Drainable) {
    if interruptsSettling { Mailbox.asOtherThread { runDeliveries() } }
  }

  func stepMailbox() {
    guard !mailboxes.isEmpty else { return }
    running = mailboxes.removeFirst()
    running?.step()
    running = nil
  }

  func run() {
    while !mailboxes.isEmpty || !deliveries.isEmpty {
      stepMailbox()
      runDeliveries()
    }
  }

  private func runDeliveries() {
    let now = deliveries
    deliveries = []
    for delivery in now { delivery() }
  }

  @Test func `W2 a combined value that waits to be brought up to date when it is let go of is released in no step`() {
    let first = CommitStore(initialState: 0, executor: executor)
    let second = CommitStore(initialState: 0)
    let root = first.rootStore()
    var both: Derived<(Int, Int)>?
    do {
      let object = Object { root.commit { $0 += 10 } }
      let input = second.derived { $0 }.derived { value in withExtendedLifetime(object) { value } }
      both = .combined(first.derived { $0 }, input)
    }
    first.commitLater { $0 += 1 }
    second.commit { $0 += 1 }
    withExtendedLifetime(both.take()) {}
    executor.run()
    #expect(first.state == 11)
  }
}
