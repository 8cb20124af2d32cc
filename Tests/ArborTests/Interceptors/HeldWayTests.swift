import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Changes while an action is held")
struct HeldWayTests {
  private let executor = ManualExecutor()
  private let held = RecordedValues<HeldAction<Int>>()
  private let log = RecordedValues<String>()

  private var holding: Interceptor<[Int], Int> {
    Interceptor { [held] action, _ in action.isMultiple(of: 10) ? .hold { held.append($0) } : .pass }
  }

  private func factory() -> StoreFactory<[Int], Int> {
    StoreFactory(initialState: [], settings: TreeSettings(executor: executor), reducer: appending)
  }

  @Test func `O5 a replacement resumes even if the added interceptor that held the action is removed`() {
    let factory = factory()
    let adding = factory.add(interceptor: holding)
    factory.dispatch(10)
    executor.run()
    adding.cancel()
    held.values[0].replace(with: 11)
    #expect(factory.state == [11])
  }

  @Test func `O5 an interceptor added while an action is held does not judge it`() {
    let factory = factory()
    let first = factory.add(interceptor: holding)
    factory.dispatch(10)
    executor.run()
    first.cancel()
    let second = factory.add(interceptor: holding)
    held.values[0].pass()
    #expect(factory.state == [10])
    #expect(held.values.count == 1)
    withExtendedLifetime(second) {}
  }

