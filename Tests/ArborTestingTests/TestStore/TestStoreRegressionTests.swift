import Arbor
import ArborTesting
import Dispatch
import TestSupport
import Testing

@Suite("Fixed bugs of a test store")
struct TestStoreRegressionTests {
  private func store<State: Equatable & Sendable>(_ state: State) -> TestStore<State, Int> {
    TestStore(initialState: state) { (_: inout State, _: Int) in }
  }

  // MARK: What is in memory

  private struct Wide: Sendable, Equatable {
    var first = "the first text that does not fit"
    var second = "the second text that does not fit"
  }

  @Test func `existentials in a state are not compared by memory`() async {
    struct Holder: Sendable, Equatable {
      var count = 0
      var box: any Sendable = Wide()
      var error: any Error = CancellationError()
      static func == (left: Holder, right: Holder) -> Bool { left.count == right.count }
    }
    let store = TestStore(initialState: Holder()) { (holder: inout Holder, count: Int) in
      holder.count = count
      holder.box = Wide()
    }
    for count in 1...3 {
      await store.send(count) {
        $0.count = count
        $0.box = Wide()
      }
    }
    let found = await failures { await store.send(4) { $0 = Holder(count: 4, box: Wide(first: "another")) } }
    #expect(found.map(\.failure.severity) == [.warning])
    await store.finish()
  }

  @Test func `weak references and closures in a state are not compared by memory`() async {
    final class Thing: Sendable {}
    struct Holder: Sendable, Equatable {
      weak var thing: Thing?
      var count = 0
      var work: @Sendable () -> Void = {}
      static func == (left: Holder, right: Holder) -> Bool { left.count == right.count }
    }
    let thing = Thing()
    let store = TestStore(initialState: Holder(thing: thing)) { (holder: inout Holder, count: Int) in
      holder.count = count
    }
    await store.send(1) { $0.count = 1 }
    await store.send(2) { $0.count = 2 }
    await store.finish()
    withExtendedLifetime(thing) {}
  }

  // MARK: Verdicts

  @Test func `a stamp hides no other difference`() async {
    final class Token: Sendable {}
    struct Session: Sendable, Equatable {
      var token = Token()
      @Stamped var items = [1]
      var name: Substring = "a"
      static func == (left: Session, right: Session) -> Bool {
        left.token === right.token && left.$items == right.$items && left.name == right.name
      }
    }
    let found = await failures {
      let store = TestStore(initialState: Session()) { (session: inout Session, number: Int) in
        session.items = [number]
        if number == 2 { session.token = Token() }
      }
      await store.send(1) { $0.items = [1] }
      await store.send(2) { $0.items = [2] }
      await store.finish()
    }
    #expect(found.map(\.failure.summary) == ["The state after 2 is not the expected one."])
  }

