import Arbor
import ArborTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Each test runs in a separate process, which must stop with a helpful message.
@Suite("State, misused")
struct MisuseTests {
  @Test(arguments: ["interceptor", "reducer", "observer", "projection", "batch"])
  func `S3 dispatchAndWait inside its own tree stops the program with a message`(callback: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [callback] in
      MisuseTests.wait(inside: callback)
    }
    expect(result, contains: "dispatchAndWait was called inside a reducer, an interceptor, an observer or a projection")
    expect(result, contains: "Call dispatch(_:) instead")
  }

  @Test func `S3 state inside a reducer stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      MisuseTests.readInsideReducer()
    }
    expect(result, contains: "A store's state was read inside a reducer")
    expect(result, contains: "Use the state that the reducer receives")
  }

  @Test(arguments: [2, 3])
  func `S3 trees whose callbacks wait for each other in a circle stop the program with a message`(count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      MisuseTests.waitInCircle(of: count)
    }
    expect(result, contains: "A callback of one tree of stores waits on a second tree")
    expect(result, contains: "Call dispatch(_:) in one of the callbacks")
  }

  #if DEBUG
    @Test(arguments: ["state", "commit", "derived"])
    func `S3 a long wait for a thread that waits for the caller is reported once, after two seconds`(
      call: String
    ) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [call] in
        await MisuseTests.waitThroughAnotherThread(by: call)
      }
      expect(
        result,
        contains: "a call of `\(call)` has waited for two seconds for a tree of stores, in which an observer runs")
      expect(result, contains: "Don't wait in the callbacks of a store")
      expect(result, contains: "with the state that it needs. (Shop)")
    }

    /// An observer waits for a thread that reads from the observer's own tree, until the report.
    private static func waitThroughAnotherThread(by call: String) async {
      let store = CommitStore(initialState: 0, settings: TreeSettings(name: "Shop", clock: TestClock()))
      let told = DispatchSemaphore(value: 0)
      let standardError = StandardError()
      let isOver = wait(for: told, in: store, by: call)
      standardError.passOn()
      told.signal()
      await isOver.value
      withExtendedLifetime(store) {}
    }

    /// Makes an observer wait for the report, and a thread wait for the observer.
    private static func wait(for told: DispatchSemaphore, in store: CommitStore<Int>, by call: String) -> Task<
      Void, Never
    > {
      let root = store.rootStore()
      let (entered, isOver) = (DispatchSemaphore(value: 0), Gate())
      store.observe(initial: false) { state in
        guard state == 1 else { return }
        entered.signal()
        told.wait()
      }.storeWhileSourceActive()
      store.commitLater { $0 += 1 }
      entered.wait()
      Thread {
        switch call {
        case "state": _ = root.state
        case "commit": root.commit { $0 += 1 }
        default: _ = root.derived { $0 }
        }
        isOver.open()
      }.start()
      return Task { await isOver.pass() }
    }

    /// Captures standard error, to wait for its output.
    private struct StandardError {
      private let pipe = Pipe()
      private let original = dup(STDERR_FILENO)

      init() {
        dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
      }

      /// Waits for a line, and passes it on to standard error.
      func passOn() {
        let line = pipe.fileHandleForReading.availableData
        dup2(original, STDERR_FILENO)
        FileHandle.standardError.write(line)
      }
    }
  #endif

  @Test func `a thousand nested scopes work on a small stack, and one more stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { $0 += $1 })
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        var store = factory.scopeStore { $0 + 1 }
        for _ in 1..<1_000 { store = store.scope(to: { $0 + 1 }, action: { $0 }) }
        store.subscribe(observer: Observer { _ in .active })
        store.dispatchAndWait(1)
        precondition(store.state == 1_001)
        FileHandle.standardError.write(Data("a thousand work. ".utf8))
        _ = store.scope(to: { $0 })
        done.signal()
      }
      #if ASAN || TSAN
        // The memory that a sanitizer adds to each frame does not count.
        thread.stackSize = 64 * 1024 * 1024
      #else
        thread.stackSize = 512 * 1024
      #endif
      thread.start()
      done.wait()
    }
    expect(result, contains: "a thousand work. ")
    expect(result, contains: "Scopes were nested a thousand deep")
  }

  @Test func `scopes of a large state can be nested less deeply, and the deepest one works on a small stack`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Wide: Sendable {
        var numbers = (SIMD64<Int>(), SIMD64<Int>())
      }
      let factory = StoreFactory<Wide, Int>(initialState: Wide(), reducer: { $0.numbers.0[0] += $1 })
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        var store = factory.rootStore()
        while true {
          store = store.scope(to: { $0 })
          precondition(store.state != nil)
        }
      }
      #if ASAN || TSAN
        thread.stackSize = 64 * 1024 * 1024
      #else
        thread.stackSize = 512 * 1024
      #endif
      thread.start()
      done.wait()
    }
    expect(result, contains: "Scopes were nested a thousand deep")
  }

  @Test(arguments: ["commit", "interceptor", "reducer", "observer", "projection"])
  func `S3 commit inside its own tree stops the program with a message`(callback: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [callback] in
      MisuseTests.commit(inside: callback)
    }
    expect(result, contains: "commit was called inside a commit's closure, a reducer, an interceptor, an observer, a")
    expect(result, contains: "Call commitLater instead")
  }

  @Test func `S3 state inside the closure of a commit stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = CommitStore(initialState: 0)
      let root = store.rootStore()
      store.commit { $0 = root.state ?? 0 }
    }
    expect(result, contains: "A store's state was read inside a reducer, or a commit's closure,")
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  func `an interceptor or reducer that drops or replaces a commit, even above, stops the program with a message`(
    place: Int
  ) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      MisuseTests.loseCommit(at: place)
    }
    expect(result, contains: "A commit did not reach its reducer: an interceptor dropped, replaced or held")
    expect(result, contains: "Let mutations of commit pass")
  }

  @Test(arguments: ["later", "elsewhere", "inside", "twice", "monitor"])
  func `a commit's mutation that is kept and applied again stops the program with a message`(time: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [time] in
      MisuseTests.applyAgain(time)
    }
    expect(result, contains: "The mutation of a commit was applied outside its own step")
    expect(
      result, contains: "Only mutations of commitLater, and actions of your own, may be kept and dispatched again.")
  }

  private static func commit(inside callback: String) {
    let stores = RecordedValues<Store<Int, Mutation<Int>>>()
    let store = CommitStore<Int>(
      initialState: 0,
      feature: Feature(
        interceptor: { _, _ in if callback == "interceptor" { stores.values[0].commit { $0 += 1 } } }, reducer: nil)
    )
    stores.append(store.rootStore())
    let scope = store.scopeStore { state in
      if callback == "projection" { stores.values[0].commit { $0 += 1 } }
      return state
    }
    scope.subscribe(
      observer: Observer { state in
        if callback == "observer", state > 0 { stores.values[0].commit { $0 += 1 } }
        return .active
      }
    )
    store.commit { state in
      state += 1
      if callback == "commit" { stores.values[0].commit { $0 += 1 } }
    }
    store.commitLater { _ in if callback == "reducer" { stores.values[0].commit { $0 += 1 } } }
    _ = store.state
  }

  private static func applyAgain(_ time: String) {
    let kept = RecordedValues<Mutation<Int>>()
    let watcher = Watcher(react: { _ in if time == "monitor" { kept.values.last?.apply(to: &onTheSide) } })
    let store = CommitStore<Int>(
      initialState: 0,
      feature: Feature(
        interceptor: {
          kept.append($0)
          _ = $1
        }, reducer: nil),
      settings: TreeSettings(monitors: [watcher])
    )
    if time == "twice" {
      let child = store.childStore(
        initialState: 0,
        stateMapping: { root, _ in root },
        reducer: { own, mutation in mutation.apply(to: &own) }
      )
      child.store().commit { $0 += 1 }
    }
    store.commit { state in
      state += 1
      if time == "inside" { kept.values[0].apply(to: &state) }
    }
    switch time {
    case "later": store.rootStore().dispatchAndWait(kept.values[0])
    case "elsewhere": onThreads(1) { _ in kept.values[0].apply(to: &onTheSide) }
    default: break
    }
  }

  private nonisolated(unsafe) static var onTheSide = 0

  private enum Wrapped: Sendable {
    case mutation(Mutation<Int>)
  }

  private static func loseCommit(at place: Int) {
    let drop = Interceptor<Int, Mutation<Int>> { _, _ in .drop }
    let replace = Interceptor<Int, Mutation<Int>> { _, _ in .replace(with: Mutation { $0 = 7 }) }
    switch place {
    case 0: CommitStore(initialState: 0, feature: Feature(interceptors: [drop])).commit { $0 += 1 }
    case 1: CommitStore(initialState: 0, feature: Feature(interceptors: [replace])).commit { $0 += 1 }
    case 2:
      let store = CommitStore(initialState: 0, feature: Feature(interceptors: [drop]))
      let child = store.childStore(
        initialState: 0, stateMapping: { root, _ in root },
        reducer: {
          $0 += 1
          _ = $1
        })
      child.store().commit { $0 += 1 }
    case 3:
      let taken = RecordedValues<Mutation<Int?>>()
      let source = CommitStore<Int?>(
        initialState: nil,
        feature: Feature(interceptor: { mutation, _ in taken.append(mutation) }, reducer: nil)
      )
      source.scope(atOptional: \.self).commitLater { $0 += 1 }
      _ = source.state
      let store = CommitStore<Int?>(
        initialState: nil,
        feature: Feature(interceptors: [Interceptor { _, _ in .replace(with: taken.values[0]) }])
      )
      store.childCommitStore(initialState: 0).commit { $0 += 1 }
    default:
      let factory = StoreFactory<Int, Wrapped>(initialState: 0, reducer: { _, _ in })
      factory.rootStore().scope(to: { $0 }, action: Wrapped.mutation).commit { $0 += 1 }
    }
  }

  private static func wait(inside callback: String) {
    let stores = RecordedValues<Store<Int, Int>>()
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
        if callback == "batch" { stores.values[0].dispatchAndWait(batch: [2]) }
        return .active
      }
    )
    store.dispatchAndWait(1)
  }

  private static func readInsideReducer() {
    let stores = RecordedValues<Store<Int, Int>>()
    let factory = StoreFactory<Int, Int>(initialState: 0, reducer: { _, _ in _ = stores.values[0].state })
    stores.append(factory.rootStore())
    factory.rootStore().dispatchAndWait(1)
  }

  private static func waitInCircle(of count: Int) {
    alarm(3600)  // If they hang after all, the process still ends, without the message.
    // Every tree is inside a callback before any of them waits.
    let (inside, start) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let stores = RecordedValues<Store<Int, Int>>()
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