  @Test func `monitors see the replacement of a held action, and of no other, even without the interceptor`() {
    let watcher = Watcher()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      settings: TreeSettings(monitors: [watcher], executor: executor),
      reducer: appending
    )
    let adding = factory.add(interceptor: holding)
    factory.dispatch(10)
    executor.run()
    adding.cancel()
    held.values[0].replace(with: 11)
    executor.run()
    let passing = factory.add(interceptor: Interceptor { _, _ in .pass })
    factory.dispatch(1)
    executor.run()
    let records = watcher.lines.values.filter { $0.contains(" to ") }
    #expect(records.map { $0.split(separator: ": ").last } == ["held", "replaced by 11", "reduced"])
    withExtendedLifetime(passing) {}
  }

  @Test(arguments: [false, true])
  func `monitors see the same for an action replaced immediately as for a held one`(isOfChild: Bool) {
    let told = [true, false].map { isHeld in
      let watcher = Watcher()
      let replacing = Interceptor<[Int], Int> { action, _ in
        guard action.isMultiple(of: 10) else { return .pass }
        return isHeld ? .hold { $0.replace(with: action + 1) } : .replace(with: action + 1)
      }
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        feature: Feature(interceptors: [replacing], reducer: appending),
        settings: TreeSettings(monitors: [watcher], executor: executor)
      )
      let child = factory.childStore(initialState: [], stateMapping: { $0 + $1 }, reducer: appending)
      if isOfChild { child.dispatch(10) } else { factory.dispatch(10) }
      executor.run()
      #expect(factory.state == [11])
      withExtendedLifetime(child) {}
      return watcher.lines.values.filter { $0.contains(" to ") && !$0.hasSuffix("held") }
    }
    #expect(told[0] == told[1])
    #expect(told[0].map { $0.split(separator: ": ").last } == ["replaced by 11"])
  }

  @Test func `W2 the closure that holds an action is released outside of the step`() {
    let factory = StoreFactory<[Int], Int>(initialState: [], reducer: appending)
    let store = factory.rootStore()
    let adding = factory.add(
      interceptor: Interceptor { action, _ in
        guard action == 10 else { return .pass }
        // It waits for the store, which is not allowed inside a step.
        let object = Object { store.dispatchAndWait(1) }
        return .hold { held in withExtendedLifetime(object) { held.pass() } }
      }
    )
    factory.dispatchAndWait(10)
    #expect(factory.state.sorted() == [1, 10])
    adding.cancel()
  }

  @Test func `L3 an action that contains its own token is released with its step`() {
    let held = RecordedValues<HeldAction<Asking>>()
    let factory = StoreFactory<Int, Asking>(
      initialState: 0,
      feature: Feature(interceptors: [Asking.interceptor(held)]) { count, _ in count += 1 },
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(.ask)
    executor.run()
    weak let freed: Object?
    do {
      let object = Object()
      freed = object
      let token = held.values[0]
      token.replace(with: .confirmed(token, object))
      held.removeAll()
    }
    #expect(factory.state == 1)
    #expect(freed == nil)
  }

  @Test func `F3 a held action of a removed part passes the remaining interceptors`() {
    struct Model: Sendable {
      var part: [Int]? = []
    }
    let part = Feature<[Int], Int>(
      interceptors: [
        holding,
        Interceptor { [log] action, _ in
          log.append("\(action)")
          return .pass
        },
      ],
      reducer: appending
    )
    let factory = StoreFactory<Model, Int>(
      initialState: Model(),
      feature: .combined(
        part.scoped(toOptional: \.part, action: { $0 }, extract: { $0 == 0 ? nil : $0 }),
        Feature { model, action in if action == 0 { model.part = nil } }
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(10)
    factory.dispatch(20)
    executor.run()
    held.values[0].pass()
    executor.run()
    #expect(factory.state.part == [10])
    #expect(log.values == ["10"])
    factory.dispatch(0)
    executor.run()
    held.values[1].pass()
    executor.run()
    #expect(factory.state.part == nil)
    #expect(log.values == ["10"])
  }

  @Test func `L3 a replacement that contains its own token is released when its task is canceled`() async throws {
    let held = RecordedValues<HeldAction<Asking>>()
    let factory = StoreFactory<Int, Asking>(
      initialState: 0,
      feature: Feature(interceptors: [Asking.interceptor(held)]) { count, _ in
        count += 1
      }
    )
    let clock = TestClock()
    let task = factory.task { dispatch in
      dispatch(.ask)
      // The clock stands still, so it sleeps until it is canceled.
      try await clock.sleep(for: .seconds(1))
    }
    while held.values.isEmpty { await Task.yield() }
    weak let freed: Object?
    do {
      let object = Object()
      freed = object
      task.cancel()
      let token = held.values[0]
      token.replace(with: .confirmed(token, object))
      held.removeAll()
    }
    #expect(factory.state == 0)
    #expect(freed == nil)
  }

  @Test func `S1 a held action keeps no copy of the optional part in which it waits`() {
    struct Part: Sendable {
      var values = Array(0..<100)
      var copies = 0
      var address = 0
    }
    struct Model: Sendable {
      var part: Part? = Part()
    }
    let passing = Interceptor<Part, Int> { [log] _, context in
      log.append("\(context.state.values[0])")
      return .pass
    }
    let part = Feature<Part, Int>(
      interceptors: [Interceptor { action, _ in action == 10 ? .hold { [held] in held.append($0) } : .pass }, passing]
    ) { part, action in
      part.values[0] = action
      let address = part.values.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
      if part.address != 0, part.address != address { part.copies += 1 }
      part.address = address
    }
    let factory = StoreFactory<Model, Int>(
      initialState: Model(),
      feature: .combined(
        part.scoped(toOptional: \.part, action: { $0 }, extract: { $0 }),
        Feature<Part, Int>(interceptors: [passing])
          .scoped(toOptional: \.part, action: { $0 }, extract: { $0 })
      ),
      settings: TreeSettings(executor: executor)
    )
    for action in [1, 10, 2, 3] { factory.dispatch(action) }
    executor.run()
    held.values[0].pass()
    #expect(factory.state.part?.values[0] == 10)
    #expect(factory.state.part?.copies == 0)
    #expect(log.values == ["0", "0", "1", "1", "2", "2", "3", "3"])
  }

  @Test func `S1 interceptors added above a child let its mutations change their state in place`() {
    struct Model: Sendable {
      var storage = Object()
      var copies = 0

      mutating func change() {
        if !isKnownUniquelyReferenced(&storage) {
          storage = Object()
          copies += 1
        }
      }
    }
    let store = CommitStore(initialState: 0, settings: TreeSettings(executor: executor))
    let child = store.childCommitStore(initialState: Model())
    let adding = store.add { _, _ in .none }
    for _ in 0..<3 { child.commitLater { $0.change() } }
    executor.run()
    #expect(child.state?.copies == 0)
    adding.cancel()
  }

  /// An action that may contain the token of another.
  private enum Asking: Sendable {
    case ask
    case confirmed(HeldAction<Asking>, Object)

    /// Holds each `.ask`.
    static func interceptor(_ held: RecordedValues<HeldAction<Asking>>) -> Interceptor<Int, Asking> {
      Interceptor { action, _ in if case .ask = action { .hold { held.append($0) } } else { .pass } }
    }
  }
}