  @Test func `an interceptor's decision is reported if the state differs`() async {
    let found = await failures {
      let store = TestStore<Int, Int>(
        initialState: 0,
        interceptors: [Interceptor { action, _ in action == 1 ? .drop : .replace(with: 7) }],
        reducer: { $0 = $1 }
      )
      await store.send(1) { $0 = 1 }
      await store.send(2) { $0 = 2 }
      await store.finish()
    }
    #expect(
      found.map(\.failure.summary) == [
        "The state after 1, dropped is not the expected one.",
        "The state after 2, replaced by 7 is not the expected one.",
      ]
    )
  }

  // MARK: Code that waits

  @Test func `waiting code of any kind can be asserted`() async {
    let store = TestStore<Int, Int>(
      initialState: 0,
      effects: { _, action in action == 10 ? .run { $0(100) } : .none },
      reducer: { $0 += $1 }
    )
    await store.during {
      await store.store().dispatchAndWait(1)
    } expect: {
      $0 = 1
    }
    await store.during {
      store.store().dispatch(1)
      await store.store().dispatchAndWait(1)
    } expect: {
      $0 = 3
    }
    await store.during {
      await store.store().perform(10)
    } expect: {
      $0 = 113
    }
    await store.finish()
    #expect(store.history.count == 5)
  }

  @Test(.reports("used after its owner was released")) func `waiting for a store that is gone does not wait`() async {
    let store = TestStore<Int, Int>(initialState: 0, reducer: { $0 += $1 })
    var child: StoreObject<(Int, Int), Int>? = store.store().childStore(initialState: 0) { $0 += $1 }
    let gone = child?.store()
    child = nil
    store.store().dispatch(5)
    #expect(gone?.state == nil)
    await store.receive(5) { $0 = 5 }
    await store.finish()
    #expect(store.transcript == "received 5\n  0 → 5")
  }

  // MARK: Ends

  @Test func `an unused test store needs no finish`() async {
    let found = await failures { _ = store(0) }
    #expect(found.isEmpty)
  }

  @Test func `a missing finish names the rest, and a use after finish is reported`() async {
    let clock = TestClock()
    let found = await failures {
      let store = TestStore<Int, Int>(
        initialState: 0,
        effects: { _, action in
          action == 1 ? .merge(.run(key: "a") { _ in try await clock.sleep(for: .seconds(1)) }, .send(2)) : .none
        },
        clock: clock,
        reducer: { $0 += $1 }
      )
      await store.send(1) { $0 = 1 }
    }
    #expect(
      found.map(\.failure.happened) == [
        """
        the test store made here was released without it; still there:
        2 is held
        the effect "a", started by 1: sleeps on a clock that the test advances
        """
      ]
    )
    let line = #line
    let after = await failures {
      let store = store(0)
      await store.send(1)
      await store.finish()
      await store.send(2)
    }
    #expect(after.map(\.failure.summary) == ["A test store was used after `finish()`, and then released."])
    #expect(after.map(\.place.line) == [UInt(line) + 5])
  }

  @Test func `a transcript may be compared after finish`() async {
    let found = await failures {
      let store = store(0)
      await store.send(1)
      await store.finish()
      store.expectTranscript(at: "nowhere.txt")
    }
    #expect(found.count == 1, "the missing file is reported")
  }

  @Test func `endless actions are a failure, and are stopped`() async {
    let found = await failures {
      let store = TestStore<Int, Int>(
        initialState: 0,
        effects: { _, action in .send(action) },
        reducer: { $0 &+= $1 }
      )
      store.exhaustivity = .off
      await store.send(1)
      await store.receive(2)
      await store.finish()
    }
    #expect(
      found.map(\.failure.text) == [
        """
        The store's work never ends.

        Expected: actions that do not cause others endlessly, and effects that wait for something
        Happened: the last actions were:
                  1
        To fix this, end the effect or the interceptor, or make it wait for a clock that the test advances.
        """
      ]
    )
  }

  @Test func `the delay before a retry is awaited like an effect`() async {
    let clock = TestClock()
    let line: UInt = #line + 3
    let store = TestStore<JobState, Bool>(
      initialState: JobState(),
      stateEffects: [StateEffect({ $0 }) { _ in .send(false) }],
      clock: clock
    ) { job, isBegin in
      if isBegin { job.run(maxAttempts: 2, backoff: .constant(.seconds(1))) } else { job.retryOrFail("no answer") }
    }
    store.exhaustivity = .off
    await store.send(true)
    await store.receive(false)
    store.exhaustivity = .on
    let text = await onlyFailure { await store.receive(false) }
    let place = "the state effect at ArborTestingTests/TestStoreRegressionTests.swift"
    #expect(
      text == """
        false was not received.

        Expected: false
        Happened: no action is held; still running or waiting:
                  the effect without a key, started by \(place):\(line): waits for its turn or its time
        To fix this, advance the clock before this line, `clock.advance(by: …)`, or do not receive it.
        """
    )
    await store.skipRunningEffects()
    #expect(clock.sleepers == 0)
    await store.finish()
  }

  @Test func `a forgotten receive is one failure, even if an effect is elsewhere`() async {
    let queue = DispatchQueue(label: "callbacks")
    let found = await failures {
      let store = TestStore<Int, Int>(
        initialState: 0,
        effects: { _, action in
          guard action == 1 else { return .none }
          return .merge(
            .send(2),
            .run { dispatch in
              await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            }
          )
        },
        timeout: .generous,
        reducer: { $0 += $1 }
      )
      await store.send(1) { $0 = 1 }
      await store.finish()
    }
    #expect(found.map(\.failure.summary) == ["1 action was not received."])
  }

  // MARK: Who is who

  @Test func `an action dispatched just before is not mistaken for the sent one`() async {
    let store = TestStore<[Int], Int>(initialState: [], reducer: { $0.append($1) })
    let proxy = store.store()
    let scope = store.scope(to: \.self) { (action: String) in
      proxy.dispatch(0)
      return action.count
    } extract: { action in
      action == 3 ? "abc" : nil
    }
    let found = await failures { await scope.send("abc") { $0 = [0, 3] } }
    #expect(found.map(\.failure.happened) == ["held, in this order:\n0"])
    #expect(store.transcript == "skipped 0\n  [0]: + 0\nsent 3\n  [1]: + 3")
    await store.finish()
  }

  @Test func `with off an activity is found after held actions`() async {
    let store = TestStore<Int, Int>(
      initialState: 0,
      interceptors: [
        Interceptor { action, context in
          if action == 1 {
            context.dispatch(5)
            context.emit("late")
          }
          return .pass
        }
      ],
      reducer: { $0 += $1 }
    )
    await store.send(1) { $0 = 1 }
    let text = await onlyFailure { await store.receive(activity: "late") }
    #expect(
      text == """
        "late" was not received.

        Expected: "late"
        Happened: no activity was received; activities wait until these held actions are reduced:
                  5
        To fix this, receive these actions first.
        """
    )
    store.exhaustivity = .off
    await store.receive(activity: "late")
    #expect(store.state == 6)
    await store.finish()
  }

  @Test func `no text of an action looks like several lines`() async {
    struct Forger: Sendable, CustomStringConvertible {
      var description: String { "a\nsent b\u{2028}c" }
    }
    let store = TestStore<Int, Forger>(initialState: 0) { _, _ in }
    await store.send(Forger())
    await store.finish()
    #expect(store.transcript.split(whereSeparator: \.isNewline).count == 1)
  }

  // MARK: Lifetimes

  @Test func `L3 a test store released with a given executor leaves nothing`() async {
    weak var executor: ManualExecutor?
    let gate = AsyncStream<Void>.makeStream()
    await {
      let given = ManualExecutor()
      executor = given
      let found = await failures {
        let store = TestStore<Int, Int>(
          initialState: 0,
          effects: { _, action in action == 1 ? .run { _ in for await _ in gate.stream {} } : .none },
          executor: given,
          reducer: { $0 += $1 }
        )
        await store.send(1) { $0 = 1 }
        store.store().dispatch(2)
      }
      #expect(found.count == 1)
    }()
    #expect(executor == nil)
    gate.continuation.finish()
  }
}
